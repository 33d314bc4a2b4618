/** Registering for callbacks with the chat provider: for a business account, or for one number alone. */
import { GraphError, jsonBody, ok, parameters } from '../graph.ts'
import { verifyHook } from '../hooks.ts'
import type { Answer, Incoming } from '../http.ts'
import type { World } from '../world.ts'
import { type BusinessAccount, bindListed, businessAccount, change, wabaOf } from './numbers.ts'

const app = { id: '1500555000000001', name: 'Sandbox app', link: 'https://apps.example/sandbox' }

const key = (waba: string) => `chatapp/waba/${waba}`

function list(world: World, waba: string): Answer {
  const account = businessAccount(world, waba)
  if (!account?.subscribed) return ok({ data: [] })
  const hook = account.hook ? { override_callback_uri: account.hook.uri } : {}
  return ok({ data: [{ whatsapp_business_api_data: app, ...hook }] })
}

async function subscribe(world: World, waba: string, incoming: Incoming): Promise<Answer> {
  const { override_callback_uri: uri, verify_token: token } = parameters(incoming)
  const before = businessAccount(world, waba)
  if (uri !== undefined && !before?.subscribed)
    throw new GraphError(
      100,
      'Before override the current callback uri, your app must be subscribed to receive messages for WhatsApp Business Account',
      {
        details: 'Subscribe with an empty body first',
      },
    )
  const account: BusinessAccount = { subscribed: true }
  if (uri !== undefined) account.hook = await verifyHook(world, uri, token)
  await Promise.all([world.registry.put(key(waba), account), bindListed(world, waba)])
  world.callbacks.retryNow(entry => entry.channel === 'chatapp' && wabaOf(world, entry.account) === waba)
  return ok({ success: true })
}

export async function subscribedApps(world: World, waba: string, incoming: Incoming): Promise<Answer> {
  if (incoming.method === 'GET') return list(world, waba)
  if (incoming.method === 'POST') return subscribe(world, waba, incoming)
  await world.registry.put(key(waba), undefined)
  return ok({ success: true })
}

/** POST /{phone_number_id} {webhook_configuration}: an address for one number; an empty one removes it. */
export async function configureNumber(world: World, phoneId: string, incoming: Incoming): Promise<Answer> {
  const given = jsonBody(incoming).webhook_configuration as Record<string, unknown> | undefined
  if (given) {
    const uri = given.override_callback_uri
    const hook = uri ? await verifyHook(world, uri, given.verify_token) : undefined
    await change(world, phoneId, { hook })
    world.callbacks.retryNow(entry => entry.channel === 'chatapp' && entry.account === phoneId)
  }
  return ok({ success: true })
}
