/**
 * A filter is a list of conditions on contacts and groups of conditions, of which all or any must match. Lists, segments,
 * campaigns and journeys compile and evaluate their filters here; no other file refers to the condition types.
 */
import Type, { type TObject } from 'typebox'
import { and, join, type Sql, sql } from '../../platform/db/sql.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import { literals, named, object, variants } from '../../platform/http/schemas.ts'
import type { AnyConditionType, ConditionSql, FilterSubject, Reference, SqlContext } from './condition.ts'
import { firstSeen, lastInteraction } from './conditions/activity-times.ts'
import { archiveStatus } from './conditions/archive-status.ts'
import { chatCount } from './conditions/chat-count.ts'
import { createdAt } from './conditions/created-at.ts'
import { createdByImport } from './conditions/created-by-import.ts'
import { customFieldDate } from './conditions/custom-field-date.ts'
import { customFieldText } from './conditions/custom-field-text.ts'
import { gotCampaign } from './conditions/got-campaign.ts'
import { hasAnyChannel } from './conditions/has-any-channel.ts'
import { hasAnyTag } from './conditions/has-any-tag.ts'
import { inJourney } from './conditions/in-journey.ts'
import { neverKind } from './conditions/never.ts'
import { notAnyTag } from './conditions/not-any-tag.ts'
import { optedOut } from './conditions/opted-out.ts'
import { performedEvent } from './conditions/performed-event.ts'
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
  notAnyTag,
  hasAnyChannel,
  optedOut,
  inJourney,
  gotCampaign,
  performedEvent,
  createdByImport,
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

/** All or any of its items must match. */
export interface ConditionGroup {
  match: 'all' | 'any'
  conditions: FilterItem[]
}

type FilterItem = Condition | ConditionGroup

const maxConditions = 20
const Match = literals(['all', 'any'], { description: 'any is an extension' })

const groupOptions = { minItems: 1, maxItems: maxConditions }

const ContactFilterSubgroup = named(
  'ContactFilterSubgroup',
  object({ match: Match, conditions: Type.Array(AnyCondition, groupOptions) }),
)
const ContactFilterGroup = named(
  'ContactFilterGroup',
  object({
    match: Match,
    conditions: Type.Array(Type.Union([AnyCondition, ContactFilterSubgroup]), groupOptions),
  }),
)

/** A filter has at most three levels, itself included. */
export const ContactFilter = named(
  'ContactFilter',
  object({
    match: Match,
    conditions: Type.Array(Type.Union([AnyCondition, ContactFilterGroup]), {
      maxItems: maxConditions,
      description: `at most ${maxConditions} conditions, those of groups included; groups are an extension`,
    }),
  }),
)
export type ContactFilter = ConditionGroup

function isGroup(item: FilterItem): item is ConditionGroup {
  return !('type' in item)
}

function getConditionType(condition: Condition): AnyConditionType {
  const type = byType.get(condition.type)
  if (!type) throw new Error(`unknown condition type ${condition.type}`)
  return type
}

function listLocated({ conditions }: ConditionGroup, path: string): { condition: Condition; path: string }[] {
  return conditions.flatMap((item, i) => {
    const at = `${path}.conditions[${i}]`
    return isGroup(item) ? listLocated(item, at) : [{ condition: item, path: at }]
  })
}

/** Lists the conditions of the filter and of its groups. */
export function listConditions(filter: ContactFilter): Condition[] {
  return listLocated(filter, '').map(({ condition }) => condition)
}

/** Lists the violations that the schema cannot express. */
export function filterViolations(filter: ContactFilter, path: string): Violation[] {
  const located = listLocated(filter, path)
  if (located.length > maxConditions) {
    const message = `must have at most ${maxConditions} conditions, those of groups included`
    return [violation(`${path}.conditions`, 'too_many', message)]
  }
  return located.flatMap(
    ({ condition, path: at }) => getConditionType(condition).violations?.(condition as never, at) ?? [],
  )
}

export function filterReferences(filter: ContactFilter, path: string): Reference[] {
  return listLocated(filter, path).flatMap(({ condition, path: at }) =>
    (getConditionType(condition).references?.(condition as never) ?? []).map(reference => ({
      ...reference,
      path: `${at}.${reference.path}`,
    })),
  )
}

/** Lists the texts whose tags must be loaded before the filter is compiled. */
export function listSearchTexts(filter: ContactFilter): string[] {
  return listConditions(filter).flatMap(condition =>
    condition.type === 'searchText' ? [condition.text as string] : [],
  )
}

