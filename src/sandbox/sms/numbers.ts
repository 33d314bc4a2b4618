/**
 * The numbers of an sms account. Every account has four of its own, one of them for calls alone; a number sid that was
 * made up becomes a number of the account it is first asked for in.
 */
import type { AccountRef } from '../channels.ts'
import { hexOf } from '../identifiers.ts'
import { inventedNumber } from '../numbers.ts'
import type { World } from '../world.ts'

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

export const refOf = (sid: string): AccountRef => ({ channel: 'sms', account: sid })

const key = (sid: string) => `sms/number/${sid}`

function madeUp(account: string, sid: string, rest: Partial<SmsNumber> = {}): SmsNumber {
  const phone = rest.phone ?? inventedNumber(`sms/${account}/${sid}`)
  return { sid, account, phone, type: 'local', hasSms: true, friendlyName: phone, ...rest }
}

function listed(account: string): SmsNumber[] {
  const sids = [0, 1, 2, 3].map(i => `PN${hexOf(`sms/${account}/${i}`, 32)}`)
  return sids.map((sid, i) => {
    if (i === 2)
      return madeUp(account, sid, { type: 'toll-free', phone: inventedNumber(`sms/${sid}`, '888') })
    return madeUp(account, sid, i === 3 ? { hasSms: false } : {})
  })
}

export function numbersOf(world: World, account: string): SmsNumber[] {
  const kept = [...world.registry.entries<SmsNumber>('sms/number/')]
    .map(([, number]) => number)
    .filter(number => number.account === account)
  const others = kept.filter(number => !listed(account).some(({ sid }) => sid === number.sid))
  return [
    ...listed(account).map(number => world.registry.get<SmsNumber>(key(number.sid)) ?? number),
    ...others,
  ]
}

/** Undefined when the number belongs to another account. */
export async function findNumber(world: World, account: string, sid: string): Promise<SmsNumber | undefined> {
  const kept = world.registry.get<SmsNumber>(key(sid))
  if (kept) return kept.account === account ? kept : undefined
  const number = listed(account).find(one => one.sid === sid) ?? madeUp(account, sid)
  await save(world, number)
  return number
}

export async function save(world: World, number: SmsNumber): Promise<void> {
  await Promise.all([
    world.registry.put(key(number.sid), number),
    world.registry.put(`sms/sid/${number.account}/${number.phone}`, number.sid),
  ])
}

/** The number behind the sender of a message; called for every message, so it remembers what it found. */
export async function senderOf(world: World, account: string, phone: string): Promise<SmsNumber | undefined> {
  const sid = world.registry.get<string>(`sms/sid/${account}/${phone}`)
  if (sid) return world.registry.get<SmsNumber>(key(sid))
  const number = listed(account).find(one => one.phone === phone)
  if (number) await save(world, number)
  return number
}

export const numberBySid = (world: World, sid: string): SmsNumber | undefined =>
  world.registry.get<SmsNumber>(key(sid))
