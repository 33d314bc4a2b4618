/**
 * Messages that open their conversation: the first to somebody, or the first after its session ended. Like all others
 * they go in batches, so that many first messages at once cost a handful of statements, not a handful each.
 */
import type { InboxRow } from '../inboxes/inboxes.ts'
import { batched } from '../platform/db/batched.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { type Counterpart, openConversations } from './open-conversations.ts'
import { type AcceptedMessage, acceptMany, type Draft } from './outbound/accept-message.ts'

export interface FirstMessage {
  counterpart: Counterpart
  inbox: InboxRow
  draft: Draft
}

/** Undefined when its clientMessageId is there already. */
export async function acceptFirst(tx: Tx, beginning: FirstMessage): Promise<AcceptedMessage | undefined> {
  const [accepted] = await acceptFirstOnInbox(tx, beginning.inbox, [beginning])
  return accepted
}

async function acceptFirstOnInbox(
  tx: Tx,
  inbox: InboxRow,
  beginnings: readonly FirstMessage[],
): Promise<(AcceptedMessage | undefined)[]> {
  const people = beginnings.map(one => one.counterpart)
  const conversations = await openConversations(tx, inbox.tenantId, people, inbox)
  const items = beginnings.map(({ counterpart: person, draft }) => ({
    conversation: conversations.get(person.externalId)!,
    draft,
  }))
  return acceptMany(tx, inbox.tenantId, items)
}

export const acceptFirstBatched = batched<FirstMessage, AcceptedMessage | undefined>(
  { batchSize: 32, concurrency: 2 },
  (db, batch) =>
    transact(db, async tx => {
      const answers = new Map<FirstMessage, AcceptedMessage | undefined>()
      // In one order, so that two batches do not wait for each other.
      const ids = [...new Set(batch.map(({ inbox }) => inbox.id))].sort()
      for (const id of ids) {
        const some = batch.filter(({ inbox }) => inbox.id === id)
        const accepted = await acceptFirstOnInbox(tx, some[0]!.inbox, some)
        some.forEach((one, i) => {
          answers.set(one, accepted[i])
        })
      }
      return batch.map(one => answers.get(one))
    }),
)
