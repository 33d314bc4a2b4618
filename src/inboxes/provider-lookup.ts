/**
 * What a request to connect names, looked up at the provider before anything is written: each number or account with
 * what its inbox will hold. What does not exist there, or was not granted, is a 400 that names its index.
 */
import type { Channel } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { invalid, type Violation, violation } from '../platform/errors.ts'
import { decryptToken, encryptToken } from './accounts.ts'
import { listNotGranted } from './grants.ts'
import { mapProviderErrors } from './provider-errors.ts'
import { findNumbers } from './providers/chatapp/catalogue.ts'
import { parseRate } from './providers/chatapp/chatapp.ts'
import type { Json } from './providers/graph.ts'
import { findSmsNumber } from './providers/sms/catalogue.ts'
import { getNumberRate } from './providers/sms/sms.ts'
import { findSocialAccount } from './providers/socialapp/catalogue.ts'
import { resolveRate } from './rates.ts'
import type { CreateInboxesRequest } from './schemas.ts'
import { findPending } from './store/credentials.ts'
import type { NewInboxRow } from './store/inboxes.ts'

type ConnectRequest<C extends Channel> = NonNullable<CreateInboxesRequest[C]>
export type ProviderAccount = Pick<
  NewInboxRow,
  'channel' | 'externalId' | 'resourceId' | 'name' | 'config' | 'rate' | 'credential'
>

export async function findProviderAccounts(
  deps: Deps,
  tenantId: string,
  asked: CreateInboxesRequest,
): Promise<ProviderAccount[]> {
  if (asked.chatapp) return findChatappAccounts(deps, tenantId, asked.chatapp)
  if (asked.socialapp) return findSocialappAccounts(deps, tenantId, asked.socialapp)
  return findPendingSmsAccounts(deps, tenantId, asked.sms!)
}

/** The caller's own token, or the deployment's where it was granted. */
async function getAccess(
  deps: Deps,
  tenantId: string,
  channel: 'chatapp' | 'socialapp',
  { resourceIds, authToken }: { resourceIds: string[]; authToken?: string },
): Promise<{ baseUrl: string; token: string }> {
  const { baseUrl, token } = deps.channels[channel]
  if (authToken !== undefined) return { baseUrl, token: authToken }
  const missing = await listNotGranted(deps, tenantId, channel, resourceIds)
  throwIfAny(
    missing.map(id =>
      notFound(`${channel}.resourceIds[${resourceIds.indexOf(id)}]`, 'was not granted to this workspace'),
    ),
  )
  return { baseUrl, token: token ?? '' }
}

const notFound = (field: string, message: string): Violation => violation(field, 'not_found', message)

function throwIfAny(violations: Violation[]): void {
  if (violations.length > 0) invalid(...violations)
}

/** A number belongs to the first resource that has it. */
async function findChatappAccounts(
  deps: Deps,
  tenantId: string,
  asked: ConnectRequest<'chatapp'>,
): Promise<ProviderAccount[]> {
  const access = await getAccess(deps, tenantId, 'chatapp', asked)
  const found = new Map<string, { wabaId: string; number: Json }>()
  for (const [i, wabaId] of asked.resourceIds.entries()) {
    const wanted = asked.phoneNumberIds.filter(id => !found.has(id))
    // Even with nothing left to look for, a resource that does not exist is a mistake worth telling.
    const numbers = await mapProviderErrors(findNumbers(access, wabaId, wanted), `chatapp.resourceIds[${i}]`)
    for (const number of numbers) found.set(String(number.id), { wabaId, number })
  }
  throwIfAny(
    asked.phoneNumberIds.flatMap((id, i) =>
      found.has(id) ? [] : [notFound(`chatapp.phoneNumberIds[${i}]`, 'belongs to none of the resources')],
    ),
  )
  const credential = asked.authToken === undefined ? null : encryptToken(deps, asked.authToken)
  return asked.phoneNumberIds.map(id => toChatappAccount(deps, id, found.get(id)!, credential))
}

function toChatappAccount(
  deps: Deps,
  id: string,
  { wabaId, number }: { wabaId: string; number: Json },
  credential: Buffer | null,
): ProviderAccount {
  const displayPhoneNumber = String(number.display_phone_number ?? '')
  return {
    channel: 'chatapp',
    externalId: id,
    resourceId: wabaId,
    name: String(number.verified_name || displayPhoneNumber || id),
    config: { phoneNumberId: id, wabaId, displayPhoneNumber },
    rate: resolveRate(deps.channels.chatapp, 'chatapp', parseRate(number).ratePerSecond),
    credential,
  }
}

async function findSocialappAccounts(
  deps: Deps,
  tenantId: string,
  asked: ConnectRequest<'socialapp'>,
): Promise<ProviderAccount[]> {
  const access = await getAccess(deps, tenantId, 'socialapp', asked)
  const credential = asked.authToken === undefined ? null : encryptToken(deps, asked.authToken)
  const found: ProviderAccount[] = []
  for (const [i, accountId] of asked.resourceIds.entries()) {
    const node = await mapProviderErrors(findSocialAccount(access, accountId), `socialapp.resourceIds[${i}]`)
    found.push({
      channel: 'socialapp',
      externalId: accountId,
      resourceId: accountId,
      name: node.name,
      config: { accountId, username: node.username },
      rate: resolveRate(deps.channels.socialapp, 'socialapp', undefined),
      credential,
    })
  }
  return found
}

async function findPendingSmsAccounts(
  deps: Deps,
  tenantId: string,
  asked: ConnectRequest<'sms'>,
): Promise<ProviderAccount[]> {
  const now = deps.clock.now().toISOString()
  const pending = await findPending(deps.db, tenantId, asked.pendingCredentialId, now)
  if (!pending) invalid(notFound('sms.pendingCredentialId', 'is unknown, used or expired'))
  return findSmsAccounts(deps, pending.resourceId, pending.credential, asked.phoneNumberSids)
}

export async function findSmsAccounts(
  deps: Deps,
  accountSid: string,
  credential: Buffer,
  phoneNumberSids: readonly string[],
): Promise<ProviderAccount[]> {
  const access = { baseUrl: deps.channels.sms.baseUrl, accountSid, token: decryptToken(deps, credential) }
  const found: ProviderAccount[] = []
  for (const [i, sid] of phoneNumberSids.entries()) {
    const field = `sms.phoneNumberSids[${i}]`
    const number = await mapProviderErrors(findSmsNumber(access, sid), field)
    if (!number.capabilities.sms) invalid(violation(field, 'not_capable', 'cannot send text messages'))
    const { phoneNumber, friendlyName } = number
    found.push({
      channel: 'sms',
      externalId: sid,
      resourceId: accountSid,
      name: friendlyName ?? phoneNumber,
      config: { phoneNumberSid: sid, accountSid, phoneNumber },
      rate: resolveRate(deps.channels.sms, 'sms', getNumberRate(number.type)),
      credential,
    })
  }
  return found
}
