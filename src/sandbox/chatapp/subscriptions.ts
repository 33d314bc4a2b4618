/** Registering for callbacks with the chat provider: for a business account, or for one number alone. */

import type { SandboxContext } from '../context.ts'
import { GraphError, jsonBody, ok, readParameters } from '../graph/graph.ts'
import { verifyWebhook } from '../graph/webhook-subscriptions.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import {
  assignDefaultNumbers,
  type BusinessAccount,
  findBusinessAccount,
  getWaba,
  updateNumber,
} from './numbers.ts'

const app = { id: '1500555000000001', name: 'Sandbox app', link: 'https://apps.example/sandbox' }

const toWabaKey = (waba: string) => `chatapp/waba/${waba}`

function listSubscriptions(world: SandboxContext, waba: string): HttpResponse {
  const account = findBusinessAccount(world, waba)
  if (!account?.subscribed) return ok({ data: [] })
  const hook = account.webhook ? { override_callback_uri: account.webhook.uri } : {}
  return ok({ data: [{ whatsapp_business_api_data: app, ...hook }] })
}

async function subscribe(world: SandboxContext, waba: string, incoming: HttpRequest): Promise<HttpResponse> {
  const { override_callback_uri: uri, verify_token: token } = readParameters(incoming)
  const before = findBusinessAccount(world, waba)
  if (uri !== undefined && !before?.subscribed)
    throw new GraphError(
      100,
      'Before override the current callback uri, your app must be subscribed to receive messages for WhatsApp Business Account',
      {
        details: 'Subscribe with an empty body first',
      },
    )
  const account: BusinessAccount = { subscribed: true }
  if (uri !== undefined) account.webhook = await verifyWebhook(world, uri, token)
  await Promise.all([world.registry.put(toWabaKey(waba), account), assignDefaultNumbers(world, waba)])
  world.callbacks.retryNow(entry => entry.channel === 'chatapp' && getWaba(world, entry.account) === waba)
  return ok({ success: true })
}

export async function handleSubscribedApps(
  world: SandboxContext,
  waba: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  if (incoming.method === 'GET') return listSubscriptions(world, waba)
  if (incoming.method === 'POST') return subscribe(world, waba, incoming)
  await world.registry.put(toWabaKey(waba), undefined)
  return ok({ success: true })
}

/** POST /{phone_number_id} {webhook_configuration}: an address for one number; an empty one removes it. */
export async function configureNumber(
  world: SandboxContext,
  phoneId: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const given = jsonBody(incoming).webhook_configuration as Record<string, unknown> | undefined
  if (given) {
    const uri = given.override_callback_uri
    const hook = uri ? await verifyWebhook(world, uri, given.verify_token) : undefined
    await updateNumber(world, phoneId, { webhook: hook })
    world.callbacks.retryNow(entry => entry.channel === 'chatapp' && entry.account === phoneId)
  }
  return ok({ success: true })
}
