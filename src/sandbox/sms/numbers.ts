/**
 * Phone numbers of sms accounts. Each account has four default numbers, one of them without messaging; an unknown number
 * sid is assigned to the first account that requests it.
 */

import type { SandboxContext } from '../context.ts'
import type { AccountRef } from '../identifiers.ts'
import { fictionalNumber, hashHex } from '../identifiers.ts'

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
  /** last used auth token; signs callbacks */
  authToken?: string
  /** origins of earlier callback URLs */
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

export function listNumbers(context: SandboxContext, account: string): SmsNumber[] {
  const stored = [...context.registry.entries<SmsNumber>('sms/number/')]
    .map(([, number]) => number)
    .filter(number => number.account === account)
  const others = stored.filter(number => !getDefaultNumbers(account).some(({ sid }) => sid === number.sid))
  return [
    ...getDefaultNumbers(account).map(
      number => context.registry.get<SmsNumber>(toNumberKey(number.sid)) ?? number,
    ),
    ...others,
  ]
}

/** Returns undefined if the number belongs to another account. */
export async function findOrCreateNumber(
  context: SandboxContext,
  account: string,
  sid: string,
): Promise<SmsNumber | undefined> {
  const stored = context.registry.get<SmsNumber>(toNumberKey(sid))
  if (stored) return stored.account === account ? stored : undefined
  const number = getDefaultNumbers(account).find(number => number.sid === sid) ?? buildNumber(account, sid)
  await saveNumber(context, number)
  return number
}

export async function saveNumber(context: SandboxContext, number: SmsNumber): Promise<void> {
  await Promise.all([
    context.registry.put(toNumberKey(number.sid), number),
    context.registry.put(`sms/sid/${number.account}/${number.phone}`, number.sid),
  ])
}

/** Returns the number of a sender. Runs for every message, so the result is stored. */
export async function findSender(
  context: SandboxContext,
  account: string,
  phone: string,
): Promise<SmsNumber | undefined> {
  const sid = context.registry.get<string>(`sms/sid/${account}/${phone}`)
  if (sid) return context.registry.get<SmsNumber>(toNumberKey(sid))
  const number = getDefaultNumbers(account).find(candidate => candidate.phone === phone)
  if (number) await saveNumber(context, number)
  return number
}

export const findNumberBySid = (context: SandboxContext, sid: string): SmsNumber | undefined =>
  context.registry.get<SmsNumber>(toNumberKey(sid))
