/**
 * Webhook subscriptions of the Graph platform. A URL is stored only after it has answered the verification handshake.
 * The most specific registration wins: number, then account, then app.
 */
import { randomInt } from 'node:crypto'
import type { CallbackRequest } from '../callbacks/http-client.ts'
import { signGraph, toAsciiJson } from '../callbacks/signatures.ts'
import type { SandboxContext } from '../context.ts'
import { type EdgeHandler, GraphError, ok, readParameters } from './graph.ts'

export interface WebhookConfig {
  uri: string
  verifyToken: string
}

export const app = { id: '1500555000000001', name: 'Sandbox app', link: 'https://apps.example/sandbox' }

export function buildWebhookCall(
  { appSecret }: SandboxContext,
  { uri }: WebhookConfig,
  event: { object: string; entry: object[] },
): CallbackRequest {
  const body = toAsciiJson(event)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'facebookexternalua',
    'x-hub-signature-256': signGraph(appSecret, body),
  }
  return { url: uri, headers, body }
}

const failed = (details: string): GraphError =>
  new GraphError(2200, 'Callback verification failed with the following errors', { details })

export async function verifyWebhook(
  context: SandboxContext,
  uri: unknown,
  verifyToken: unknown,
): Promise<WebhookConfig> {
  if (typeof uri !== 'string' || !URL.canParse(uri) || !/^https?:/.test(uri))
    throw failed('The callback is not a URL')
  const token = typeof verifyToken === 'string' ? verifyToken : context.verifyToken
  const challenge = String(randomInt(100_000_000, 999_999_999))
  const url = new URL(uri)
  url.searchParams.set('hub.mode', 'subscribe')
  url.searchParams.set('hub.challenge', challenge)
  url.searchParams.set('hub.verify_token', token)
  const { status, text } = await context.httpClient.get(url.href)
  if (status !== 200) throw failed(`HTTP status ${status || 'none'} in place of 200`)
  if (text !== challenge) throw failed('The response does not match the challenge')
  return { uri, verifyToken: token }
}

const objects = ['whatsapp_business_account', 'instagram', 'page', 'user']

export const findAppWebhook = (context: SandboxContext, object: string): WebhookConfig | undefined =>
  context.registry.get<WebhookConfig>(`webhook/${object}`)

export const handleAppSubscriptions: EdgeHandler = async (context, _id, request) => {
  if (request.method === 'GET') {
    const data = objects.flatMap(object => {
      const webhook = findAppWebhook(context, object)
      return webhook ? [{ object, callback_url: webhook.uri, active: true, fields: [] }] : []
    })
    return ok({ data })
  }
  const params = readParameters(request)
  const object = String(params.object)
  if (!objects.includes(object))
    throw new GraphError(100, `Param object must be one of ${objects.join(', ')}`)
  if (request.method === 'DELETE') await context.registry.put(`webhook/${object}`, undefined)
  else {
    await context.registry.put(
      `webhook/${object}`,
      await verifyWebhook(context, params.callback_url, params.verify_token),
    )
    const channel = object === 'whatsapp_business_account' ? 'chatapp' : 'socialapp'
    context.callbacks.retryNow(entry => entry.channel === channel)
  }
  return ok({ success: true })
}
