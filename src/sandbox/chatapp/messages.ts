/** POST /{phone_number_id}/messages: the chat provider takes a message, or says why not. */
import { expiredToken, GraphError, jsonBody, ok } from '../graph.ts'
import type { Answer, Incoming } from '../http.ts'
import { positionOf } from '../identifiers.ts'
import { isPhone, isUserId, phoneKey, phoneOfUserId, userIdOf, whatsappId } from '../peers.ts'
import { answered, behaviourFor, customerActs, tellings, unheard } from '../sending.ts'
import type { Behaviour } from '../symptoms.ts'
import { epochOf, idOf, record, type World } from '../world.ts'
import { checkContent } from './content.ts'
import { chatError, table } from './errors.ts'
import { isFast, isRegistered, phoneOf, refOf, wabaOf } from './numbers.ts'
import { checkTemplate, type TemplateMessage } from './template-check.ts'

type Message = Record<string, unknown>

const windowMs = 24 * 3_600_000

interface Recipient {
  /** as the ledger shows it */
  to: string
  peer: string
  input: string
}

function recipientOf(waba: string, message: Message): Recipient {
  const { to, recipient } = message
  if (to !== undefined) {
    const input = String(to)
    if (!isPhone(input)) throw chatError(131009, `${input} is not a phone number`)
    return { to: `+${input.replace(/\D/g, '')}`, peer: phoneKey(input), input }
  }
  if (recipient === undefined) throw new GraphError(100, 'The parameter to is required.', { details: 'to' })
  const input = String(recipient)
  if (!isUserId(input)) throw chatError(131009, `${input} is not a business-scoped user id`)
  const phone = phoneOfUserId(waba, input)
  return { to: phone ? `+${phone}` : input, peer: phone ?? input, input }
}

function refuse(behaviour: Behaviour): void {
  const { symptom, spelled } = behaviour
  if (spelled) throw chatError(spelled.code, spelled.message, spelled.status)
  if (symptom === 'tokenExpired') throw expiredToken()
  const told = symptom && table[symptom]
  if (told?.at === 'once') throw chatError(told.code)
}

/** The provider's real rates. */
function checkRates(world: World, phoneId: string, peer: string): void {
  if (!world.strict) return
  const now = world.time.now(refOf(phoneId))
  const number = isFast(phoneId) ? world.fastNumbers : world.numbers
  if (!number.take(phoneId, now)) throw chatError(130429)
  if (!world.pairs.take(`${phoneId}/${peer}`, now)) throw chatError(131056)
}

function isWindowClosed(world: World, phoneId: string, peer: string): boolean {
  if (!world.strict) return false
  const last = world.conversations.lastWritten('chatapp', phoneId, peer)
  return last === undefined || world.time.now(refOf(phoneId)) - last > windowMs
}

function failureOf(world: World, phoneId: string, peer: string, message: Message, { symptom }: Behaviour) {
  const told = symptom && table[symptom]
  // A template needs no window.
  if (told?.at === 'later' && !(symptom === 'windowClosed' && message.type === 'template'))
    return { tells: 'failed', code: told.code }
  if (brokenLink(message)) return { tells: 'failed', code: 131053 }
  if (message.type !== 'template' && isWindowClosed(world, phoneId, peer))
    return { tells: 'failed', code: 131047 }
  return undefined
}

/** The sandbox fetches nothing; a link whose path begins with `/missing` plays one that cannot be fetched. */
function brokenLink(message: Message): boolean {
  const media = message[String(message.type)] as { link?: unknown } | undefined
  return typeof media?.link === 'string' && /^https?:\/\/[^/]+\/missing/.test(media.link)
}

async function markRead(world: World, message: Message): Promise<Answer> {
  const n = positionOf(epochOf(world), String(message.message_id))
  const found = n === undefined ? undefined : await world.ledger.find(n)
  if (found?.entry.kind !== 'received')
    throw new GraphError(100, 'Invalid parameter', { details: 'message_id' })
  return ok({ success: true })
}

function aboutOf(message: Message, to: string, category: string): Record<string, unknown> {
  const opaque = message.biz_opaque_callback_data
  return {
    to,
    ...(category === 'service' ? {} : { category }),
    ...(opaque === undefined ? {} : { opaque: String(opaque) }),
  }
}

function accepted(waba: string, { input, to, peer }: Recipient, id: string, isTemplate: boolean): Answer {
  const known = to.startsWith('+')
  const contact = known
    ? { input, wa_id: whatsappId(to), user_id: userIdOf(waba, peer) }
    : { input, user_id: input }
  return ok({
    messaging_product: 'whatsapp',
    contacts: [contact],
    messages: [{ id, ...(isTemplate ? { message_status: 'accepted' } : {}) }],
  })
}

export async function sendMessage(world: World, phoneId: string, incoming: Incoming): Promise<Answer> {
  const message = jsonBody(incoming)
  if (message.messaging_product !== 'whatsapp')
    throw new GraphError(100, 'The parameter messaging_product is required.', {
      details: 'messaging_product',
    })
  if (!isRegistered(world, phoneId)) throw chatError(133010)
  if (message.status === 'read') return markRead(world, message)
  const waba = wabaOf(world, phoneId)
  const recipient = recipientOf(waba, message)
  const account = refOf(phoneId)
  const behaviour = behaviourFor(world, account, recipient.peer, recipient.to)
  const silence = unheard(behaviour)
  if (silence) return silence
  refuse(behaviour)
  const category = checkMessage(world, waba, message)
  if (phoneKey(phoneOf(phoneId)) === recipient.peer) throw chatError(131021)
  checkRates(world, phoneId, recipient.peer)
  const failure = failureOf(world, phoneId, recipient.peer, message, behaviour)
  const entry = await record(world, {
    kind: 'sent',
    account,
    peer: recipient.peer,
    about: aboutOf(message, recipient.to, category),
    payload: incoming.body,
    tellings: tellings(world, account, behaviour, failure),
    behaviour,
  })
  const said = (message.text as { body?: string } | undefined)?.body ?? String(message.type)
  customerActs(world, account, behaviour, { from: recipient.to, text: said })
  const answer = accepted(waba, recipient, idOf(world, entry), message.type === 'template')
  return answered(behaviour, answer, () => chatError(131000).answer('whatsapp'))
}

/** Answers what kind of message it is charged as. */
function checkMessage(world: World, waba: string, message: Message): string {
  // A text may leave its type out.
  const type = typeof message.type === 'string' ? message.type : 'text'
  message.type = type
  const opaque = message.biz_opaque_callback_data
  if (opaque !== undefined && String(opaque).length > 512)
    throw chatError(131009, 'biz_opaque_callback_data is too long')
  checkContent(world, type, message)
  return type === 'template' ? checkTemplate(world, waba, message.template as TemplateMessage) : 'service'
}
