/**
 * A filter is a list of conditions on contacts, of which all or any must match. Lists, segments, campaigns and journeys
 * compile and evaluate their filters here; no other file knows the condition types.
 */
import Type, { type Static, type TObject } from 'typebox'
import type { ContactSnapshot } from '../../contacts/contact-views.ts'
import { join, sql } from '../../platform/db/sql.ts'
import type { Violation } from '../../platform/errors.ts'
import { literals, named, object, variants } from '../../platform/http/schemas.ts'
import type { AnyConditionType, ConditionSql, Reference, SqlContext } from './condition.ts'
import { firstSeen, lastInteraction } from './conditions/activity-times.ts'
import { archiveStatus } from './conditions/archive-status.ts'
import { chatCount } from './conditions/chat-count.ts'
import { createdAt } from './conditions/created-at.ts'
import { customFieldDate } from './conditions/custom-field-date.ts'
import { customFieldText } from './conditions/custom-field-text.ts'
import { hasAnyChannel } from './conditions/has-any-channel.ts'
import { hasAnyTag } from './conditions/has-any-tag.ts'
import { neverKind } from './conditions/never.ts'
import { searchText } from './conditions/search-text.ts'

const conditionTypes: readonly AnyConditionType[] = [
  searchText,
  archiveStatus,
  createdAt,
  firstSeen,
  lastInteraction,
  chatCount,
  customFieldText,
  customFieldDate,
  hasAnyTag,
  hasAnyChannel,
  neverKind,
]

const byType = new Map(conditionTypes.map(type => [type.type, type]))

export interface Condition {
  type: string
  [member: string]: unknown
}

const AnyCondition = named(
  'ContactCondition',
  Type.Unsafe<Condition>(
    variants('type', conditionTypes.map(type => type.schema) as [TObject, ...TObject[]]),
  ),
)

export const ContactFilter = named(
  'ContactFilter',
  object({
    match: literals(['all', 'any'], { description: 'any is an extension' }),
    conditions: Type.Array(AnyCondition, { maxItems: 20 }),
  }),
)
export type ContactFilter = Static<typeof ContactFilter>

function getConditionType(condition: Condition): AnyConditionType {
  const type = byType.get(condition.type)
  if (!type) throw new Error(`unknown condition type ${condition.type}`)
  return type
}

/** Lists the violations that the schema cannot express. */
export function filterViolations(filter: ContactFilter, path: string): Violation[] {
  return filter.conditions.flatMap(
    (condition, i) =>
      getConditionType(condition).violations?.(condition as never, `${path}.conditions[${i}]`) ?? [],
  )
}

export function filterReferences(filter: ContactFilter, path: string): Reference[] {
  return filter.conditions.flatMap((condition, i) =>
    (getConditionType(condition).references?.(condition as never) ?? []).map(reference => ({
      ...reference,
      path: `${path}.conditions[${i}].${reference.path}`,
    })),
  )
}

/** Lists the texts whose tags must be loaded before the filter is compiled. */
export function listSearchTexts(filter: ContactFilter): string[] {
  return filter.conditions.flatMap(condition =>
    condition.type === 'searchText' ? [condition.text as string] : [],
  )
}

const activeOnly: Condition = { type: 'archiveStatus', status: 'active' }

/** A filter without a condition on the archive status means active contacts. */
function impliedConditions(filter: ContactFilter): Condition[] {
  return filter.conditions.some(condition => condition.type === 'archiveStatus') ? [] : [activeOnly]
}

export interface CompileOptions {
  /** Omits the implied condition: the filter narrows another filter that has it. */
  skipImplied?: boolean
}

/** Compiles a filter to conditions that must all match. `any` becomes one condition. */
export function toConjuncts(
  filter: ContactFilter,
  context: SqlContext,
  options: CompileOptions = {},
): ConditionSql[] {
  const compile = (condition: Condition) => getConditionType(condition).sql(condition as never, context)
  const implied = options.skipImplied ? [] : impliedConditions(filter).map(compile)
  const own = filter.conditions.map(compile)
  if (filter.match === 'all' || own.length < 2) return [...own, ...implied]
  return [anyOf(own), ...implied]
}

function anyOf(conditions: readonly ConditionSql[]): ConditionSql {
  const check = sql`(${join(
    conditions.map(condition => condition.check),
    ' or ',
  )})`
  const ids = conditions.map(condition => condition.ids)
  if (!ids.every(select => select !== undefined)) return { check }
  // `union` removes duplicates, so that the planner estimates the number of rows correctly.
  const union = (operator: string) =>
    join(
      ids.map(select => sql`(${select})`),
      ` ${operator} `,
    )
  const orderedIds = conditions.map(condition => condition.orderedIds)
  return {
    check,
    collectCheck: sql`c.id in (${union('union')})`,
    ids: union('union all'),
    ...(orderedIds.every(selects => selects !== undefined) ? { orderedIds: orderedIds.flat() } : {}),
  }
}

/** Whether a loaded contact matches, by the same definitions as the SQL. */
export function contactMatches(filter: ContactFilter, contact: ContactSnapshot, now: Date): boolean {
  return explainFilter(filter, contact, now).matches
}

export interface Explanation {
  matches: boolean
  conditions: { condition: Condition; holds: boolean; implied: boolean }[]
}

export function explainFilter(filter: ContactFilter, contact: ContactSnapshot, now: Date): Explanation {
  const evaluate = (condition: Condition, implied: boolean) => ({
    condition,
    holds: getConditionType(condition).matches(condition as never, contact, now),
    implied,
  })
  const own = filter.conditions.map(condition => evaluate(condition, false))
  const implied = impliedConditions(filter).map(condition => evaluate(condition, true))
  const ownHold =
    filter.match === 'all' || own.length === 0
      ? own.every(result => result.holds)
      : own.some(result => result.holds)
  return { matches: ownHold && implied.every(result => result.holds), conditions: [...own, ...implied] }
}

/** Removes a deleted tag or field from the filter. Returns the same object if it does not use it. */
export function removeReference(
  filter: ContactFilter,
  deleted: { kind: 'tag' | 'field'; id: string },
): ContactFilter {
  const uses = filterReferences(filter, '').some(
    reference => reference.kind === deleted.kind && reference.id === deleted.id,
  )
  if (!uses) return filter
  const conditions = filter.conditions.map(
    condition =>
      (getConditionType(condition).without?.(condition as never, deleted) ?? condition) as Condition,
  )
  return { ...filter, conditions }
}
