import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

const compiled = new Map<TSchema, { Check(value: unknown): boolean }>()

/** Whether a value is what the API would take, by the very schema of the API. */
export function matchesSchema(schema: TSchema, value: unknown): boolean {
  let check = compiled.get(schema)
  if (!check) {
    check = Compile(schema)
    compiled.set(schema, check)
  }
  return check.Check(value)
}
