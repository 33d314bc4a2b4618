/** Which contacts may enter: `conditions` of a trigger is `{}` or a ContactFilter. */
import Type from 'typebox'
import type { Violation } from '../../platform/errors.ts'
import { explain } from '../../platform/http/validate.ts'
import { ContactFilter, filterFaults, filterReferences } from '../../segments/filter/filter.ts'
import type { Reference } from '../nodes/kind.ts'
import type { TriggerConfig } from './kind.ts'

export const Conditions = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: '`{}`, or a ContactFilter that the contact must match to enter',
  }),
)

/** Nothing when everybody may. */
export function conditionsOf({ conditions }: TriggerConfig): ContactFilter | undefined {
  return conditions && Object.keys(conditions).length > 0
    ? (conditions as unknown as ContactFilter)
    : undefined
}

export function conditionFaults(config: TriggerConfig): Violation[] {
  const filter = conditionsOf(config)
  if (!filter) return []
  const faults = explain(ContactFilter, filter, 'conditions')
  return faults.length > 0 ? faults : filterFaults(filter, 'conditions')
}

export function conditionReferences(config: TriggerConfig): Reference[] {
  const filter = conditionsOf(config)
  return filter ? filterReferences(filter, 'conditions') : []
}
