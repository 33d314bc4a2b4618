/** Evaluates the conditions and events that a run waits for, and filters on its contact. */
import { findExistingTagsAndFields } from '../../../contacts/tags-and-fields/custom-fields.ts'
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import {
  type ContactFilter,
  contactMatches,
  filterReferences,
  removeReference,
} from '../../../segments/filter/filter.ts'
import { loadSubjects } from '../../../segments/subjects.ts'
import { ExpressionError } from '../../expressions/expressions.ts'
import type { RunEvent, WaitCase } from '../../nodes/node-type.ts'
import type { Run } from '../run/run.ts'
import type { RunScope } from '../run/scope.ts'

/** Returns the index of the first condition that is true; cases with events are skipped. */
export async function findTrueCase(
  tx: Tx,
  run: Run,
  scope: RunScope,
  cases: readonly WaitCase[],
): Promise<number | undefined> {
  for (const [index, waitCase] of cases.entries()) {
    if ('filter' in waitCase && (await contactMatchesFilter(tx, run, waitCase.filter, new Date(tx.now))))
      return index
    if ('expression' in waitCase && (await isTrue(scope, waitCase.expression))) return index
  }
  return undefined
}

/** An expression that cannot be evaluated yet is not true. */
async function isTrue(scope: RunScope, expression: string): Promise<boolean> {
  try {
    return (await scope.evaluate(expression)) === true
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

export function hasConditions(cases: readonly WaitCase[]): boolean {
  return cases.some(waitCase => !('event' in waitCase))
}

export function findCaseForEvent(cases: readonly WaitCase[], event: RunEvent): number | undefined {
  const index = cases.findIndex(waitCase => 'event' in waitCase && matchesEvent(waitCase, event))
  return index < 0 ? undefined : index
}

function matchesEvent(waitCase: Extract<WaitCase, { event: string }>, event: RunEvent): boolean {
  if (waitCase.event !== event.name) return false
  if (waitCase.key !== undefined && waitCase.key !== (event.key ?? '')) return false
  return Object.entries(waitCase.match ?? {}).every(([name, value]) => getEventText(event, name) === value)
}

/** Reads a property of the event's data as text; `key` falls back to the event's key. */
function getEventText(event: RunEvent, name: string): string | undefined {
  const value = Object.hasOwn(event.data, name) ? event.data[name] : name === 'key' ? event.key : undefined
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export async function contactMatchesFilter(
  tx: Tx,
  run: Pick<Run, 'tenantId' | 'contactId'>,
  filter: ContactFilter,
  now: Date,
): Promise<boolean> {
  const [contact] = await loadSubjects(tx, run.tenantId, [run.contactId], [filter])
  if (contact === undefined) return false
  return contactMatches(await resolveFilter(tx, run.tenantId, filter), contact, now)
}

/**
 * Makes conditions on deleted custom fields, and on the absence of deleted tags, false for every contact, as in segments:
 * versions never change, and "is not set" or "has none of" would otherwise match every contact once the field or tag is
 * deleted. Other conditions on deleted tags need no check: no contact has them.
 */
export async function resolveFilter(
  on: Queryable,
  tenantId: string,
  filter: ContactFilter,
): Promise<ContactFilter> {
  const references = filterReferences(filter, '')
  const fieldIds = references.flatMap(({ kind, id }) => (kind === 'field' ? [id] : []))
  const tagIds = references.flatMap(({ kind, id, isExcluded }) => (kind === 'tag' && isExcluded ? [id] : []))
  if (fieldIds.length + tagIds.length === 0) return filter
  const { tags, fields } = await findExistingTagsAndFields(on, tenantId, tagIds, fieldIds)
  const deleted = [
    ...fieldIds.filter(id => !fields.has(id)).map(id => ({ kind: 'field' as const, id })),
    ...tagIds.filter(id => !tags.has(id)).map(id => ({ kind: 'tag' as const, id })),
  ]
  return deleted.reduce(removeReference, filter)
}
