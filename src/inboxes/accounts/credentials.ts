/** Provider credentials of a workspace: tried before they are stored, stored encrypted, never returned. */
import { recordAudit } from '../../identity/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Write } from '../../platform/http/route.ts'
import { InboxNotFound, ProviderRefused } from '../errors.ts'
import { emitInboxUpdated } from '../events.ts'
import { inboxToApi, issuesResolvedBy, resolveIssues } from '../health.ts'
import { getInbox } from '../inboxes.ts'
import { mapProviderErrors } from '../providers/provider-errors.ts'
import { listSmsNumbers, type SmsNumber } from '../providers/sms/catalogue.ts'
import { type Inbox, PendingCredentialId, type SmsPhoneNumber } from '../schemas.ts'
import { insertPending } from '../store/credentials.ts'
import { findInbox, lockInbox, updateCredential } from '../store/inboxes.ts'
import { buildAccount, encryptToken, inboxChanged, providers } from './accounts.ts'
import { enqueueRegistration } from './webhook-registration.ts'

/** A token that the provider rejects is not stored. If the provider is unavailable, the token is stored and checked later. */
export async function replaceCredentials(
  deps: Deps,
  caller: Caller,
  { id, authToken }: { id: string; authToken: string },
  write: Write,
): Promise<Inbox> {
  const { tenantId } = caller
  const before = await getInbox(deps, tenantId, id)
  if (before.channel === 'webchat')
    invalid(violation('authToken', 'unsupported', 'must not be set: webchat has no provider'))
  const check = await providers[before.channel].checkHealth(buildAccount(deps, before, authToken))
  if (!check.ok && (check.failure.kind === 'auth' || check.failure.kind === 'permanent'))
    fail(ProviderRefused, `the provider responded: ${check.failure.message}`)
  return write(async tx => {
    const inbox = (await lockInbox(tx, tenantId, id)) ?? fail(InboxNotFound)
    await updateCredential(tx, tenantId, id, encryptToken(deps, authToken))
    const resolved = check.ok ? issuesResolvedBy(check, inbox, deps.clock.now()) : []
    await resolveIssues(tx, tenantId, id, resolved)
    await enqueueRegistration(tx, [inbox])
    await recordAudit(tx, caller, 'inbox.credentials_changed', id)
    tx.signal(inboxChanged, id)
    const changed = inboxToApi((await findInbox(tx, tenantId, id))!)
    await emitInboxUpdated(tx, tenantId, changed, ['credentials'])
    return changed
  })
}

const pendingTtlMs = 15 * 60_000

/** Tries the token by listing the account's numbers and stores it for 15 minutes, for one use in `POST /inboxes`. */
export async function storePendingSmsCredential(
  deps: Deps,
  tenantId: string,
  { accountSid, authToken }: { accountSid: string; authToken: string },
  write: Write,
): Promise<{ pendingCredentialId: string; phoneNumbers: SmsPhoneNumber[] }> {
  const access = { baseUrl: deps.channels.sms.baseUrl, accountSid, token: authToken }
  const numbers = await mapProviderErrors(listSmsNumbers(access))
  const pending = {
    id: PendingCredentialId.create(),
    channel: 'sms' as const,
    resourceId: accountSid,
    credential: encryptToken(deps, authToken),
  }
  return write(async tx => {
    const expiresAt = new Date(Date.parse(tx.now) + pendingTtlMs).toISOString()
    await insertPending(tx, tenantId, { ...pending, expiresAt })
    return { pendingCredentialId: pending.id, phoneNumbers: numbers.map(smsNumberToApi) }
  })
}

const smsNumberToApi = ({ type: _type, ...number }: SmsNumber): SmsPhoneNumber => number
