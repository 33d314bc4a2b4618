/**
 * What a kind of condition is: its shape on the wire, what it refers to, how the database finds and checks it, and
 * whether one contact in hand fulfils it. SQL and evaluator say the same, which a property test holds them to.
 */
import type { Static, TObject, TSchema } from 'typebox'
import { type FieldType } from '../../contacts/schemas.ts'
import type { ContactSnapshot } from '../../contacts/snapshots.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Violation } from '../../platform/errors.ts'

export interface SqlContext {
  tenantId: string
  now: Date
  /** The tags whose names contain a text, by the text as it was given. */
  tagIdsByText: ReadonlyMap<string, readonly string[]>
}

/** A condition on the contact in `c` (contacts) and `a` (contact_activity). */
export interface ConditionSql {
  /**
   * Whether a row in hand fulfils it. Looks into other tables with scalar subqueries that end after their first row:
   * an EXISTS the planner may turn into a hash of all rows there are.
   */
  check: Sql
  /** The predicate of a partial index that lists by createdAt have, when that is all there is to it. */
  indexPredicate?: Sql
  /** Whether `check` looks at nothing but the row of the contact. */
  contactOnly?: boolean
  /** The same for collecting all that match, in the form that finds an index; `check` when left out. */
  collectCheck?: Sql
  /** `select contact_id …` giving exactly those that match, at a cost that grows with their number. */
  ids?: Sql
  /** The same, but may give more than those that match: `ids` when left out and there is no `text`. */
  sets?: readonly Sql[]
  /** A predicate on the contact that the text index answers, and that holds for all that match. */
  text?: Sql
  /** The same, one select per index range in which the ids are in order: for lists by createdAt. */
  orderedIds?: readonly Sql[]
  /** Where it is about the contact's row in `a` and nothing else: such conditions are asked as one. */
  activity?: Sql
  /** Bounds on the contact's id: from inclusive, to exclusive. */
  fromId?: string
  toId?: string
}

export function selectIdsByActivity(tenantId: string, activity: Sql): Sql {
  return sql`select a.contact_id from contact_activity a where a.tenant_id = ${tenantId} and ${activity}`
}

/** A tag or field that must exist. */
export interface Reference {
  kind: 'tag' | 'field'
  id: string
  /** below the condition */
  path: string
  fieldType?: FieldType
}

export interface ConditionType<S extends TSchema = TObject> {
  schema: S
  references?: (condition: Static<S>) => Reference[]
  /** What the schema cannot say. */
  violations?: (condition: Static<S>, path: string) => Violation[]
  sql: (condition: Static<S>, context: SqlContext) => ConditionSql
  matches: (condition: Static<S>, contact: ContactSnapshot, now: Date) => boolean
  /** The condition without something that is being deleted; it can only match fewer. */
  without?: (condition: Static<S>, gone: { kind: 'tag' | 'field'; id: string }) => object
}

/** A kind, its types forgotten, as the table of all kinds holds it. */
export type AnyConditionType = ConditionType & { type: string }

export function conditionType<S extends TObject>(kind: ConditionType<S>): AnyConditionType {
  const type = (kind.schema.properties.type as { const?: string }).const
  if (type === undefined) throw new Error('a condition names its type')
  return { ...kind, type } as unknown as AnyConditionType
}
