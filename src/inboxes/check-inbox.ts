/** Checks an inbox on request and describes its health, as far as the inbox itself records it. */
import type { Deps } from '../platform/deps.ts'
import { fail } from '../platform/errors.ts'
import type { Write } from '../platform/http/route.ts'
import { buildRegistration, getAccount, providers } from './accounts/accounts.ts'
import { InboxNotFound } from './errors.ts'
import { inboxToApi, issueFor, markDegraded, recordHealthCheck, toStatus } from './health.ts'
import { getInbox } from './inboxes.ts'
import { findHealthRow } from './store/inboxes.ts'

/** Queries the provider now. A failure opens the issue that it indicates, a success resolves issues. */
export async function checkInbox(deps: Deps, tenantId: string, id: string, write: Write) {
  const inbox = await getInbox(deps, tenantId, id)
  const account = await getAccount(deps, tenantId, id)
  const provider = providers[inbox.channel]
  const check = await provider.checkHealth(account)
  const callbacks = check.ok ? await provider.checkWebhook(account).catch(() => null) : null
  const issue = check.ok ? undefined : issueFor(check.failure)
  return write(async tx => {
    if (issue) await markDegraded(tx, tenantId, id, issue)
    await recordHealthCheck(deps, tx, inbox, check)
    return {
      inbox: inboxToApi(await getInbox({ db: tx }, tenantId, id)),
      ok: check.ok,
      failure: check.ok ? null : { code: check.failure.code, message: check.failure.message },
      callbacks,
    }
  })
}

export async function getInboxHealth(
  deps: Pick<Deps, 'db' | 'config' | 'channels'>,
  tenantId: string,
  id: string,
) {
  const row = (await findHealthRow(deps.db, tenantId, id)) ?? fail(InboxNotFound)
  return {
    status: toStatus(row.healthIssues),
    issues: Object.entries(row.healthIssues).map(([issue, since]) => ({ issue, since })),
    checkedAt: row.checkedAt,
    lastCallbackAt: row.lastCallbackAt,
    isRegistered: row.channel === 'webchat' || row.registration === buildRegistration(deps, row),
    ratePerSecond: row.rate,
  }
}
