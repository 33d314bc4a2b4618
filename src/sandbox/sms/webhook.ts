/** Builds signed sms callbacks, one form per call. */
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

function buildStatusForm(context: SandboxContext, number: SmsNumber, { entry, step }: QueuedCallback): Form {
  const sid = getMessageId(context, entry)
  const isOver = step.type === 'delivered' || step.type === 'undelivered'
  const { service } = entry.metadata
  return {
    ApiVersion: '2010-04-01',
    AccountSid: number.account,
    MessageSid: sid,
    SmsSid: sid,
    MessageStatus: step.type,
    SmsStatus: step.type,
    From: number.phone,
    To: String(entry.metadata.to),
    ...(service ? { MessagingServiceSid: String(service) } : {}),
    ...(step.errorCode === undefined
      ? {}
      : { ErrorCode: String(step.errorCode), ErrorMessage: getErrorText(step.errorCode) }),
    ...(isOver ? { RawDlrDoneDate: toDoneDate(step.at) } : {}),
  }
}

/** File URLs are stored without the host, because the sandbox may restart at another URL. */
async function buildMessageForm(context: SandboxContext, entry: Entry): Promise<Form> {
  const stored = JSON.parse((await context.ledger.find(entry.position))!.payload.toString()) as Form
  const sid = getMessageId(context, entry)
  const media: Form = stored.MediaUrl0?.startsWith('/') ? { MediaUrl0: context.url + stored.MediaUrl0 } : {}
  return { ...stored, ...media, MessageSid: sid, SmsSid: sid, SmsMessageSid: sid }
}

/** Returns the URL to call. Inbound messages alternate with the fallback URL after a failure. */
function getCallbackUrl(number: SmsNumber, { entry, attempt }: QueuedCallback): string | undefined {
  if (entry.kind === 'sent') return rewriteMovedUrl(number, entry.metadata.callback as string | undefined)
  const fallback = number.smsFallbackUrl
  return fallback && attempt % 2 === 1 ? fallback : number.smsUrl || undefined
}

/** Moves the status callback to the number's current origin, unlike the real provider, so that a new port loses nothing. */
function rewriteMovedUrl(number: SmsNumber, callback: string | undefined): string | undefined {
  if (!callback || !number.smsUrl || !number.formerOrigins) return callback
  const url = new URL(callback)
  return number.formerOrigins.includes(url.origin)
    ? new URL(number.smsUrl).origin + callback.slice(url.origin.length)
    : callback
}

const day = 86_400_000

export function smsSender(context: () => SandboxContext): WebhookSender {
  return {
    maxBatchSize: 1,
    retryForMs: day,
    orderingKey: ({ account, customer }) => `sms/${account}/${customer}`,
    isAccepted: status => status >= 200 && status < 300,
    async buildRequest([item]) {
      const { entry, attempt, index } = item!
      const number = findNumberBySid(context(), entry.account)
      const url = number && getCallbackUrl(number, item!)
      if (!number || !url) return undefined
      const update =
        entry.kind === 'sent'
          ? buildStatusForm(context(), number, item!)
          : await buildMessageForm(context(), entry)
      const failed = entry.kind === 'received' && url === number.smsFallbackUrl && attempt > 0
      const form = failed ? { ...update, ErrorCode: '11200', ErrorUrl: number.smsUrl ?? '' } : update
      return {
        url,
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
          'user-agent': 'TwilioProxy/1.1',
          'x-twilio-signature': signTwilio(getAuthToken(context(), number), url, form),
          'i-twilio-idempotency-token': hashHex(`${getMessageId(context(), entry)}/${index}`, 36),
        },
        body: new URLSearchParams(form).toString(),
      }
    },
  }
}
