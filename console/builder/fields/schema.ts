/** Reads the JSON schemas of the catalogue: the properties of a node and what kind of field each needs. */
import type { Catalogue } from '../model/definition.ts'
import type { Problem } from '../model/problems.ts'
import { describeReason } from '../problems/problem-texts.ts'

export interface JsonSchema {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  maxLength?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

/** Properties of every field of the settings. */
export interface FieldProps<T = unknown> {
  name: string
  /** Within the data of the node, as in violations. */
  path: string
  schema: JsonSchema
  value: T
  isRequired: boolean
  problems: readonly Problem[]
  /** Undefined removes the property. */
  onChange: (value: unknown) => void
}

export interface Property {
  name: string
  schema: JsonSchema
  isRequired: boolean
}

export function resolve(schema: JsonSchema, catalogue: Catalogue): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : ((catalogue.schemas[name] as JsonSchema | undefined) ?? {})
}

export function listProperties(schema: JsonSchema): Property[] {
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: required.has(name),
  }))
}

/** Returns the data with the property set, or without it. */
export function withProperty(data: Record<string, unknown>, name: string, value: unknown) {
  const { [name]: _, ...rest } = data
  return value === undefined ? rest : { ...data, [name]: value }
}

/** Returns the message of the first problem at the path, or within it. */
export function findMessage(problems: readonly Problem[], path: string, isDeep = false): string | undefined {
  const found = problems.find(
    ({ field }) =>
      field === path || (isDeep && (field.startsWith(`${path}.`) || field.startsWith(`${path}[`))),
  )
  return found && describeReason(found)
}

export const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
