/** How the sms provider tells of things: one signed form for each. */
import type { Courier, Item } from '../callbacks/callbacks.ts'
import { twilioSignature } from '../callbacks/signatures.ts'
import { hexOf } from '../identifiers.ts'
import type { Entry } from '../store/ledger.ts'
import { idOf, type World } from '../world.ts'
import { authTokenOf } from './accounts.ts'
import { meaning } from './errors.ts'
import { numberBySid, type SmsNumber } from './numbers.ts'

type Form = Record<string, string>

function doneDate(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(2, 12)
}

function statusForm(world: World, number: SmsNumber, { entry, step }: Item): Form {
  const sid = idOf(world, entry)
  const isOver = step.tells === 'delivered' || step.tells === 'undelivered'
  const { service } = entry.about
  return {
    ApiVersion: '2010-04-01',
    AccountSid: number.account,
    MessageSid: sid,
    SmsSid: sid,
    MessageStatus: step.tells,
    SmsStatus: step.tells,
    From: number.phone,
    To: String(entry.about.to),
    ...(service ? { MessagingServiceSid: String(service) } : {}),
    ...(step.error === undefined ? {} : { ErrorCode: String(step.error), ErrorMessage: meaning(step.error) }),
    ...(isOver ? { RawDlrDoneDate: doneDate(step.at) } : {}),
  }
}

/** Addresses of files are kept without the host, because this sandbox may have another one when it tells of them. */
async function messageForm(world: World, entry: Entry): Promise<Form> {
  const kept = JSON.parse((await world.ledger.find(entry.n))!.payload.toString()) as Form
  const sid = idOf(world, entry)
  const media: Form = kept.MediaUrl0?.startsWith('/') ? { MediaUrl0: world.url + kept.MediaUrl0 } : {}
  return { ...kept, ...media, MessageSid: sid, SmsSid: sid, SmsMessageSid: sid }
}

/** After a refusal a message is also tried at the fallback address, if there is one, in turns. */
function addressOf(number: SmsNumber, { entry, attempt }: Item): string | undefined {
  if (entry.kind === 'sent') return moved(number, entry.about.callback as string | undefined)
  const fallback = number.smsFallbackUrl
  return fallback && attempt % 2 === 1 ? fallback : number.smsUrl || undefined
}

/** The provider would go on calling an address that has moved; ours follows, so that a new port loses nothing. */
function moved(number: SmsNumber, callback: string | undefined): string | undefined {
  if (!callback || !number.smsUrl || !number.formerOrigins) return callback
  const url = new URL(callback)
  return number.formerOrigins.includes(url.origin)
    ? new URL(number.smsUrl).origin + callback.slice(url.origin.length)
    : callback
}

const day = 86_400_000

export function smsCourier(world: () => World): Courier {
  return {
    most: 1,
    givesUpAfterMs: day,
    lane: ({ account, peer }) => `sms/${account}/${peer}`,
    accepted: status => status >= 200 && status < 300,
    async compose([item]) {
      const { entry, attempt, index } = item!
      const number = numberBySid(world(), entry.account)
      const url = number && addressOf(number, item!)
      if (!number || !url) return undefined
      const told =
        entry.kind === 'sent' ? statusForm(world(), number, item!) : await messageForm(world(), entry)
      const failed = entry.kind === 'received' && url === number.smsFallbackUrl && attempt > 0
      const form = failed ? { ...told, ErrorCode: '11200', ErrorUrl: number.smsUrl ?? '' } : told
      return {
        url,
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
          'user-agent': 'TwilioProxy/1.1',
          'x-twilio-signature': twilioSignature(authTokenOf(world(), number), url, form),
          'i-twilio-idempotency-token': hexOf(`${idOf(world(), entry)}/${index}`, 36),
        },
        body: new URLSearchParams(form).toString(),
      }
    },
  }
}
