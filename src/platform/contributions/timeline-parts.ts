/**
 * Parts of the timeline of a contact. Each domain contributes what it stores about a contact; the contacts domain merges
 * them without importing the others.
 */
import Type, { type TObject, type TProperties } from 'typebox'
import type { Queryable } from '../db/db.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import type { Caller, Scope } from '../http/caller.ts'
import { AnyId, object, Timestamp } from '../http/schemas.ts'

export interface TimelineEntry {
  type: string
  /** Unique among all entries of the contact. */
  id: string
  at: string
  [member: string]: unknown
}

export interface TimelinePart {
  /** The subject of the entries, for the description of the scope. */
  name: string
  /** The part is left out for callers without this scope; undefined: the scope to read the contact is enough. */
  scope?: Scope
  /** One schema for each type of entry. */
  schemas: readonly TObject[]
  /** Lists up to `limit` entries that the caller may see, newest first, at a cost that the limit bounds. */
  list: (
    on: Queryable,
    caller: Caller,
    contactId: string,
    page: TimelinePage,
  ) => Promise<readonly TimelineEntry[]>
}

export interface TimelinePage {
  limit: number
  /** The entry after which the page begins: its time and id. */
  after: readonly [at: string, id: string] | undefined
}

export function timelineEntry<P extends TProperties>(type: string, members: P): TObject {
  return object({ type: Type.Literal(type), id: AnyId, at: Timestamp, ...members })
}

/** Builds the condition that an entry comes after the place where the page begins. */
export function isAfterPlace({ after }: TimelinePage, at: string, id: string): Sql {
  return after ? sql`(${raw(at)}, ${raw(id)}) < (${after[0]}::timestamptz, ${after[1]})` : raw('true')
}
