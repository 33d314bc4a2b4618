/**
 * Where the Graph platform calls back. An address is taken only after it answered the verification handshake.
 * The most specific registration wins: a number's, then its account's, then the app's.
 */
import { randomInt } from 'node:crypto'
import { GraphError, ok, parameters } from './graph.ts'
import type { Answer, Incoming } from './http.ts'
import type { World } from './world.ts'

export interface Hook {
  uri: string
  verifyToken: string
}

const failed = (why: string): GraphError =>
  new GraphError(2200, 'Callback verification failed with the following errors', { details: why })

export async function verifyHook(world: World, uri: unknown, verifyToken: unknown): Promise<Hook> {
  if (typeof uri !== 'string' || !URL.canParse(uri) || !/^https?:/.test(uri))
    throw failed('The callback is not a URL')
  const token = typeof verifyToken === 'string' ? verifyToken : world.verifyToken
  const challenge = String(randomInt(100_000_000, 999_999_999))
  const url = new URL(uri)
  url.searchParams.set('hub.mode', 'subscribe')
  url.searchParams.set('hub.challenge', challenge)
  url.searchParams.set('hub.verify_token', token)
  const { status, text } = await world.caller.get(url.href)
  if (status !== 200) throw failed(`HTTP status ${status || 'none'} in place of 200`)
  if (text !== challenge) throw failed('The answer is not the challenge')
  return { uri, verifyToken: token }
}

const objects = ['whatsapp_business_account', 'instagram', 'page', 'user']

/** The address of the app itself, for one kind of object. */
export const appHook = (world: World, object: string): Hook | undefined =>
  world.registry.get<Hook>(`hook/${object}`)

export async function appSubscriptions(world: World, incoming: Incoming): Promise<Answer> {
  if (incoming.method === 'GET') {
    const data = objects.flatMap(object => {
      const hook = appHook(world, object)
      return hook ? [{ object, callback_url: hook.uri, active: true, fields: [] }] : []
    })
    return ok({ data })
  }
  const given = parameters(incoming)
  const object = String(given.object)
  if (!objects.includes(object))
    throw new GraphError(100, `Param object must be one of ${objects.join(', ')}`)
  if (incoming.method === 'DELETE') await world.registry.put(`hook/${object}`, undefined)
  else {
    await world.registry.put(
      `hook/${object}`,
      await verifyHook(world, given.callback_url, given.verify_token),
    )
    const channel = object === 'whatsapp_business_account' ? 'chatapp' : 'socialapp'
    world.callbacks.retryNow(entry => entry.channel === channel)
  }
  return ok({ success: true })
}
