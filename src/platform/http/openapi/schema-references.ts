/** Converts the schemas of routes to those of the document, which refers to each named schema. */
import type { TObject, TSchema } from 'typebox'
import { getSchemaName } from '../schemas.ts'

export type Json = Record<string, unknown>

/** Replaces named schemas by references and collects them; removes internal keywords. */
export function toReference(schema: TSchema, schemas: Json): unknown {
  const { documentedAs } = schema as { documentedAs?: TSchema }
  if (documentedAs) return toReference(documentedAs, schemas)
  const name = getSchemaName(schema)
  if (name === undefined) return toInlineSchema(schema, schemas)
  if (!(name in schemas)) {
    schemas[name] = {} // placeholder for recursive schemas
    schemas[name] = isVariants(schema)
      ? toNamedVariants(name, schema, schemas)
      : toInlineSchema(schema, schemas)
  }
  return { $ref: `#/components/schemas/${name}` }
}

interface Variants extends TSchema {
  anyOf: TObject[]
  discriminator: { propertyName: string }
}

function isVariants(schema: TSchema): schema is Variants {
  return 'discriminator' in schema
}

/** Gives each option of a union a name of its own, which generators use for its type: `MessageContentText`. */
function toNamedVariants(name: string, schema: Variants, schemas: Json): Json {
  const { anyOf, discriminator, ...rest } = schema
  const options = anyOf.map(option => {
    const { const: value } = option.properties[discriminator.propertyName] as { const: string }
    const component = getSchemaName(option) ?? name + toPascalCase(value)
    schemas[component] ??= toInlineSchema(option, schemas)
    return [value, `#/components/schemas/${component}`] as const
  })
  return {
    ...(toInlineSchema(rest, schemas) as Json),
    oneOf: options.map(([, $ref]) => ({ $ref })),
    discriminator: { ...discriminator, mapping: Object.fromEntries(options) },
  }
}

function toInlineSchema(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map(item => toReference(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(toDictionary(schema)).filter(([key]) => key !== 'patternMessage')
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isObject(value) ? toReference(value as TSchema, schemas) : value]),
  )
}

/** Writes a pattern for any name as `additionalProperties`: generators read `patternProperties` as members of any type. */
function toDictionary(schema: object): object {
  const { patternProperties, ...others } = schema as { patternProperties?: Json }
  const anyName = patternProperties?.['^.*$']
  return anyName === undefined ? schema : { ...others, additionalProperties: anyName }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

export function toPascalCase(text: string): string {
  return text
    .split('_')
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join('')
}
