/** Writing down what is wrong with an inbox and what is over; saying the same twice changes nothing. */
import type { Tx } from '../platform/db/db.ts'
import { emit } from '../platform/events/event.ts'
import { inboxChanged } from './accounts.ts'
import { inboxUpdated } from './events.ts'
import { inboxToApi } from './inbox-view.ts'
import { findInbox, lockInbox, updateHealthIssues } from './store/inboxes.ts'
import type { InboxIssue, InboxIssues } from './troubles.ts'

export interface IssueChange {
  before: InboxIssues
  after: InboxIssues
}

/** Undefined when it was no news, or the inbox is gone. */
export function openIssue(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  trouble: InboxIssue,
): Promise<IssueChange | undefined> {
  return changeIssues(tx, tenantId, inboxId, troubles => ({ [trouble]: tx.now, ...troubles }))
}

export function resolveIssues(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  over: readonly InboxIssue[],
): Promise<IssueChange | undefined> {
  const stays = ([name]: [string, unknown]) => !over.includes(name as InboxIssue)
  return changeIssues(tx, tenantId, inboxId, troubles =>
    Object.fromEntries(Object.entries(troubles).filter(stays)),
  )
}

type Edit = (troubles: InboxIssues) => InboxIssues

function changesIssues(inbox: { troubles: InboxIssues } | undefined, edit: Edit): boolean {
  return (
    inbox !== undefined && Object.keys(edit(inbox.troubles)).length !== Object.keys(inbox.troubles).length
  )
}

async function changeIssues(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  edit: Edit,
): Promise<IssueChange | undefined> {
  // Mostly it is no news, and then nobody waits for the row: every send may ask.
  if (!changesIssues(await findInbox(tx, tenantId, inboxId), edit)) return undefined
  const inbox = await lockInbox(tx, tenantId, inboxId)
  if (!inbox || !changesIssues(inbox, edit)) return undefined
  const before = inbox.troubles
  const after = edit(before)
  const changed = await updateHealthIssues(tx, tenantId, inboxId, after)
  await emit(tx, inboxUpdated, { tenantId, data: { inbox: inboxToApi(changed) } })
  tx.signal(inboxChanged, inboxId)
  return { before, after }
}