/** Lists the custom events that the filter counts. */
export function listEventNames(filter: ContactFilter): string[] {
  return listConditions(filter).flatMap(condition =>
    condition.type === 'performedEvent' ? [condition.name as string] : [],
  )
}

const activeOnly: Condition = { type: 'archiveStatus', status: 'active' }

/** A filter without a condition on the archive status, at any level, means active contacts. */
function impliedConditions(filter: ContactFilter): Condition[] {
  return listConditions(filter).some(condition => condition.type === 'archiveStatus') ? [] : [activeOnly]
}

export interface CompileOptions {
  /** Omits the implied condition: the filter narrows another filter that has it. */
  skipImplied?: boolean
}

/** Compiles a filter to conditions that must all match. */
export function toConjuncts(
  filter: ContactFilter,
  context: SqlContext,
  options: CompileOptions = {},
): ConditionSql[] {
  const implied = options.skipImplied ? [] : impliedConditions(filter)
  return [...compileGroup(filter, context), ...implied.map(condition => compileCondition(condition, context))]
}

function compileCondition(condition: Condition, context: SqlContext): ConditionSql {
  return getConditionType(condition).sql(condition as never, context)
}

/** `any` becomes one condition; the items of groups with `all` join those of the group that contains them. */
function compileGroup({ match, conditions }: ConditionGroup, context: SqlContext): ConditionSql[] {
  const items = conditions.map(item =>
    isGroup(item) ? compileGroup(item, context) : [compileCondition(item, context)],
  )
  if (match === 'all' || items.length < 2) return items.flat()
  return [anyOf(items.map(item => allOf(item, context)))]
}

/** Combines conditions that must all match into one, for a group within `any`. */
function allOf(conditions: readonly ConditionSql[], { tenantId }: SqlContext): ConditionSql {
  if (conditions.length === 1) return conditions[0]!
  const combine = (parts: readonly Sql[]) => sql`(${and(parts)})`
  const check = combine(conditions.map(condition => condition.check))
  const listed = conditions.filter(({ ids }) => ids !== undefined)
  if (listed.length === 0) return { check }
  const others = conditions.filter(condition => !listed.includes(condition))
  const common = join(
    listed.map(({ ids }) => sql`(select contact_id from (${ids!}) listed)`),
    ' intersect ',
  )
  const ids =
    others.length === 0
      ? common
      : sql`select c.id as contact_id from (${common}) listed
          join contacts c on c.tenant_id = ${tenantId} and c.id = listed.contact_id
          join contact_activity a on a.tenant_id = c.tenant_id and a.contact_id = c.id
          where c.deleted_at is null and ${and(others.map(other => other.check))}`
  return { check, collectCheck: combine(conditions.map(one => one.collectCheck ?? one.check)), ids }
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
export function contactMatches(filter: ContactFilter, contact: FilterSubject, now: Date): boolean {
  return explainFilter(filter, contact, now).matches
}

export interface Explanation {
  matches: boolean
  /** The items of the filter; a group is one of them. */
  conditions: { condition: Record<string, unknown>; holds: boolean; implied: boolean }[]
}

export function explainFilter(filter: ContactFilter, contact: FilterSubject, now: Date): Explanation {
  const evaluate = (item: FilterItem): boolean =>
    isGroup(item)
      ? combine(item, item.conditions.map(evaluate))
      : getConditionType(item).matches(item as never, contact, now)
  const explain = (item: FilterItem, implied: boolean) => ({
    condition: { ...item },
    holds: evaluate(item),
    implied,
  })
  const own = filter.conditions.map(item => explain(item, false))
  const implied = impliedConditions(filter).map(condition => explain(condition, true))
  const ownHold = combine(
    filter,
    own.map(({ holds }) => holds),
  )
  return { matches: ownHold && implied.every(({ holds }) => holds), conditions: [...own, ...implied] }
}

function combine({ match }: ConditionGroup, results: readonly boolean[]): boolean {
  return match === 'all' || results.length === 0 ? results.every(Boolean) : results.some(Boolean)
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
  const conditions = filter.conditions.map(item =>
    isGroup(item)
      ? removeReference(item, deleted)
      : ((getConditionType(item).without?.(item as never, deleted) ?? item) as Condition),
  )
  return { ...filter, conditions }
}
