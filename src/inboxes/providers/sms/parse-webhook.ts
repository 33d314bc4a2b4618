/** Verifies and parses sms webhooks: one signed form per event. */
import { createHash, createHmac } from 'node:crypto'
import { isSameSecret } from '../../../platform/encryption/keys.ts'
import type { InboundMessage, ProviderEvent, StatusEvent, WebhookRequest } from '../provider.ts'
import { toFailure } from './errors.ts'

/** Returns the URL with and without the default port: the provider may sign either. */
function listUrlVariants(url: string): string[] {
  const match = /^(https?):\/\/([^/?#]+)(.*)$/s.exec(url)
  if (!match) return [url]
  const [, scheme, host = '', rest] = match
  const usual = scheme === 'https' ? ':443' : ':80'
  const hasPort = /:\d+$/.test(host)
  if (!hasPort) return [url, `${scheme}://${host}${usual}${rest}`]
  return host.endsWith(usual) ? [url, `${scheme}://${host.slice(0, -usual.length)}${rest}`] : [url]
}

/** Sorted names, each followed by its sorted distinct values. */
function buildSignedText(url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort()
  return (
    url +
    names
      .map(name =>
        [...new Set(form.getAll(name))]
          .sort()
          .map(value => name + value)
          .join(''),
      )
      .join('')
  )
}

function matchesSignature(given: string, secret: string, text: string): boolean {
  return isSameSecret(given, createHmac('sha1', secret).update(text, 'utf8').digest('base64'))
}

/** Checks the body against the hash in the query; undefined for a form, which has no hash. */
function matchesBodyHash(webhook: WebhookRequest): boolean | undefined {
  const hash = URL.canParse(webhook.url) ? new URL(webhook.url).searchParams.get('bodySHA256') : null
  if (hash === null) return undefined
  return createHash('sha256').update(webhook.body).digest('hex') === hash.toLowerCase()
}

export function verifySms(webhook: WebhookRequest, secrets: readonly string[]): boolean {
  const given = webhook.headers['x-twilio-signature'] ?? ''
  const fits = matchesBodyHash(webhook)
  if (fits === false) return false
  const form = fits ? new URLSearchParams() : new URLSearchParams(webhook.body.toString('utf8'))
  return secrets.some(
    secret =>
      secret !== '' &&
      listUrlVariants(webhook.url).some(url => matchesSignature(given, secret, buildSignedText(url, form))),
  )
}

const statuses: Record<string, StatusEvent['status']> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}

/** Query parameter of the callback URLs that names the workspace. */
export const workspaceParameter = 'workspace'

/** Query parameter of the status URL that contains our message id. */
export const messageParameter = 'message'

export function parseSmsWebhook(webhook: WebhookRequest): ProviderEvent[] {
  const form = new URLSearchParams(webhook.body.toString('utf8'))
  const sid = form.get('MessageSid') ?? form.get('SmsSid')
  if (!sid) return []
  const status = form.get('MessageStatus') ?? form.get('SmsStatus') ?? ''
  return status === 'received' || status === 'receiving'
    ? parseMessages(webhook, form, sid)
    : parseStatus(webhook, form, sid, status)
}

function parseStatus(
  webhook: WebhookRequest,
  form: URLSearchParams,
  sid: string,
  reported: string,
): ProviderEvent[] {
  const status = statuses[reported]
  if (!status) return []
  const url = URL.canParse(webhook.url) ? new URL(webhook.url) : undefined
  const messageId = url?.searchParams.get(messageParameter)
  const recipient = form.get('To')
  const code = Number(form.get('ErrorCode') ?? 0)
  return [
    {
      type: 'status',
      accountId: webhook.accountId ?? '',
      dedupeKey: `${sid}/${reported}`,
      at: webhook.receivedAt,
      channelMessageId: sid,
      ...(messageId ? { messageId } : {}),
      status,
      ...(status === 'failed' ? { failure: toFailure(code, 400, form.get('ErrorMessage')) } : {}),
      ...(recipient ? { recipient } : {}),
    },
  ]
}

/** A message with several files becomes one message per file. */
function parseMessages(webhook: WebhookRequest, form: URLSearchParams, sid: string): ProviderEvent[] {
  const from = form.get('From')
  if (!from) return []
  return parseParts(form).map((part, i) => {
    const id = i === 0 ? sid : `${sid}#${i}`
    return {
      type: 'message',
      accountId: webhook.accountId ?? '',
      dedupeKey: id,
      at: webhook.receivedAt,
      from,
      alsoKnownAs: [],
      channelMessageId: id,
      ...part,
    }
  })
}

function parseParts(form: URLSearchParams): Pick<InboundMessage, 'content' | 'media'>[] {
  const body = form.get('Body') ?? ''
  const count = Math.min(Number(form.get('NumMedia') ?? 0) || 0, 10)
  const references = Array.from({ length: count }, (_, i) => i).filter(i => form.get(`MediaUrl${i}`))
  if (references.length === 0) return [{ content: { type: 'text', text: { body: body || ' ' } } }]
  return references.map((i, position) => {
    const caption = position === 0 && body !== '' ? { caption: body.slice(0, 1024) } : {}
    const mimeType = form.get(`MediaContentType${i}`)
    return {
      content: { type: 'media', media: { mediaId: 'pending', ...caption } },
      media: { reference: form.get(`MediaUrl${i}`)!, ...(mimeType ? { mimeType } : {}) },
    }
  })
}
