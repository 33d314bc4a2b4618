/**
 * What is wrong with an inbox. Troubles come from sends, callbacks and checks; the shown status follows from them.
 * While there is one, the provider is asked again and again, and what it says is over goes by itself.
 */
import type { Channel } from '../platform/config.ts'
import type { Tx } from '../platform/db/db.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { openIssue, resolveIssues } from './changes.ts'
import { minCheckDelayMs, recheckInbox } from './checking.ts'
import type { AccountEvent } from './provider.ts'
import { findInboxByExternal, type InboxRow, listInboxesOfResource } from './store/inboxes.ts'
import type { InboxIssue } from './troubles.ts'

/** True when this was news. */
export async function markDegraded(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  trouble: InboxIssue,
): Promise<boolean> {
  const change = await openIssue(tx, tenantId, inboxId, trouble)
  // Where something was wrong before, somebody is looking already.
  if (change && Object.keys(change.before).length === 0)
    await enqueue(tx, recheckInbox, {
      tenantId,
      orderingKey: inboxId,
      payload: { inboxId },
      delayMs: minCheckDelayMs,
    })
  return change !== undefined
}

export async function markRecovered(
  tx: Tx,
  tenantId: string,
  inboxId: string,
  over: readonly InboxIssue[],
): Promise<boolean> {
  return (await resolveIssues(tx, tenantId, inboxId, over)) !== undefined
}

/** News of the provider about the account, for every inbox it concerns. */
export async function applyAccountEvent(tx: Tx, channel: Channel, update: AccountEvent): Promise<void> {
  for (const { tenantId, id } of await findAffectedInboxes(tx, channel, update)) {
    if (update.over) await markRecovered(tx, tenantId, id, [update.trouble])
    else await markDegraded(tx, tenantId, id, update.trouble)
  }
}

const digits = (text = ''): string => text.replace(/\D/g, '')

async function findAffectedInboxes(tx: Tx, channel: Channel, update: AccountEvent): Promise<InboxRow[]> {
  const { accountId, resourceId, phoneNumber } = update
  const one = accountId ? await findInboxByExternal(tx, channel, accountId) : undefined
  if (one) return [one]
  if (!resourceId) return []
  const all = await listInboxesOfResource(tx, channel, resourceId)
  return phoneNumber
    ? all.filter(inbox => digits(inbox.config.displayPhoneNumber) === digits(phoneNumber))
    : all
}
