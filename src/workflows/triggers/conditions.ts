/** `conditions` of a trigger: `{}` or a ContactFilter that a contact must match to enter. */
import type { Violation } from '../../platform/errors.ts'
import { explainViolations } from '../../platform/http/input/violations.ts'
import { ContactFilter, filterReferences, filterViolations } from '../../segments/filter/filter.ts'
import type { Reference } from '../nodes/node-type.ts'
import type { TriggerConfig } from './trigger-type.ts'

/** Returns the filter of a trigger, or undefined if it has none. */
export function getConditions({ conditions }: TriggerConfig): ContactFilter | undefined {
  return conditions && Object.keys(conditions).length > 0
    ? (conditions as unknown as ContactFilter)
    : undefined
}

export function conditionViolations(config: TriggerConfig): Violation[] {
  const filter = getConditions(config)
  if (!filter) return []
  const faults = explainViolations(ContactFilter, filter, 'conditions')
  return faults.length > 0 ? faults : filterViolations(filter, 'conditions')
}

export function conditionReferences(config: TriggerConfig): Reference[] {
  const filter = getConditions(config)
  return filter ? filterReferences(filter, 'conditions') : []
}
