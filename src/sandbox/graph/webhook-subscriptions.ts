/**
 * Where the Graph platform calls back. An address is taken only after it answered the verification handshake.
 * The most specific registration wins: a number's, then its account's, then the app's.
 */
import { randomInt } from 'node:crypto'
import type { SandboxContext } from '../context.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import { GraphError, ok, readParameters } from './graph.ts'

export interface WebhookConfig {
  uri: string
  verifyToken: string
}

const failed = (why: string): GraphError =>
  new GraphError(2200, 'Callback verification failed with the following errors', { details: why })

export async function verifyWebhook(
  world: SandboxContext,
  uri: unknown,
  verifyToken: unknown,
): Promise<WebhookConfig> {
  if (typeof uri !== 'string' || !URL.canParse(uri) || !/^https?:/.test(uri))
    throw failed('The callback is not a URL')
  const token = typeof verifyToken === 'string' ? verifyToken : world.verifyToken
  const challenge = String(randomInt(100_000_000, 999_999_999))
  const url = new URL(uri)
  url.searchParams.set('hub.mode', 'subscribe')
  url.searchParams.set('hub.challenge', challenge)
  url.searchParams.set('hub.verify_token', token)
  const { status, text } = await world.httpClient.get(url.href)
  if (status !== 200) throw failed(`HTTP status ${status || 'none'} in place of 200`)
  if (text !== challenge) throw failed('The answer is not the challenge')
  return { uri, verifyToken: token }
}

const objects = ['whatsapp_business_account', 'instagram', 'page', 'user']

/** The address of the app itself, for one kind of object. */
export const findAppWebhook = (world: SandboxContext, object: string): WebhookConfig | undefined =>
  world.registry.get<WebhookConfig>(`hook/${object}`)

export async function handleAppSubscriptions(
  world: SandboxContext,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  if (incoming.method === 'GET') {
    const data = objects.flatMap(object => {
      const hook = findAppWebhook(world, object)
      return hook ? [{ object, callback_url: hook.uri, active: true, fields: [] }] : []
    })
    return ok({ data })
  }
  const given = readParameters(incoming)
  const object = String(given.object)
  if (!objects.includes(object))
    throw new GraphError(100, `Param object must be one of ${objects.join(', ')}`)
  if (incoming.method === 'DELETE') await world.registry.put(`hook/${object}`, undefined)
  else {
    await world.registry.put(
      `hook/${object}`,
      await verifyWebhook(world, given.callback_url, given.verify_token),
    )
    const channel = object === 'whatsapp_business_account' ? 'chatapp' : 'socialapp'
    world.callbacks.retryNow(entry => entry.channel === channel)
  }
  return ok({ success: true })
}
