/**
 * The numbers of an sms account. Every account has four of its own, one of them for calls alone; a number sid that was
 * made up becomes a number of the account it is first asked for in.
 */
import type { AccountRef } from '../channels.ts'
import type { SandboxContext } from '../context.ts'
import { hashHex } from '../identifiers.ts'
import { fictionalNumber } from '../numbers.ts'

/** What the registry keeps of a number; a missing address is an empty one. */
export interface SmsNumber {
  sid: string
  account: string
  phone: string
  type: 'local' | 'toll-free'
  hasSms: boolean
  friendlyName: string
  smsUrl?: string
  smsFallbackUrl?: string
  statusCallback?: string
  /** the one it was last used with; callbacks are signed with it */
  authToken?: string
  /** where its addresses stood before they moved */
  formerOrigins?: string[]
}

export const toAccountRef = (sid: string): AccountRef => ({ channel: 'sms', account: sid })

const toNumberKey = (sid: string) => `sms/number/${sid}`

function buildNumber(account: string, sid: string, rest: Partial<SmsNumber> = {}): SmsNumber {
  const phone = rest.phone ?? fictionalNumber(`sms/${account}/${sid}`)
  return { sid, account, phone, type: 'local', hasSms: true, friendlyName: phone, ...rest }
}

function getDefaultNumbers(account: string): SmsNumber[] {
  const sids = [0, 1, 2, 3].map(i => `PN${hashHex(`sms/${account}/${i}`, 32)}`)
  return sids.map((sid, i) => {
    if (i === 2)
      return buildNumber(account, sid, { type: 'toll-free', phone: fictionalNumber(`sms/${sid}`, '888') })
    return buildNumber(account, sid, i === 3 ? { hasSms: false } : {})
  })
}

export function listNumbers(world: SandboxContext, account: string): SmsNumber[] {
  const kept = [...world.registry.entries<SmsNumber>('sms/number/')]
    .map(([, number]) => number)
    .filter(number => number.account === account)
  const others = kept.filter(number => !getDefaultNumbers(account).some(({ sid }) => sid === number.sid))
  return [
    ...getDefaultNumbers(account).map(
      number => world.registry.get<SmsNumber>(toNumberKey(number.sid)) ?? number,
    ),
    ...others,
  ]
}

/** Undefined when the number belongs to another account. */
export async function findOrCreateNumber(
  world: SandboxContext,
  account: string,
  sid: string,
): Promise<SmsNumber | undefined> {
  const kept = world.registry.get<SmsNumber>(toNumberKey(sid))
  if (kept) return kept.account === account ? kept : undefined
  const number = getDefaultNumbers(account).find(one => one.sid === sid) ?? buildNumber(account, sid)
  await saveNumber(world, number)
  return number
}

export async function saveNumber(world: SandboxContext, number: SmsNumber): Promise<void> {
  await Promise.all([
    world.registry.put(toNumberKey(number.sid), number),
    world.registry.put(`sms/sid/${number.account}/${number.phone}`, number.sid),
  ])
}

/** The number behind the sender of a message; called for every message, so it remembers what it found. */
export async function findSender(
  world: SandboxContext,
  account: string,
  phone: string,
): Promise<SmsNumber | undefined> {
  const sid = world.registry.get<string>(`sms/sid/${account}/${phone}`)
  if (sid) return world.registry.get<SmsNumber>(toNumberKey(sid))
  const number = getDefaultNumbers(account).find(one => one.phone === phone)
  if (number) await saveNumber(world, number)
  return number
}

export const findNumberBySid = (world: SandboxContext, sid: string): SmsNumber | undefined =>
  world.registry.get<SmsNumber>(toNumberKey(sid))
