/** Text messages: Twilio's REST interface. */
import type { Account, Outgoing, Provider, Sent } from '../../provider.ts'
import { acceptedWithoutId, attempt, CallFailed, clocksDifferMs } from '../call.ts'
import { textIn } from '../graph.ts'
import { messageParameter, readSms, verifySms } from './incoming.ts'
import { accessOf, accountPath, downloadSms, everyItem, rest, restRead } from './rest.ts'

function textOf({ content }: Outgoing): string {
  if (content.type === 'text') return content.text.body
  if (content.type === 'media') return content.media.caption ?? ''
  throw new Error(`${content.type} cannot be sent`)
}

function formOf(account: Account, outgoing: Outgoing): URLSearchParams {
  const body = textOf(outgoing)
  // Our id comes back in the address of every status: evidence that a send whose answer was lost did arrive.
  const query = new URLSearchParams({ [messageParameter]: outgoing.messageId })
  return new URLSearchParams({
    To: outgoing.to,
    From: account.config.phoneNumber ?? '',
    ...(body === '' ? {} : { Body: body }),
    ...(outgoing.media ? { MediaUrl: outgoing.media.url } : {}),
    StatusCallback: `${account.callbackUrl}/status?${query}`,
  })
}

const send = (account: Account, outgoing: Outgoing): Promise<Sent> =>
  attempt(async () => {
    const access = accessOf(account)
    const answer = await rest(access, `${accountPath(access)}/Messages.json`, formOf(account, outgoing))
    const sid = textIn(answer.sid)
    if (sid) return sid
    throw acceptedWithoutId()
  })

const react = async (): Promise<Sent> => ({
  ok: false,
  failure: { kind: 'permanent', code: 'content_unsupported', message: 'sms carries no reactions' },
})

/** The list does not show the address of the callback, so what was sent is known by its ends, its time and its text. */
async function findSent(account: Account, outgoing: Outgoing, since: string): Promise<string[]> {
  const access = accessOf(account)
  const earliest = Date.parse(since) - clocksDifferMs
  const query = new URLSearchParams({
    To: outgoing.to,
    From: account.config.phoneNumber ?? '',
    PageSize: '50',
  })
  const createdAt = (message: { date_created?: unknown }) => Date.parse(String(message.date_created))
  const list = await everyItem(access, `${accountPath(access)}/Messages.json?${query}`, 'messages', items =>
    items.some(one => createdAt(one) < earliest),
  )
  const text = textOf(outgoing)
  return list
    .filter(
      one => createdAt(one) >= earliest && one.body === text && String(one.direction).startsWith('outbound'),
    )
    .map(one => String(one.sid))
    .reverse()
}

/** Parts per second by kind of number; the provider does not tell them, its documents do. */
const rates: Record<string, number> = { 'toll-free': 3, tollfree: 3, 'short-code': 100 }
export const rateOfNumber = (type: unknown): number => rates[String(type)] ?? 1

const numberPath = (account: Account): string =>
  `${accountPath(accessOf(account))}/IncomingPhoneNumbers/${encodeURIComponent(account.externalId)}.json`

async function register(account: Account): Promise<void> {
  const form = new URLSearchParams({
    SmsUrl: `${account.callbackUrl}/inbound`,
    SmsMethod: 'POST',
    StatusCallback: `${account.callbackUrl}/status`,
  })
  await rest(accessOf(account), numberPath(account), form)
}

export const sms: Provider = {
  channel: 'sms',
  send,
  react,
  findSent,
  check: account =>
    restRead(accessOf(account), numberPath(account)).then(
      number => ({ ok: true as const, ratePerSecond: rateOfNumber(number.type) }),
      error => {
        if (error instanceof CallFailed) return { ok: false as const, failure: error.failure }
        throw error
      },
    ),
  register,
  download: (account, reference) => downloadSms(accessOf(account), reference),
  verify: verifySms,
  read: readSms,
}
