/**
 * Looks up the numbers and accounts of a connect request at the provider, before anything is written. An id that does
 * not exist there or was not granted is a 400 that names its index.
 */
import type { RemoteChannel } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, type Violation, violation } from '../../platform/errors.ts'
import { findNumbers } from '../providers/chatapp/catalogue.ts'
import { parseRate } from '../providers/chatapp/chatapp.ts'
import type { Json } from '../providers/graph.ts'
import { mapProviderErrors } from '../providers/provider-errors.ts'
import { findSmsNumber, listSmsNumbers } from '../providers/sms/catalogue.ts'
import { getNumberRate } from '../providers/sms/sms.ts'
import { findSocialAccount } from '../providers/socialapp/catalogue.ts'
import type { CreateInboxesRequest } from '../schemas.ts'
import { buildWebchatAccount, listOriginViolations } from '../settings/webchat-settings.ts'
import { findPending } from '../store/credentials.ts'
import type { ProviderAccount } from '../store/inboxes.ts'
import { decryptToken, encryptToken, listNotGranted, resolveRate } from './accounts.ts'

type ConnectRequest<C extends RemoteChannel> = NonNullable<CreateInboxesRequest[C]>

export async function findProviderAccounts(
  deps: Deps,
  tenantId: string,
  request: CreateInboxesRequest,
): Promise<ProviderAccount[]> {
  if (request.chatapp) return findChatappAccounts(deps, tenantId, request.chatapp)
  if (request.socialapp) return findSocialappAccounts(deps, tenantId, request.socialapp)
  if (request.webchat) {
    throwIfAny(listOriginViolations(request.webchat.allowedOrigins, 'webchat.allowedOrigins'))
    return [buildWebchatAccount(request.webchat)]
  }
  return findPendingSmsAccounts(deps, tenantId, request.sms!)
}

/** Returns the caller's own token, or the deployment's if all accounts were granted. */
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
      notFound(`${channel}.resourceIds[${resourceIds.indexOf(id)}]`, 'is not granted to this workspace'),
    ),
  )
  return { baseUrl, token: token ?? '' }
}

const notFound = (field: string, message: string): Violation => violation(field, 'not_found', message)

function throwIfAny(violations: Violation[]): void {
  if (violations.length > 0) invalid(...violations)
}

/** A number belongs to the first resource that lists it. */
async function findChatappAccounts(
  deps: Deps,
  tenantId: string,
  request: ConnectRequest<'chatapp'>,
): Promise<ProviderAccount[]> {
  const access = await getAccess(deps, tenantId, 'chatapp', request)
  const found = new Map<string, { wabaId: string; number: Json }>()
  for (const [i, wabaId] of request.resourceIds.entries()) {
    const wanted = request.phoneNumberIds.filter(id => !found.has(id))
    // Queried even when every number was found, to report a resource that does not exist.
    const numbers = await mapProviderErrors(findNumbers(access, wabaId, wanted), `chatapp.resourceIds[${i}]`)
    for (const number of numbers) found.set(String(number.id), { wabaId, number })
  }
  throwIfAny(
    request.phoneNumberIds.flatMap((id, i) =>
      found.has(id)
        ? []
        : [notFound(`chatapp.phoneNumberIds[${i}]`, 'does not belong to any of the resourceIds')],
    ),
  )
  const credential = request.authToken === undefined ? null : encryptToken(deps, request.authToken)
  return request.phoneNumberIds.map(id => toChatappAccount(deps, id, found.get(id)!, credential))
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
  request: ConnectRequest<'socialapp'>,
): Promise<ProviderAccount[]> {
  const access = await getAccess(deps, tenantId, 'socialapp', request)
  const credential = request.authToken === undefined ? null : encryptToken(deps, request.authToken)
  const accounts: ProviderAccount[] = []
  for (const [i, accountId] of request.resourceIds.entries()) {
    const node = await mapProviderErrors(findSocialAccount(access, accountId), `socialapp.resourceIds[${i}]`)
    accounts.push({
      channel: 'socialapp',
      externalId: accountId,
      resourceId: accountId,
      name: node.name,
      config: { accountId, username: node.username },
      rate: resolveRate(deps.channels.socialapp, 'socialapp', undefined),
      credential,
    })
  }
  return accounts
}

