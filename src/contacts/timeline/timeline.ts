/**
 * The timeline of a contact: what happened to it, from all domains, newest first. Every part lists as many entries as the
 * page can have, and the page is the newest of them. Messages are not listed one by one: entries lead to conversations.
 */

import type { TimelineEntry, TimelinePart } from '../../platform/contributions/timeline-parts.ts'
import type { Queryable } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Page, toCursorList } from '../../platform/http/page.ts'
import { findContact } from '../contacts.ts'

export async function getContactTimeline(
  on: Queryable,
  caller: Caller,
  id: string,
  page: Page,
  parts: readonly TimelinePart[],
) {
  const contactId = await findContact(on, caller, id)
  const request = {
    limit: page.limit + 1,
    after: page.after && ([String(page.after[0]), String(page.after[1])] as const),
  }
  const readable = parts.filter(({ scope }) => scope === undefined || caller.scopes.has(scope))
  const lists = await Promise.all(readable.map(({ list }) => list(on, caller, contactId, request)))
  const found = lists.flat().sort(compareNewestFirst)
  const { rows, next } = page.toPage(found.slice(0, request.limit), ({ at, id: entryId }) => [at, entryId])
  return toCursorList(rows, next)
}

/** Ids and times are ASCII texts of one form: they have the order of the database. */
function compareNewestFirst(one: TimelineEntry, other: TimelineEntry): number {
  const [a, b] = one.at === other.at ? [one.id, other.id] : [one.at, other.at]
  return a < b ? 1 : -1
}
