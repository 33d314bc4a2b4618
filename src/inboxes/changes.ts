/** Writing down what is wrong with an inbox and what is over; saying the same twice changes nothing. */
import type { Tx } from '../platform/db/db.ts'
import { emit } from '../platform/events/event.ts'
import { inboxChanged } from './accounts.ts'
import { inboxUpdated } from './events.ts'
import { shownInbox } from './shown.ts'
import { findInbox, lockInbox, updateTroubles } from './store/inboxes.ts'
import type { Trouble, Troubles } from './troubles.ts'

export interface Change {
  before: Troubles
  after: Troubles
}

/** Undefined when it was no news, or the inbox is gone. */
export function addTrouble(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  trouble: Trouble,
): Promise<Change | undefined> {
  return change(tx, tenantId, inboxId, troubles => ({ [trouble]: tx.now, ...troubles }))
}

export function dropTroubles(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  over: readonly Trouble[],
): Promise<Change | undefined> {
  const stays = ([name]: [string, unknown]) => !over.includes(name as Trouble)
  return change(tx, tenantId, inboxId, troubles => Object.fromEntries(Object.entries(troubles).filter(stays)))
}

type Edit = (troubles: Troubles) => Troubles

function isNews(inbox: { troubles: Troubles } | undefined, edit: Edit): boolean {
  return (
    inbox !== undefined && Object.keys(edit(inbox.troubles)).length !== Object.keys(inbox.troubles).length
  )
}

async function change(tx: Tx, tenantId: string, inboxId: string, edit: Edit): Promise<Change | undefined> {
  // Mostly it is no news, and then nobody waits for the row: every send may ask.
  if (!isNews(await findInbox(tx, tenantId, inboxId), edit)) return undefined
  const inbox = await lockInbox(tx, tenantId, inboxId)
  if (!inbox || !isNews(inbox, edit)) return undefined
  const before = inbox.troubles
  const after = edit(before)
  const changed = await updateTroubles(tx, tenantId, inboxId, after)
  await emit(tx, inboxUpdated, { tenantId, data: { inbox: shownInbox(changed) } })
  tx.signal(inboxChanged, inboxId)
  return { before, after }
}
