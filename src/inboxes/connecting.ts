/**
 * What a request to connect names, looked up at the provider before anything is written: each number or account with
 * what its inbox will hold. What does not exist there, or was not granted, is a 400 that names its index.
 */
import type { Channel } from '../platform/channels.ts'
import type { Deps } from '../platform/deps.ts'
import { invalid, type Violation, violation } from '../platform/errors.ts'
import { openToken, sealToken } from './accounts.ts'
import { notGranted } from './grants.ts'
import { asking } from './provider-problems.ts'
import { findNumbers } from './providers/chatapp/catalogue.ts'
import { rateIn } from './providers/chatapp/chatapp.ts'
import type { Json } from './providers/graph.ts'
import { findSmsNumber } from './providers/sms/catalogue.ts'
import { rateOfNumber } from './providers/sms/sms.ts'
import { findAccountNode } from './providers/socialapp/catalogue.ts'
import { rateOf } from './rates.ts'
import type { NewInboxes } from './schemas.ts'
import { findPending } from './store/credentials.ts'
import type { NewInboxRow } from './store/inboxes.ts'

type Asked<C extends Channel> = NonNullable<NewInboxes[C]>
export type Found = Pick<
  NewInboxRow,
  'channel' | 'externalId' | 'resourceId' | 'name' | 'config' | 'rate' | 'credential'
>

export async function lookUp(deps: Deps, tenantId: string, asked: NewInboxes): Promise<Found[]> {
  if (asked.chatapp) return lookUpChatapp(deps, tenantId, asked.chatapp)
  if (asked.socialapp) return lookUpSocialapp(deps, tenantId, asked.socialapp)
  return lookUpSms(deps, tenantId, asked.sms!)
}

/** The caller's own token, or the deployment's where it was granted. */
async function accessFor(
  deps: Deps,
  tenantId: string,
  channel: 'chatapp' | 'socialapp',
  { resourceIds, authToken }: { resourceIds: string[]; authToken?: string },
): Promise<{ baseUrl: string; token: string }> {
  const { baseUrl, token } = deps.channels[channel]
  if (authToken !== undefined) return { baseUrl, token: authToken }
  const missing = await notGranted(deps, tenantId, channel, resourceIds)
  refuse(
    missing.map(id =>
      unknown(`${channel}.resourceIds[${resourceIds.indexOf(id)}]`, 'was not granted to this workspace'),
    ),
  )
  return { baseUrl, token: token ?? '' }
}

const unknown = (field: string, message: string): Violation => violation(field, 'not_found', message)

function refuse(violations: Violation[]): void {
  if (violations.length > 0) invalid(...violations)
}

/** A number belongs to the first resource that has it. */
async function lookUpChatapp(deps: Deps, tenantId: string, asked: Asked<'chatapp'>): Promise<Found[]> {
  const access = await accessFor(deps, tenantId, 'chatapp', asked)
  const found = new Map<string, { wabaId: string; number: Json }>()
  for (const [i, wabaId] of asked.resourceIds.entries()) {
    const wanted = asked.phoneNumberIds.filter(id => !found.has(id))
    // Even with nothing left to look for, a resource that does not exist is a mistake worth telling.
    const numbers = await asking(findNumbers(access, wabaId, wanted), `chatapp.resourceIds[${i}]`)
    for (const number of numbers) found.set(String(number.id), { wabaId, number })
  }
  refuse(
    asked.phoneNumberIds.flatMap((id, i) =>
      found.has(id) ? [] : [unknown(`chatapp.phoneNumberIds[${i}]`, 'belongs to none of the resources')],
    ),
  )
  const credential = asked.authToken === undefined ? null : sealToken(deps, asked.authToken)
  return asked.phoneNumberIds.map(id => chatappInbox(deps, id, found.get(id)!, credential))
}

function chatappInbox(
  deps: Deps,
  id: string,
  { wabaId, number }: { wabaId: string; number: Json },
  credential: Buffer | null,
): Found {
  const displayPhoneNumber = String(number.display_phone_number ?? '')
  return {
    channel: 'chatapp',
    externalId: id,
    resourceId: wabaId,
    name: String(number.verified_name || displayPhoneNumber || id),
    config: { phoneNumberId: id, wabaId, displayPhoneNumber },
    rate: rateOf(deps.channels.chatapp, 'chatapp', rateIn(number).ratePerSecond),
    credential,
  }
}

async function lookUpSocialapp(deps: Deps, tenantId: string, asked: Asked<'socialapp'>): Promise<Found[]> {
  const access = await accessFor(deps, tenantId, 'socialapp', asked)
  const credential = asked.authToken === undefined ? null : sealToken(deps, asked.authToken)
  const found: Found[] = []
  for (const [i, accountId] of asked.resourceIds.entries()) {
    const node = await asking(findAccountNode(access, accountId), `socialapp.resourceIds[${i}]`)
    found.push({
      channel: 'socialapp',
      externalId: accountId,
      resourceId: accountId,
      name: node.name,
      config: { accountId, username: node.username },
      rate: rateOf(deps.channels.socialapp, 'socialapp', undefined),
      credential,
    })
  }
  return found
}

async function lookUpSms(deps: Deps, tenantId: string, asked: Asked<'sms'>): Promise<Found[]> {
  const now = deps.clock.now().toISOString()
  const pending = await findPending(deps.db, tenantId, asked.pendingCredentialId, now)
  if (!pending) invalid(unknown('sms.pendingCredentialId', 'is unknown, used or expired'))
  return findSmsInboxes(deps, pending.resourceId, pending.credential, asked.phoneNumberSids)
}

export async function findSmsInboxes(
  deps: Deps,
  accountSid: string,
  credential: Buffer,
  phoneNumberSids: readonly string[],
): Promise<Found[]> {
  const access = { baseUrl: deps.channels.sms.baseUrl, accountSid, token: openToken(deps, credential) }
  const found: Found[] = []
  for (const [i, sid] of phoneNumberSids.entries()) {
    const field = `sms.phoneNumberSids[${i}]`
    const number = await asking(findSmsNumber(access, sid), field)
    if (!number.capabilities.sms) invalid(violation(field, 'not_capable', 'cannot send text messages'))
    const { phoneNumber, friendlyName } = number
    found.push({
      channel: 'sms',
      externalId: sid,
      resourceId: accountSid,
      name: friendlyName ?? phoneNumber,
      config: { phoneNumberSid: sid, accountSid, phoneNumber },
      rate: rateOf(deps.channels.sms, 'sms', rateOfNumber(number.type)),
      credential,
    })
  }
  return found
}
