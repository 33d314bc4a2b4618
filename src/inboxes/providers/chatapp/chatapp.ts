/** chatapp adapter: WhatsApp's Cloud API. */

import {
  asRecord,
  asRecords,
  asText,
  callGraph,
  downloadGraph,
  type Json,
  listSubscribedUrls,
  parseResponse,
  readGraph,
  verifyHubSignature,
} from '../graph.ts'
import {
  asIdempotent,
  callProvider,
  missingMessageId,
  missingToken,
  orFailure,
  ProviderCallError,
  toSendResult,
} from '../http-client.ts'
import { buildForm } from '../media-transfer.ts'
import type {
  Account,
  HealthCheck,
  MediaFile,
  OutboundMessage,
  OutboundReaction,
  Provider,
  SendResult,
} from '../provider.ts'
import { buildMessage, buildReaction } from './build-request.ts'
import { findNumbers } from './catalogue.ts'
import { classifyChatappError } from './errors.ts'
import { parseChatappWebhook } from './parse-webhook.ts'

function getMessageId(response: Json): string {
  const id = asText(asRecords(response.messages)[0]?.id)
  if (id) return id
  throw missingMessageId()
}

async function post(account: Account, body: Json): Promise<string> {
  const call = { method: 'POST', path: `${account.externalId}/messages`, body } as const
  return getMessageId(await callGraph(account, call, classifyChatappError))
}

const send = (account: Account, message: OutboundMessage): Promise<SendResult> =>
  toSendResult(async () => {
    const media = message.media ? { id: await upload(account, message.media) } : undefined
    return post(account, buildMessage(message, media))
  })

const react = (account: Account, reaction: OutboundReaction): Promise<SendResult> =>
  toSendResult(() => post(account, buildReaction(reaction)))

/** A failed upload is never uncertain: no message was sent. */
function upload(account: Account, file: MediaFile): Promise<string> {
  if (account.token === '') throw missingToken()
  return asIdempotent(async () => {
    const form = await buildForm({ messaging_product: 'whatsapp', type: file.mimeType }, file)
    const response = await callProvider({
      method: 'POST',
      url: `${account.baseUrl}/${account.externalId}/media`,
      headers: { authorization: `Bearer ${account.token}`, ...form.headers },
      body: form.body,
      timeoutMs: 120_000,
    })
    const id = asText(parseResponse(response, classifyUploadError).id)
    if (id) return id
    throw new ProviderCallError({
      kind: 'retryable',
      code: 'media_upload_failed',
      message: 'the provider returned no id for the upload',
    })
  })
}

const classifyUploadError: typeof classifyChatappError = (error, status) => {
  const failure = classifyChatappError(error, status)
  return failure.code === 'rejected' ? { ...failure, code: 'media_upload_failed' } : failure
}

/** A missing object is the file here, not the account. */
const classifyMediaError: typeof classifyChatappError = (error, status) => {
  const failure = classifyChatappError(error, status)
  return failure.code === 'account_unknown' ? { ...failure, code: 'media_download_failed' } : failure
}

const rates: Record<string, number> = { STANDARD: 80, HIGH: 1000 }

export function parseRate(number: Json): { ratePerSecond?: number } {
  const ratePerSecond = rates[String(asRecord(number.throughput)?.level)]
  return ratePerSecond === undefined ? {} : { ratePerSecond }
}

async function check(account: Account): Promise<HealthCheck> {
  const fields = 'id,throughput,quality_rating,status'
  const number = await readGraph(
    account,
    { path: account.externalId, query: { fields } },
    classifyChatappError,
  )
  return {
    ok: true,
    ...parseRate(number),
    lowQuality: number.quality_rating === 'RED',
    locked: number.status === 'BANNED' || number.status === 'RESTRICTED',
  }
}

/**
 * Sets the webhook override of the business account, which requires an empty subscription first. An existing
 * subscription is not repeated: that would remove the override, and events would be lost until it is set again.
 */
async function register(account: Account, verifyToken: string): Promise<void> {
  const { config, webhookUrl, ...access } = account
  const path = `${config.wabaId}/subscribed_apps`
  const override = { override_callback_uri: webhookUrl, verify_token: verifyToken }
  const urls = await listSubscribedUrls(access, config.wabaId, classifyChatappError)
  for (const body of urls.some(url => url !== undefined) ? [override] : [{}, override])
    await readGraph(access, { method: 'POST', path, body }, classifyChatappError)
  if (await hasOtherUrl(account)) await removeUrlOfNumber(account)
}

/** Without an override the events go to the URL of the app, which is not ours. */
async function checkWebhook(account: Account): ReturnType<Provider['checkWebhook']> {
  const all = await listSubscribedUrls(account, account.config.wabaId, classifyChatappError)
  const urls = all.filter(url => url !== undefined)
  if (urls.length === 0) return 'missing'
  if (!urls.includes(account.webhookUrl)) return 'elsewhere'
  return (await hasOtherUrl(account)) ? 'elsewhere' : 'registered'
}

/** Whether the number has a URL of its own that is not ours. It goes before that of the business account. */
async function hasOtherUrl({ config, externalId, webhookUrl, ...access }: Account): Promise<boolean> {
  const [number] = await findNumbers(access, String(config.wabaId), [externalId])
  const url = asText(asRecord(number?.webhook_configuration)?.phone_number)
  return url !== undefined && url !== webhookUrl
}

async function removeUrlOfNumber(account: Account): Promise<void> {
  const body = { webhook_configuration: { override_callback_uri: '' } }
  const path = encodeURIComponent(account.externalId)
  await readGraph(account, { method: 'POST', path, body }, classifyChatappError)
}

export const chatapp: Provider = {
  channel: 'chatapp',
  send,
  react,
  // Status webhooks carry our message id; the provider has no list of sent messages.
  findSent: async () => [],
  checkHealth: account => orFailure(check(account)),
  registerWebhook: register,
  checkWebhook,
  downloadMedia: async (account, reference) => {
    const query = { phone_number_id: account.externalId }
    const node = await readGraph(account, { path: encodeURIComponent(reference), query }, classifyMediaError)
    const file = await downloadGraph(account, String(node.url))
    return { ...file, mimeType: asText(node.mime_type) ?? file.mimeType }
  },
  verifyWebhook: verifyHubSignature,
  parseWebhook: webhook => parseChatappWebhook(webhook.body),
}
