/** Validates values against schemas. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { invalid, violation } from '../errors.ts'
import {
  type AnySchema,
  describeInvalid,
  findMixedOption,
  findOnlyOption,
  findVariant,
  isRecord,
} from './input/violations.ts'

export type Check = (value: unknown) => void

/** Returns a check that throws a 400 with the violations. */
export function createCheck(schema: TSchema, root = 'body'): Check {
  return value => {
    if (matchesSchema(schema, value)) return
    const violations = describeInvalid(schema, value, '')
    invalid(
      ...(violations.length > 0 ? violations : [violation(root, 'invalid', 'is not valid')]).map(v => ({
        ...v,
        field: v.field || root,
      })),
    )
  }
}

const compiledSchemas = new WeakMap<TSchema, { Check(value: unknown): boolean }>()

/** Reports whether the value is valid by the schema. Compiled on first use, because there are hundreds of schemas. */
export function matchesSchema(schema: TSchema, value: unknown): boolean {
  let compiled = compiledSchemas.get(schema)
  if (!compiled) {
    compiled = Compile(schema)
    compiledSchemas.set(schema, compiled)
  }
  return compiled.Check(value)
}

/** Removes members that are null, optional and not nullable: such a null means the default. */
export function withoutNulls(schema: TSchema, value: unknown): unknown {
  const { anyOf, items } = schema as AnySchema
  if (anyOf) {
    const option =
      findVariant(schema as AnySchema, value) ?? findOnlyOption(anyOf) ?? findMixedOption(anyOf, value)
    return option ? withoutNulls(option as TSchema, value) : value
  }
  if (Array.isArray(value)) return items ? value.map(item => withoutNulls(items as TSchema, item)) : value
  const { properties, required } = schema as AnySchema
  if (!isRecord(value) || !properties) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    const property = properties[name] as TSchema | undefined
    if (!property) return [[name, member]]
    if (member !== null) return [[name, withoutNulls(property, member)]]
    return required?.includes(name) || matchesSchema(property, null) ? [[name, member]] : []
  })
  return Object.fromEntries(members)
}
