/** The social network: Instagram's messages. */
import type { Account, Outgoing, Provider, Reacting, Sent } from '../../provider.ts'
import { acceptedWithoutId, attempt, CallFailed, clocksDifferMs } from '../call.ts'
import {
  downloadGraph,
  everyPage,
  graph,
  graphRead,
  type Json,
  recordIn,
  recordsIn,
  textIn,
  verifyHub,
} from '../graph.ts'
import { socialappMeaning } from './errors.ts'
import { readSocialapp } from './incoming.ts'
import { messageBody, textSent } from './outgoing.ts'

function post(account: Account, body: Json): Promise<Json> {
  return graph(account, { method: 'POST', path: `${account.externalId}/messages`, body }, socialappMeaning)
}

const send = (account: Account, outgoing: Outgoing): Promise<Sent> =>
  attempt(async () => {
    const id = textIn((await post(account, messageBody(outgoing))).message_id)
    if (id) return id
    throw acceptedWithoutId()
  })

const hearts = ['❤️', '❤']

/** There is one reaction to give, a heart. It has no id of its own. */
const react = (account: Account, { to, channelMessageId, emoji }: Reacting): Promise<Sent> =>
  attempt(async () => {
    if (emoji !== undefined && !hearts.includes(emoji))
      throw new CallFailed({
        kind: 'permanent',
        code: 'content_unsupported',
        message: 'socialapp carries one reaction, ❤️',
      })
    await post(account, {
      recipient: { id: to },
      sender_action: emoji === undefined ? 'unreact' : 'react',
      payload: { message_id: channelMessageId, ...(emoji === undefined ? {} : { reaction: 'love' }) },
    })
    return channelMessageId
  })

/** The newest messages of the conversation that we wrote since then and that say the same. */
async function findSent(account: Account, outgoing: Outgoing, since: string): Promise<string[]> {
  const query = { platform: 'instagram', user_id: outgoing.to }
  const path = `${account.externalId}/conversations`
  const conversations = await everyPage(account, { path, query }, socialappMeaning)
  const found: { id: string; at: number }[] = []
  for (const { id } of conversations.slice(0, 3)) {
    const fields = 'messages{id,created_time,from,to,message}'
    const node = await graphRead(account, { path: String(id), query: { fields } }, socialappMeaning)
    for (const message of recordsIn(recordIn(node.messages)?.data)) {
      const at = Date.parse(String(message.created_time))
      const isOurs = recordIn(message.from)?.id === account.externalId
      const fits = at >= Date.parse(since) - clocksDifferMs && (message.message ?? '') === textSent(outgoing)
      if (isOurs && fits) found.push({ id: String(message.id), at })
    }
  }
  return found
    .reverse()
    .sort((a, b) => a.at - b.at)
    .map(one => one.id)
}

const fields = [
  'messages',
  'messaging_seen',
  'message_reactions',
  'messaging_postbacks',
  'comments',
  'live_comments',
].join(',')

async function register(account: Account, verifyToken: string): Promise<void> {
  const body = {
    subscribed_fields: fields,
    override_callback_uri: account.callbackUrl,
    verify_token: verifyToken,
  }
  const path = `${account.externalId}/subscribed_apps`
  await graphRead(account, { method: 'POST', path, body }, socialappMeaning)
}

export const socialapp: Provider = {
  channel: 'socialapp',
  send,
  react,
  findSent,
  check: account =>
    graphRead(account, { path: account.externalId, query: { fields: 'id,username' } }, socialappMeaning).then(
      () => ({ ok: true as const }),
      error => {
        if (error instanceof CallFailed) return { ok: false as const, failure: error.failure }
        throw error
      },
    ),
  register,
  download: (account, reference) => downloadGraph(account, reference),
  verify: verifyHub,
  read: callback => readSocialapp(callback.body),
}
