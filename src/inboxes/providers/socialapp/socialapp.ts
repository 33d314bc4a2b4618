/** socialapp adapter: Instagram messaging. */
import { supportedReactions } from '../../capabilities/content.ts'
import {
  asRecord,
  asRecords,
  asText,
  callGraph,
  downloadGraph,
  fetchAllPages,
  type Json,
  listSubscribedUrls,
  readGraph,
  verifyHubSignature,
} from '../graph.ts'
import { clockSkewMs, missingMessageId, orFailure, ProviderCallError, toSendResult } from '../http-client.ts'
import type { Account, OutboundMessage, OutboundReaction, Provider, SendResult } from '../provider.ts'
import { buildMessage, getListedText } from './build-request.ts'
import { classifySocialappError } from './errors.ts'
import { parseSocialappWebhook } from './parse-webhook.ts'

function post(account: Account, body: Json): Promise<Json> {
  return callGraph(
    account,
    { method: 'POST', path: `${account.externalId}/messages`, body },
    classifySocialappError,
  )
}

const send = (account: Account, outgoing: OutboundMessage): Promise<SendResult> =>
  toSendResult(async () => {
    const id = asText((await post(account, buildMessage(outgoing))).message_id)
    if (id) return id
    throw missingMessageId()
  })

/** The provider supports one reaction, a heart, without an id of its own. */
const react = (account: Account, { to, channelMessageId, emoji }: OutboundReaction): Promise<SendResult> =>
  toSendResult(async () => {
    if (emoji !== undefined && !supportedReactions.socialapp.includes(emoji))
      throw new ProviderCallError({
        kind: 'permanent',
        code: 'content_unsupported',
        message: 'socialapp supports only the reaction ❤️',
      })
    await post(account, {
      recipient: { id: to },
      sender_action: emoji === undefined ? 'unreact' : 'react',
      payload: { message_id: channelMessageId, ...(emoji === undefined ? {} : { reaction: 'love' }) },
    })
    return channelMessageId
  })

/** Matches outbound messages of the conversation by time and text. */
async function findSent(account: Account, outgoing: OutboundMessage, since: string): Promise<string[]> {
  const query = { platform: 'instagram', user_id: outgoing.to }
  const path = `${account.externalId}/conversations`
  const conversations = await fetchAllPages(account, { path, query }, classifySocialappError)
  const found: { id: string; at: number }[] = []
  for (const { id } of conversations.slice(0, 3)) {
    const fields = 'messages{id,created_time,from,to,message}'
    const node = await readGraph(account, { path: String(id), query: { fields } }, classifySocialappError)
    for (const message of asRecords(asRecord(node.messages)?.data)) {
      const at = Date.parse(String(message.created_time))
      const isOurs = asRecord(message.from)?.id === account.externalId
      const fits =
        at >= Date.parse(since) - clockSkewMs && (message.message ?? '') === getListedText(outgoing)
      if (isOurs && fits) found.push({ id: String(message.id), at })
    }
  }
  return found
    .reverse()
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id)
}

async function getProfile(account: Account, userId: string): Promise<{ name?: string; username?: string }> {
  const call = { path: userId, query: { fields: 'name,username' } }
  const profile = await readGraph(account, call, classifySocialappError)
  const username = asText(profile.username)
  const name = asText(profile.name) || username
  return { ...(name ? { name } : {}), ...(username ? { username } : {}) }
}

const fields = [
  'messages',
  'messaging_seen',
  'message_reactions',
  'messaging_postbacks',
  'message_edit',
  'comments',
  'live_comments',
].join(',')

async function register(account: Account, verifyToken: string): Promise<void> {
  const body = {
    subscribed_fields: fields,
    override_callback_uri: account.webhookUrl,
    verify_token: verifyToken,
  }
  const path = `${account.externalId}/subscribed_apps`
  await readGraph(account, { method: 'POST', path, body }, classifySocialappError)
}

/** The provider itself does not report the URL; the sandbox does. */
async function checkWebhook(account: Account): ReturnType<Provider['checkWebhook']> {
  const urls = await listSubscribedUrls(account, account.externalId, classifySocialappError)
  if (urls.length === 0) return 'missing'
  return urls.some(url => url === undefined || url === account.webhookUrl) ? 'registered' : 'elsewhere'
}

export const socialapp: Provider = {
  channel: 'socialapp',
  send,
  react,
  findSent,
  getProfile,
  checkHealth: account => {
    const call = { path: account.externalId, query: { fields: 'id,username' } }
    return orFailure(readGraph(account, call, classifySocialappError).then(() => ({ ok: true })))
  },
  registerWebhook: register,
  checkWebhook,
  downloadMedia: (account, reference) => downloadGraph(account, reference),
  verifyWebhook: verifyHubSignature,
  parseWebhook: webhook => parseSocialappWebhook(webhook.body),
}
