/** sms adapter: Twilio's REST API. */

import { asText } from '../graph.ts'
import { clockSkewMs, missingMessageId, orFailure, toSendResult } from '../http-client.ts'
import type { Account, OutboundMessage, Provider, SendResult } from '../provider.ts'
import { buildAccountPath, callRest, downloadSms, fetchAllItems, readRest, toAccess } from './client.ts'
import { messageParameter, parseSmsWebhook, verifySms, workspaceParameter } from './parse-webhook.ts'

function getText({ content }: OutboundMessage): string {
  if (content.type === 'text') return content.text.body
  if (content.type === 'media') return content.media.caption ?? ''
  throw new Error(`${content.type} cannot be sent`)
}

/** The workspace in the query leads to its cell without a lookup. */
function buildCallbackUrl(
  { webhookUrl, tenantId }: Account,
  kind: 'inbound' | 'status',
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ [workspaceParameter]: tenantId, ...more })
  return `${webhookUrl}/${kind}?${query}`
}

function buildForm(account: Account, message: OutboundMessage): URLSearchParams {
  const body = getText(message)
  // Our id is in the URL of every status webhook: identifies the send if its response was lost.
  return new URLSearchParams({
    To: message.to,
    From: account.config.phoneNumber ?? '',
    ...(body === '' ? {} : { Body: body }),
    ...(message.media ? { MediaUrl: message.media.url } : {}),
    StatusCallback: buildCallbackUrl(account, 'status', { [messageParameter]: message.messageId }),
  })
}

const send = (account: Account, message: OutboundMessage): Promise<SendResult> =>
  toSendResult(async () => {
    const access = toAccess(account)
    const response = await callRest(
      access,
      `${buildAccountPath(access)}/Messages.json`,
      buildForm(account, message),
    )
    const sid = asText(response.sid)
    if (sid) return sid
    throw missingMessageId()
  })

const react = async (): Promise<SendResult> => ({
  ok: false,
  failure: { kind: 'permanent', code: 'content_unsupported', message: 'sms does not support reactions' },
})

/** The list does not contain the status URL, so a send is matched by sender, recipient, time and text. */
async function findSent(account: Account, message: OutboundMessage, since: string): Promise<string[]> {
  const access = toAccess(account)
  const earliest = Date.parse(since) - clockSkewMs
  const query = new URLSearchParams({
    To: message.to,
    From: account.config.phoneNumber ?? '',
    PageSize: '50',
  })
  const createdAt = (message: { date_created?: unknown }) => Date.parse(String(message.date_created))
  const list = await fetchAllItems(
    access,
    `${buildAccountPath(access)}/Messages.json?${query}`,
    'messages',
    items => items.some(item => createdAt(item) < earliest),
  )
  const text = getText(message)
  return list
    .filter(
      item =>
        createdAt(item) >= earliest && item.body === text && String(item.direction).startsWith('outbound'),
    )
    .map(item => String(item.sid))
    .reverse()
}

/** Message segments per second by number type, from the provider's documentation. */
const rates: Record<string, number> = { 'toll-free': 3, tollfree: 3, 'short-code': 100 }
export const getNumberRate = (type: unknown): number => rates[String(type)] ?? 1

const buildNumberPath = (account: Account): string =>
  `${buildAccountPath(toAccess(account))}/IncomingPhoneNumbers/${encodeURIComponent(account.externalId)}.json`

async function register(account: Account): Promise<void> {
  const form = new URLSearchParams({
    SmsUrl: buildCallbackUrl(account, 'inbound'),
    SmsMethod: 'POST',
    StatusCallback: buildCallbackUrl(account, 'status'),
  })
  await callRest(toAccess(account), buildNumberPath(account), form)
}

async function checkWebhook(account: Account): ReturnType<Provider['checkWebhook']> {
  const url = asText((await readRest(toAccess(account), buildNumberPath(account))).sms_url)
  if (url === undefined) return 'missing'
  // Registrations of earlier versions do not name the workspace.
  const own = [buildCallbackUrl(account, 'inbound'), `${account.webhookUrl}/inbound`]
  return own.includes(url) ? 'registered' : 'elsewhere'
}

export const sms: Provider = {
  channel: 'sms',
  send,
  react,
  findSent,
  checkHealth: account =>
    orFailure(
      readRest(toAccess(account), buildNumberPath(account)).then(number => ({
        ok: true,
        ratePerSecond: getNumberRate(number.type),
      })),
    ),
  registerWebhook: register,
  checkWebhook,
  downloadMedia: (account, reference) => downloadSms(toAccess(account), reference),
  verifyWebhook: verifySms,
  parseWebhook: parseSmsWebhook,
}
