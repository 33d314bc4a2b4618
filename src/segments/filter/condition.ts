/**
 * Defines a type of condition: its API schema, its references, its SQL, and its evaluation for one loaded contact. A
 * property test proves that SQL and evaluation agree.
 */
import type { Static, TObject, TSchema } from 'typebox'
import type { ContactSnapshot } from '../../contacts/contact-views.ts'
import type { FieldType } from '../../contacts/schemas.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Violation } from '../../platform/errors.ts'

export interface SqlContext {
  tenantId: string
  now: Date
  /** Ids of the tags whose names contain a text, by the text. */
  tagIdsByText: ReadonlyMap<string, readonly string[]>
}

/** A condition on the contact in `c` (contacts) and `a` (contact_activity), in the forms that search strategies need. */
export interface ConditionSql {
  /**
   * Predicate for a row that was read. Reads other tables with scalar subqueries that end after the first row: the
   * planner may turn an EXISTS into a hash of all rows.
   */
  check: Sql
  /** The condition as the predicate of a partial index over ids. */
  indexPredicate?: Sql
  /** Whether `check` reads only the row of the contact. */
  contactOnly?: boolean
  /** Predicate for collecting all matches, in a form that uses an index; `check` if omitted. */
  collectCheck?: Sql
  /** `select contact_id …` of exactly the matches, at a cost that grows with their number. */
  ids?: Sql
  /** Selects that return all matches and possibly more: `ids` if omitted and there is no `textPredicate`. */
  candidateIds?: readonly Sql[]
  /** Predicate that the text index answers and that holds for all matches. */
  textPredicate?: Sql
  /** Selects of exactly the matches, one per index range that is sorted by id: for lists by createdAt. */
  orderedIds?: readonly Sql[]
  /** The condition if it reads only the row in `a`: such conditions are combined. */
  activity?: Sql
  /** Bounds of the contact id: from inclusive, to exclusive. */
  fromId?: string
  toId?: string
}

export function selectIdsByActivity(tenantId: string, activity: Sql): Sql {
  return sql`select a.contact_id from contact_activity a where a.tenant_id = ${tenantId} and ${activity}`
}

/** A resource that must exist. */
export interface Reference {
  kind: 'tag' | 'field' | 'journey' | 'campaign'
  id: string
  /** Relative to the condition. */
  path: string
  fieldType?: FieldType
  /** Whether the condition matches contacts without the tag. */
  isExcluded?: boolean
}

/** A loaded contact with all that conditions ask about it. */
export interface FilterSubject extends ContactSnapshot {
  /** The journeys that a filter names and the contact has a run of in progress. */
  journeyIds: readonly string[]
  /** The campaigns that a filter names and whose message was sent to the contact. */
  campaignIds: readonly string[]
  /** The newest custom events of the contact with a name that a filter counts. */
  events: readonly { name: string; at: string }[]
}

export interface ConditionType<S extends TSchema = TObject> {
  schema: S
  references?: (condition: Static<S>) => Reference[]
  /** Checks that the schema cannot express. */
  violations?: (condition: Static<S>, path: string) => Violation[]
  sql: (condition: Static<S>, context: SqlContext) => ConditionSql
  matches: (condition: Static<S>, contact: FilterSubject, now: Date) => boolean
  /** Returns the condition without a deleted tag or field; it must not match more contacts. */
  without?: (condition: Static<S>, deleted: { kind: 'tag' | 'field'; id: string }) => object
}

/** A condition type without its type parameter, for the list of all condition types. */
export type AnyConditionType = ConditionType & { type: string }

export function conditionType<S extends TObject>(definition: ConditionType<S>): AnyConditionType {
  const type = (definition.schema.properties.type as { const?: string }).const
  if (type === undefined) throw new Error('a condition type needs a literal `type`')
  return { ...definition, type } as unknown as AnyConditionType
}
