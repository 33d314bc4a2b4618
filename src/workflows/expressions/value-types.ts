/** The properties of the values that texts and expressions read, with their types, derived from the API's schemas. */
import type { TSchema } from 'typebox'
import { Contact } from '../../contacts/schemas.ts'
import { Conversation, Message } from '../../conversations/schemas.ts'
import { createEnvironment } from './expressions.ts'

type Properties = Record<string, string>

const typeNames: Record<string, string> = { string: 'string', number: 'double', boolean: 'bool' }

/** Properties that a run adds; see `engine/run/scope.ts`. */
const contact = { ...toTypes(Contact.properties), email: 'string', phone: 'string' }
const message = { ...toTypes(Message.properties), text: 'string' }
const conversation = toTypes(Conversation.properties)

export const valueProperties: Readonly<Record<string, Properties>> = { contact, message, conversation }

function toTypes(properties: Record<string, TSchema>): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toType(schema)]))
}

function toType(schema: TSchema): string {
  const { type, items, anyOf, patternProperties } = schema as {
    type?: string
    items?: TSchema
    anyOf?: TSchema[]
    patternProperties?: Record<string, TSchema>
  }
  const [value, ...others] = anyOf?.filter(option => (option as { type?: string }).type !== 'null') ?? []
  if (value && others.length === 0) return toType(value)
  if (type === 'array' && items) return `list<${toType(items)}>`
  const [values] = Object.values(patternProperties ?? {})
  if (values) return `map<string, ${toType(values)}>`
  return typeNames[type ?? ''] ?? 'dyn'
}

const environment = createEnvironment({ contact, message, conversation })
// Every property may be missing.
for (const type of ['string', 'double', 'bool', 'list<dyn>'])
  environment.registerOperator(`${type} == null`, () => false)

/** Types of conditions: a value of an event or a variable may be a bool. */
const conditionTypes = new Set(['bool', 'dyn'])

/**
 * Returns why the operators of a valid expression cannot be applied to the types of its operands, or why a condition can
 * never be true, if so.
 */
export function findTypeError(expression: string, isCondition: boolean): string | undefined {
  const { valid, error, type } = environment.check(expression)
  if (!valid) return `cannot be evaluated: ${String(error?.message).split('\n')[0]}`
  if (!isCondition || conditionTypes.has(String(type))) return undefined
  return `must be true or false, but its type is "${toTypeName(String(type))}"`
}

/** Removes the prefixes of types of the library and of this file. */
function toTypeName(type: string): string {
  return type.replaceAll('google.protobuf.', '').replaceAll('$', '')
}
