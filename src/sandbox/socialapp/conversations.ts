/** Reading conversations back from the social provider: the list, and the twenty newest messages of one. */

import { getMessageId, type SandboxContext } from '../context.ts'
import { ok, paginate, parseNested, unknownObject } from '../graph/graph.ts'
import { type Json, parseBody } from '../http/bodies.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import type { StoredEntry } from '../store/ledger.ts'
import { getUsername, personName } from './accounts.ts'

const idPrefix = 'aWdfZAG06'
const maxMessages = 20

const toConversationId = (account: string, peer: string): string =>
  idPrefix + Buffer.from(`${account}/${peer}`).toString('base64url')

export const isConversationId = (id: string): boolean => id.startsWith(idPrefix)

const toGraphTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+0000')

/** Newest first. */
async function readNewest<T>(
  world: SandboxContext,
  account: string,
  peer: string,
  most: number,
  make: (r: StoredEntry) => T,
) {
  const positions: number[] = []
  for (const n of world.ledger.newestFirst('socialapp', account, peer)) if (positions.push(n) === most) break
  return (await world.ledger.read(positions.reverse(), make)).reverse()
}

export async function listConversations(
  world: SandboxContext,
  account: string,
  incoming: HttpRequest,
  token: string,
): Promise<HttpResponse> {
  const person = incoming.query.get('user_id')
  const peers = [...world.ledger.customers('socialapp', account)]
    .filter(([peer]) => peer !== '' && (person === null || peer === person))
    .sort(([, a], [, b]) => b - a)
  const listed = paginate(incoming, peers, {
    maxSize: 100,
    defaultSize: 25,
    token,
    path: `${account}/conversations`,
  })
  const data = await Promise.all(
    listed.data.map(async ([peer]) => {
      const [last] = await readNewest(world, account, peer, 1, ({ entry }) => entry.at)
      return { id: toConversationId(account, peer), updated_time: toGraphTime(last ?? 0) }
    }),
  )
  return ok({ ...listed, data })
}

function messageToApi(
  world: SandboxContext,
  account: string,
  peer: string,
  { entry, payload }: StoredEntry,
): Json[] {
  if (entry.kind === 'event') return []
  const message = parseNested(parseBody(payload.toString()).message)
  const us = { id: account, username: getUsername(account) }
  const them = { id: peer, username: personName(peer) }
  const [from, to] = entry.kind === 'sent' ? [us, them] : [them, us]
  const text = String(message.text ?? '')
  return [
    {
      id: getMessageId(world, entry),
      created_time: toGraphTime(entry.at),
      from,
      to: { data: [to] },
      message: text,
    },
  ]
}

export async function getConversation(world: SandboxContext, id: string): Promise<HttpResponse> {
  const [account = '', ...rest] = Buffer.from(id.slice(idPrefix.length), 'base64url').toString().split('/')
  const peer = rest.join('/')
  const messages = await readNewest(world, account, peer, maxMessages, recorded =>
    messageToApi(world, account, peer, recorded),
  )
  if (messages.length === 0) throw unknownObject(id)
  return ok({ id, messages: { data: messages.flat() } })
}
