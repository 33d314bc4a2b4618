/** Provider credentials of a workspace: kept sealed, tried before they are kept, never shown. */
import { recordAudit } from '../identity/audit.ts'
import type { Deps } from '../platform/deps.ts'
import { fail } from '../platform/errors.ts'
import { emit } from '../platform/events/event.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Write } from '../platform/http/route.ts'
import { buildAccount, encryptToken, inboxChanged, providers } from './accounts.ts'
import { issuesResolvedBy } from './checking.ts'
import { InboxNotFound, ProviderRefused } from './errors.ts'
import { inboxUpdated } from './events.ts'
import { markRecovered } from './health.ts'
import { inboxToApi } from './inbox-view.ts'
import { getInbox } from './inboxes.ts'
import { mapProviderErrors } from './provider-errors.ts'
import { listSmsNumbers, type SmsNumber } from './providers/sms/catalogue.ts'
import { type Inbox, PendingCredentialId, type SmsPhoneNumber } from './schemas.ts'
import { insertPending } from './store/credentials.ts'
import { findInbox, lockInbox, updateCredential } from './store/inboxes.ts'
import { enqueueRegistration } from './webhook-registration.ts'

/** A token that the provider refuses is not kept; one that cannot be tried now is, and is tried again later. */
export async function replaceCredentials(
  deps: Deps,
  caller: Caller,
  { id, authToken }: { id: string; authToken: string },
  write: Write,
): Promise<Inbox> {
  const { tenantId } = caller
  const before = await getInbox(deps, tenantId, id)
  const answer = await providers[before.channel].checkHealth(buildAccount(deps, before, authToken))
  if (!answer.ok && (answer.failure.kind === 'auth' || answer.failure.kind === 'permanent'))
    fail(ProviderRefused, `the provider says: ${answer.failure.message}`)
  return write(async tx => {
    const inbox = (await lockInbox(tx, tenantId, id)) ?? fail(InboxNotFound)
    await updateCredential(tx, tenantId, id, encryptToken(deps, authToken))
    const over = answer.ok ? issuesResolvedBy(answer, inbox.troubles, deps.clock.now()) : []
    await markRecovered(tx, tenantId, id, over)
    await enqueueRegistration(tx, [inbox])
    await recordAudit(tx, tenantId, caller, {
      action: 'inbox.credentials_changed',
      targetType: 'inbox',
      targetId: id,
    })
    tx.signal(inboxChanged, id)
    const shown = inboxToApi((await findInbox(tx, tenantId, id))!)
    await emit(tx, inboxUpdated, { tenantId, data: { inbox: shown } })
    return shown
  })
}

const pendingTtlMs = 15 * 60_000

/** Tries the token by listing the account's numbers, and keeps it for the fifteen minutes in which one is chosen. */
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