async function findPendingSmsAccounts(
  deps: Deps,
  tenantId: string,
  request: ConnectRequest<'sms'>,
): Promise<ProviderAccount[]> {
  const now = deps.clock.now().toISOString()
  const pending = await findPending(deps.db, tenantId, request.pendingCredentialId, now)
  if (!pending)
    invalid(
      notFound(
        'sms.pendingCredentialId',
        'was not found, was used or has expired; list the phone numbers again',
      ),
    )
  return findSmsAccounts(deps, pending.resourceId, pending.credential, request.phoneNumberSids)
}

async function findSmsAccounts(
  deps: Deps,
  accountSid: string,
  credential: Buffer,
  phoneNumberSids: readonly string[],
): Promise<ProviderAccount[]> {
  const access = { baseUrl: deps.channels.sms.baseUrl, accountSid, token: decryptToken(deps, credential) }
  const accounts: ProviderAccount[] = []
  for (const [i, sid] of phoneNumberSids.entries()) {
    const field = `sms.phoneNumberSids[${i}]`
    const number = await mapProviderErrors(findSmsNumber(access, sid), field)
    if (!number.capabilities.sms) invalid(violation(field, 'not_capable', 'does not support text messages'))
    const { phoneNumber, friendlyName } = number
    accounts.push({
      channel: 'sms',
      externalId: sid,
      resourceId: accountSid,
      name: friendlyName ?? phoneNumber,
      config: { phoneNumberSid: sid, accountSid, phoneNumber },
      rate: resolveRate(deps.channels.sms, 'sms', getNumberRate(number.type)),
      credential,
    })
  }
  return accounts
}

const sandboxWaba = '100000000000001'
const sandboxNumber = '100000000000002'
const sandboxSocialAccount = '17841400000000001'
const sandboxSmsAccount = `AC${'0'.repeat(31)}1`
const sandboxToken = 'sandbox'

/** Returns one account of each channel that the sandbox simulates, and a web chat, for the inboxes of a new installation. */
export async function findSandboxAccounts(deps: Deps): Promise<ProviderAccount[]> {
  const { chatapp, socialapp, sms } = deps.channels
  if (!deps.config.sandbox) return []
  const noTenant = ''
  const numbers = { resourceIds: [sandboxWaba], phoneNumberIds: [sandboxNumber] }
  return [
    ...(chatapp.isSandbox ? await findChatappAccounts(deps, noTenant, numbers) : []),
    ...(socialapp.isSandbox
      ? await findSocialappAccounts(deps, noTenant, { resourceIds: [sandboxSocialAccount] })
      : []),
    ...(sms.isSandbox ? await findSandboxSmsAccounts(deps) : []),
    buildWebchatAccount({ name: 'Website', allowedOrigins: listLocalOrigins(deps.config.port) }),
  ]
}

async function findSandboxSmsAccounts(deps: Deps): Promise<ProviderAccount[]> {
  const access = { baseUrl: deps.channels.sms.baseUrl, accountSid: sandboxSmsAccount, token: sandboxToken }
  const number = (await listSmsNumbers(access)).find(({ capabilities }) => capabilities.sms)
  if (!number) return []
  return findSmsAccounts(deps, sandboxSmsAccount, encryptToken(deps, sandboxToken), [number.phoneNumberSid])
}

/** Pages on this machine, such as a site in development; pages of this service are always allowed. */
const developmentPorts = [3000, 4200, 5173, 8000]

const listLocalOrigins = (port: number): string[] =>
  ['localhost', '127.0.0.1'].flatMap(host => [port, ...developmentPorts].map(one => `http://${host}:${one}`))
