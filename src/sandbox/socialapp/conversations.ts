/** Reading conversations back from the social provider: the list, and the twenty newest messages of one. */
import { bodyOf, type Json } from '../bodies.ts'
import { nested, ok, page, unknownObject } from '../graph.ts'
import type { Answer, Incoming } from '../http.ts'
import type { Recorded } from '../store/ledger.ts'
import { idOf, type World } from '../world.ts'
import { personName, usernameOf } from './accounts.ts'

const start = 'aWdfZAG06'
const newest = 20

const conversationId = (account: string, peer: string): string =>
  start + Buffer.from(`${account}/${peer}`).toString('base64url')

export const isConversation = (id: string): boolean => id.startsWith(start)

const isoOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+0000')

/** Newest first. */
async function read<T>(world: World, account: string, peer: string, most: number, make: (r: Recorded) => T) {
  const positions: number[] = []
  for (const n of world.ledger.newestFirst('socialapp', account, peer)) if (positions.push(n) === most) break
  return (await world.ledger.read(positions.reverse(), make)).reverse()
}

export async function listConversations(
  world: World,
  account: string,
  incoming: Incoming,
  token: string,
): Promise<Answer> {
  const person = incoming.query.get('user_id')
  const peers = [...world.ledger.peers('socialapp', account)]
    .filter(([peer]) => peer !== '' && (person === null || peer === person))
    .sort(([, a], [, b]) => b - a)
  const listed = page(incoming, peers, { most: 100, usual: 25, token, path: `${account}/conversations` })
  const data = await Promise.all(
    listed.data.map(async ([peer]) => {
      const [last] = await read(world, account, peer, 1, ({ entry }) => entry.at)
      return { id: conversationId(account, peer), updated_time: isoOf(last ?? 0) }
    }),
  )
  return ok({ ...listed, data })
}

function messageOf(world: World, account: string, peer: string, { entry, payload }: Recorded): Json[] {
  if (entry.kind === 'event') return []
  const message = nested(bodyOf(payload.toString()).message)
  const us = { id: account, username: usernameOf(account) }
  const them = { id: peer, username: personName(peer) }
  const [from, to] = entry.kind === 'sent' ? [us, them] : [them, us]
  const text = String(message.text ?? '')
  return [{ id: idOf(world, entry), created_time: isoOf(entry.at), from, to: { data: [to] }, message: text }]
}

export async function conversationNode(world: World, id: string): Promise<Answer> {
  const [account = '', ...rest] = Buffer.from(id.slice(start.length), 'base64url').toString().split('/')
  const peer = rest.join('/')
  const messages = await read(world, account, peer, newest, recorded =>
    messageOf(world, account, peer, recorded),
  )
  if (messages.length === 0) throw unknownObject(id)
  return ok({ id, messages: { data: messages.flat() } })
}
