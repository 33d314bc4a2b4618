/** Events and conditions that `waitFor` and `exitWhen` wait for. */
import Type, { type Static } from 'typebox'
import { object } from '../../../platform/http/schemas.ts'
import { exactlyOneViolations, placeholderViolations } from '../node-fields.ts'
import type { InterpolateOptions, Reference, WaitCase } from '../node-type.ts'
import { Condition, conditionReferences, conditionViolations, listExpressions } from './cases.ts'

const Text = Type.String({ maxLength: 500 })

export const awaitedProperties = {
  event: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  key: Type.Optional(Text),
  match: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Text, { maxProperties: 20 })),
  condition: Type.Optional(Condition),
}
const AwaitedCase = object(awaitedProperties)
type AwaitedCase = Static<typeof AwaitedCase>

export function awaitedViolations(one: AwaitedCase, path: string) {
  const under = (faults: ReturnType<typeof exactlyOneViolations>) =>
    faults.map(fault => ({ ...fault, field: `${path}.${fault.field}` }))
  return [
    ...under(exactlyOneViolations(one, ['event', 'condition'])),
    ...(one.event === undefined && (one.key !== undefined || one.match !== undefined)
      ? under([
          {
            field: one.key === undefined ? 'match' : 'key',
            code: 'unexpected',
            message: 'must only be set together with event',
          },
        ])
      : []),
    ...(one.condition === undefined ? [] : conditionViolations(one.condition, `${path}.condition`)),
    ...placeholderViolations(one.key, `${path}.key`),
    ...placeholderViolations(one.match, `${path}.match`),
  ]
}

export function awaitedReferences(cases: readonly AwaitedCase[], path: string): Reference[] {
  return cases.flatMap(({ condition }, i) =>
    condition === undefined ? [] : conditionReferences(condition, `${path}[${i}].condition`),
  )
}

export function awaitedExpressions(cases: readonly AwaitedCase[], path: string) {
  return listExpressions(cases.map(({ condition }, i) => ({ condition, path: `${path}[${i}].condition` })))
}

/** Fills the placeholders of a case with the values of the run. */
export async function toWaitCase(
  { interpolate }: { interpolate<T>(value: T, options?: InterpolateOptions): Promise<T> },
  { event, key, match, condition }: AwaitedCase,
): Promise<WaitCase> {
  if (event === undefined)
    return typeof condition === 'string' ? { expression: condition } : { filter: condition! }
  return {
    event,
    ...(key === undefined ? {} : { key: await interpolate(key) }),
    ...(match === undefined ? {} : { match: await interpolate(match) }),
  }
}
