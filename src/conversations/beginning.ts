/**
 * Messages that open their conversation: the first to somebody, or the first after its session ended. Like all others
 * they go in batches, so that many first messages at once cost a handful of statements, not a handful each.
 */
import type { InboxRow } from '../inboxes/inboxes.ts'
import { batching } from '../platform/db/batching.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { type Acceptance, acceptMany, type Draft } from './accept.ts'
import { openConversations, type Person } from './opening.ts'

export interface Beginning {
  person: Person
  inbox: InboxRow
  draft: Draft
}

/** Undefined when its clientMessageId is there already. */
export async function begin(tx: Tx, beginning: Beginning): Promise<Acceptance | undefined> {
  const [accepted] = await beginOn(tx, beginning.inbox, [beginning])
  return accepted
}

async function beginOn(
  tx: Tx,
  inbox: InboxRow,
  beginnings: readonly Beginning[],
): Promise<(Acceptance | undefined)[]> {
  const people = beginnings.map(one => one.person)
  const conversations = await openConversations(tx, inbox.tenantId, people, inbox)
  const items = beginnings.map(({ person, draft }) => ({
    conversation: conversations.get(person.externalId)!,
    draft,
  }))
  return acceptMany(tx, inbox.tenantId, items)
}

export const beginSoon = batching<Beginning, Acceptance | undefined>({ most: 32, atOnce: 2 }, (db, batch) =>
  transact(db, async tx => {
    const answers = new Map<Beginning, Acceptance | undefined>()
    // In one order, so that two batches do not wait for each other.
    const ids = [...new Set(batch.map(({ inbox }) => inbox.id))].sort()
    for (const id of ids) {
      const some = batch.filter(({ inbox }) => inbox.id === id)
      const accepted = await beginOn(tx, some[0]!.inbox, some)
      some.forEach((one, i) => {
        answers.set(one, accepted[i])
      })
    }
    return batch.map(one => answers.get(one))
  }),
)
