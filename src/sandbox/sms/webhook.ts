/** How the sms provider tells of things: one signed form for each. */
import type { QueuedCallback, WebhookSender } from '../callbacks/queue.ts'
import { signTwilio } from '../callbacks/signatures.ts'
import { getMessageId, type SandboxContext } from '../context.ts'
import { hashHex } from '../identifiers.ts'
import type { Entry } from '../store/ledger.ts'
import { getAuthToken } from './accounts.ts'
import { getErrorText } from './errors.ts'
import { findNumberBySid, type SmsNumber } from './numbers.ts'

type Form = Record<string, string>

function toDoneDate(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(2, 12)
}

function buildStatusForm(world: SandboxContext, number: SmsNumber, { entry, step }: QueuedCallback): Form {
  const sid = getMessageId(world, entry)
  const isOver = step.tells === 'delivered' || step.tells === 'undelivered'
  const { service } = entry.metadata
  return {
    ApiVersion: '2010-04-01',
    AccountSid: number.account,
    MessageSid: sid,
    SmsSid: sid,
    MessageStatus: step.tells,
    SmsStatus: step.tells,
    From: number.phone,
    To: String(entry.metadata.to),
    ...(service ? { MessagingServiceSid: String(service) } : {}),
    ...(step.errorCode === undefined
      ? {}
      : { ErrorCode: String(step.errorCode), ErrorMessage: getErrorText(step.errorCode) }),
    ...(isOver ? { RawDlrDoneDate: toDoneDate(step.at) } : {}),
  }
}

/** Addresses of files are kept without the host, because this sandbox may have another one when it tells of them. */
async function buildMessageForm(world: SandboxContext, entry: Entry): Promise<Form> {
  const kept = JSON.parse((await world.ledger.find(entry.n))!.payload.toString()) as Form
  const sid = getMessageId(world, entry)
  const media: Form = kept.MediaUrl0?.startsWith('/') ? { MediaUrl0: world.url + kept.MediaUrl0 } : {}
  return { ...kept, ...media, MessageSid: sid, SmsSid: sid, SmsMessageSid: sid }
}

/** After a refusal a message is also tried at the fallback address, if there is one, in turns. */
function getCallbackUrl(number: SmsNumber, { entry, attempt }: QueuedCallback): string | undefined {
  if (entry.kind === 'sent') return rewriteMovedUrl(number, entry.metadata.callback as string | undefined)
  const fallback = number.smsFallbackUrl
  return fallback && attempt % 2 === 1 ? fallback : number.smsUrl || undefined
}

/** The provider would go on calling an address that has moved; ours follows, so that a new port loses nothing. */
function rewriteMovedUrl(number: SmsNumber, callback: string | undefined): string | undefined {
  if (!callback || !number.smsUrl || !number.formerOrigins) return callback
  const url = new URL(callback)
  return number.formerOrigins.includes(url.origin)
    ? new URL(number.smsUrl).origin + callback.slice(url.origin.length)
    : callback
}

const day = 86_400_000

export function smsSender(world: () => SandboxContext): WebhookSender {
  return {
    maxBatchSize: 1,
    retryForMs: day,
    orderingKey: ({ account, customer: peer }) => `sms/${account}/${peer}`,
    isAccepted: status => status >= 200 && status < 300,
    async buildRequest([item]) {
      const { entry, attempt, index } = item!
      const number = findNumberBySid(world(), entry.account)
      const url = number && getCallbackUrl(number, item!)
      if (!number || !url) return undefined
      const told =
        entry.kind === 'sent'
          ? buildStatusForm(world(), number, item!)
          : await buildMessageForm(world(), entry)
      const failed = entry.kind === 'received' && url === number.smsFallbackUrl && attempt > 0
      const form = failed ? { ...told, ErrorCode: '11200', ErrorUrl: number.smsUrl ?? '' } : told
      return {
        url,
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
          'user-agent': 'TwilioProxy/1.1',
          'x-twilio-signature': signTwilio(getAuthToken(world(), number), url, form),
          'i-twilio-idempotency-token': hashHex(`${getMessageId(world(), entry)}/${index}`, 36),
        },
        body: new URLSearchParams(form).toString(),
      }
    },
  }
}
