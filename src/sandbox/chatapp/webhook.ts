/** How the chat provider tells of things: statuses, messages and other fields, many in one signed call. */
import type { Json } from '../bodies.ts'
import type { Courier, Item } from '../callbacks/callbacks.ts'
import { escapedJson, hubSignature } from '../callbacks/signatures.ts'
import { nameOf, userIdOf, whatsappId } from '../peers.ts'
import type { Entry } from '../store/ledger.ts'
import { idOf, type World } from '../world.ts'
import { reported } from './errors.ts'
import { hookOf, phoneOf, wabaOf } from './numbers.ts'

interface Change {
  field: string
  value: Json
}

const seconds = (ms: number): string => String(Math.floor(ms / 1000))

function priceOf({ entry, step }: Item): Json {
  const first = entry.steps.find(({ tells }) => tells === 'sent' || tells === 'delivered')
  if (first?.tells !== step.tells) return {}
  const category = (entry.about.category as string | undefined) ?? 'service'
  const free = category === 'service'
  const type = free ? 'free_customer_service' : 'regular'
  return { pricing: { billable: !free, pricing_model: 'PMP', category, type } }
}

function recipientOf(waba: string, { about, peer }: Entry): Json {
  const to = String(about.to)
  if (!to.startsWith('+')) return { recipient_user_id: to }
  return { recipient_id: whatsappId(to), recipient_user_id: userIdOf(waba, peer) }
}

export function statusOf(world: World, waba: string, item: Item): Json {
  const { entry, step } = item
  const { opaque } = entry.about
  return {
    id: idOf(world, entry),
    status: step.tells,
    timestamp: seconds(step.at),
    ...recipientOf(waba, entry),
    ...(opaque === undefined ? {} : { biz_opaque_callback_data: opaque }),
    ...priceOf(item),
    ...(step.error === undefined ? {} : { errors: [reported(step.error)] }),
  }
}

/** What a customer's message looks like; the parts that the ledger keeps are completed here. */
async function messageOf(
  world: World,
  waba: string,
  entry: Entry,
): Promise<{ contact: Json; message: Json }> {
  const payload = JSON.parse((await world.ledger.find(entry.n))!.payload.toString()) as Json
  const { hidden, profileName, username } = entry.about
  const isPhone = /^\d+$/.test(entry.peer)
  const userId = isPhone ? userIdOf(waba, entry.peer) : entry.peer
  const phone = isPhone && !hidden ? whatsappId(String(entry.about.phone ?? entry.peer)) : undefined
  const profile = { name: profileName ?? nameOf(entry.peer), ...(username ? { username } : {}) }
  return {
    contact: { profile, ...(phone ? { wa_id: phone } : {}), user_id: userId },
    message: {
      ...(phone ? { from: phone } : {}),
      from_user_id: userId,
      id: idOf(world, entry),
      timestamp: seconds(entry.at),
      ...payload,
    },
  }
}

const metadataOf = (phoneId: string): Json => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: phoneOf(phoneId).slice(1), phone_number_id: phoneId },
})

/** Messages and statuses stand in entries of their own, as a batch of the real provider may have it. */
async function entriesOf(world: World, waba: string, phoneId: string, items: Item[]): Promise<Json[]> {
  const statuses: Json[] = []
  const told: { contact: Json; message: Json }[] = []
  const others: Change[] = []
  for (const item of items) {
    if (item.entry.kind === 'sent') statuses.push(statusOf(world, waba, item))
    else if (item.entry.kind === 'received') told.push(await messageOf(world, waba, item.entry))
    else others.push(JSON.parse((await world.ledger.find(item.entry.n))!.payload.toString()) as Change)
  }
  const value = metadataOf(phoneId)
  const messages = { contacts: told.map(one => one.contact), messages: told.map(one => one.message) }
  const first = [
    ...(told.length > 0 ? [{ field: 'messages', value: { ...value, ...messages } }] : []),
    ...others,
  ]
  const second = statuses.length > 0 ? [{ field: 'messages', value: { ...value, statuses } }] : []
  return [first, second].filter(changes => changes.length > 0).map(changes => ({ id: waba, changes }))
}

const day = 86_400_000

export function chatCourier(world: () => World): Courier {
  return {
    most: 100,
    givesUpAfterMs: 7 * day,
    lane: ({ account }) => `chatapp/${account}`,
    accepted: status => status === 200,
    async compose(items) {
      const phoneId = items[0]!.entry.account
      const hook = hookOf(world(), phoneId)
      if (!hook) return undefined
      const waba = wabaOf(world(), phoneId)
      const entry = await entriesOf(world(), waba, phoneId, items)
      const body = escapedJson({ object: 'whatsapp_business_account', entry })
      return {
        url: hook.uri,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'facebookexternalua',
          'x-hub-signature-256': hubSignature(world().appSecret, body),
        },
        body,
      }
    },
  }
}
