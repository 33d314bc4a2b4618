/** Webhook subscriptions of chatapp: for a business account or a single number. */

import type { SandboxContext } from '../context.ts'
import { type EdgeHandler, GraphError, jsonBody, ok, readParameters } from '../graph/graph.ts'
import { app, verifyWebhook } from '../graph/webhook-subscriptions.ts'
import type { HttpResponse } from '../http/server.ts'
import {
  assignDefaultNumbers,
  type BusinessAccount,
  findBusinessAccount,
  getWaba,
  updateNumber,
} from './numbers.ts'

const toWabaKey = (waba: string) => `chatapp/waba/${waba}`

function listSubscriptions(context: SandboxContext, waba: string): HttpResponse {
  const account = findBusinessAccount(context, waba)
  if (!account?.subscribed) return ok({ data: [] })
  const webhook = account.webhook ? { override_callback_uri: account.webhook.uri } : {}
  return ok({ data: [{ whatsapp_business_api_data: app, ...webhook }] })
}

const subscribe: EdgeHandler = async (context, waba, request) => {
  const { override_callback_uri: uri, verify_token: token } = readParameters(request)
  const before = findBusinessAccount(context, waba)
  if (uri !== undefined && !before?.subscribed)
    throw new GraphError(
      100,
      'Before override the current callback uri, your app must be subscribed to receive messages for WhatsApp Business Account',
      {
        details: 'Subscribe with an empty body first',
      },
    )
  const account: BusinessAccount = { subscribed: true }
  if (uri !== undefined) account.webhook = await verifyWebhook(context, uri, token)
  await Promise.all([context.registry.put(toWabaKey(waba), account), assignDefaultNumbers(context, waba)])
  context.callbacks.retryNow(entry => entry.channel === 'chatapp' && getWaba(context, entry.account) === waba)
  return ok({ success: true })
}

export const handleSubscribedApps: EdgeHandler = async (context, waba, request, token) => {
  if (request.method === 'GET') return listSubscriptions(context, waba)
  if (request.method === 'POST') return subscribe(context, waba, request, token)
  await context.registry.put(toWabaKey(waba), undefined)
  return ok({ success: true })
}

/** POST /{phone_number_id} {webhook_configuration}: sets the webhook of a number; an empty URL removes it. */
export const configureNumber: EdgeHandler = async (context, phoneId, request) => {
  const config = jsonBody(request).webhook_configuration as Record<string, unknown> | undefined
  if (config) {
    const uri = config.override_callback_uri
    const webhook = uri ? await verifyWebhook(context, uri, config.verify_token) : undefined
    await updateNumber(context, phoneId, { webhook })
    context.callbacks.retryNow(entry => entry.channel === 'chatapp' && entry.account === phoneId)
  }
  return ok({ success: true })
}
