/**
 * A filter: conditions on contacts, of which all or any must hold. This is the only place that knows all kinds of
 * conditions; everything that chooses contacts (lists, segments, campaigns, journeys) compiles or evaluates here.
 */
import Type, { type Static, type TObject } from 'typebox'
import type { ContactSnapshot } from '../../contacts/snapshots.ts'
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

const byType = new Map(conditionTypes.map(kind => [kind.type, kind]))

export interface Condition {
  type: string
  [member: string]: unknown
}

const AnyCondition = variants('type', conditionTypes.map(kind => kind.schema) as [TObject, ...TObject[]])

export const ContactFilter = named(
  'ContactFilter',
  object({
    match: literals(['all', 'any'], { description: 'any is an extension' }),
    conditions: Type.Array(Type.Unsafe<Condition>(AnyCondition), { maxItems: 20 }),
  }),
)
export type ContactFilter = Static<typeof ContactFilter>

function getConditionType(condition: Condition): AnyConditionType {
  const kind = byType.get(condition.type)
  if (!kind) throw new Error(`there is no condition ${condition.type}`)
  return kind
}

/** Faults that the schema cannot see, with their paths. */
export function filterViolations(filter: ContactFilter, path: string): Violation[] {
  return filter.conditions.flatMap(
    (condition, i) =>
      getConditionType(condition).violations?.(condition as never, `${path}.conditions[${i}]`) ?? [],
  )
}

/** The tags and fields it speaks of, with their paths. */
export function filterReferences(filter: ContactFilter, path: string): Reference[] {
  return filter.conditions.flatMap((condition, i) =>
    (getConditionType(condition).references?.(condition as never) ?? []).map(reference => ({
      ...reference,
      path: `${path}.conditions[${i}].${reference.path}`,
    })),
  )
}

/** The texts whose tags must be looked up before it is compiled. */
export function listSearchTexts(filter: ContactFilter): string[] {
  return filter.conditions.flatMap(condition =>
    condition.type === 'searchText' ? [condition.text as string] : [],
  )
}

const activeOnly: Condition = { type: 'archiveStatus', status: 'active' }

/** A filter that does not speak of archived contacts means active ones. */
function impliedConditions(filter: ContactFilter): Condition[] {
  return filter.conditions.some(condition => condition.type === 'archiveStatus') ? [] : [activeOnly]
}

export interface CompileOptions {
  /** The filter stands beside another that says which contacts it is about: nothing is implied. */
  skipImplied?: boolean
}

/** What must hold, one by one: all conditions, or the single question whether any does, and what is implied. */
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
    conditions.map(one => one.check),
    ' or ',
  )})`
  const ids = conditions.map(one => one.ids)
  if (!ids.every(one => one !== undefined)) return { check }
  // Told that they are distinct, the planner knows how many there are.
  const union = (word: string) =>
    join(
      ids.map(one => sql`(${one})`),
      ` ${word} `,
    )
  const streams = conditions.map(one => one.orderedIds)
  return {
    check,
    collectCheck: sql`c.id in (${union('union')})`,
    ids: union('union all'),
    ...(streams.every(one => one !== undefined) ? { orderedIds: streams.flat() } : {}),
  }
}

/** Whether one contact matches, from the same definitions as the SQL. */
export function contactMatches(filter: ContactFilter, contact: ContactSnapshot, now: Date): boolean {
  return explainFilter(filter, contact, now).matches
}

export interface Explanation {
  matches: boolean
  conditions: { condition: Condition; holds: boolean; implied: boolean }[]
}

/** Which conditions hold for a contact and which do not. */
export function explainFilter(filter: ContactFilter, contact: ContactSnapshot, now: Date): Explanation {
  const ask = (condition: Condition, implied: boolean) => ({
    condition,
    holds: getConditionType(condition).matches(condition as never, contact, now),
    implied,
  })
  const own = filter.conditions.map(condition => ask(condition, false))
  const implied = impliedConditions(filter).map(condition => ask(condition, true))
  const ownHold =
    filter.match === 'all' || own.length === 0 ? own.every(one => one.holds) : own.some(one => one.holds)
  return { matches: ownHold && implied.every(one => one.holds), conditions: [...own, ...implied] }
}

/** The filter without a tag or field that is being deleted; the same object if it does not use it. */
export function removeReference(
  filter: ContactFilter,
  gone: { kind: 'tag' | 'field'; id: string },
): ContactFilter {
  const uses = filterReferences(filter, '').some(one => one.kind === gone.kind && one.id === gone.id)
  if (!uses) return filter
  const conditions = filter.conditions.map(
    condition => (getConditionType(condition).without?.(condition as never, gone) ?? condition) as Condition,
  )
  return { ...filter, conditions }
}
