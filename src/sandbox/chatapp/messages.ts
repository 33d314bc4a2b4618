/** POST /{phone_number_id}/messages: the chat provider takes a message, or says why not. */

import { getEpoch, getMessageId, recordEntry, type SandboxContext } from '../context.ts'
import { isPhone, isUserId, normalizePhone, parseUserId, toUserId, toWhatsappId } from '../customers.ts'
import type { Behaviour } from '../failure-modes.ts'
import { expiredToken, GraphError, jsonBody, ok } from '../graph/graph.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import { parseMessageId } from '../identifiers.ts'
import { getBehaviour, noResponse, planCallbacks, scheduleCustomerReply, toResponse } from '../sending.ts'
import { checkContent } from './content.ts'
import { chatError, failureReports } from './errors.ts'
import { getPhone, getWaba, hasHighThroughput, isRegistered, toAccountRef } from './numbers.ts'
import { checkTemplate, type TemplateMessage } from './template-check.ts'

type Message = Record<string, unknown>

const windowMs = 24 * 3_600_000

interface Recipient {
  /** as the ledger shows it */
  to: string
  peer: string
  input: string
}

function resolveRecipient(waba: string, message: Message): Recipient {
  const { to, recipient } = message
  if (to !== undefined) {
    const input = String(to)
    if (!isPhone(input)) throw chatError(131009, `${input} is not a phone number`)
    return { to: `+${input.replace(/\D/g, '')}`, peer: normalizePhone(input), input }
  }
  if (recipient === undefined) throw new GraphError(100, 'The parameter to is required.', { details: 'to' })
  const input = String(recipient)
  if (!isUserId(input)) throw chatError(131009, `${input} is not a business-scoped user id`)
  const phone = parseUserId(waba, input)
  return { to: phone ? `+${phone}` : input, peer: phone ?? input, input }
}

function throwImmediateFailure(behaviour: Behaviour): void {
  const { failureMode: symptom, customError: spelled } = behaviour
  if (spelled) throw chatError(spelled.code, spelled.message, spelled.status)
  if (symptom === 'tokenExpired') throw expiredToken()
  const told = symptom && failureReports[symptom]
  if (told?.at === 'once') throw chatError(told.code)
}

/** The provider's real rates. */
function checkRates(world: SandboxContext, phoneId: string, peer: string): void {
  if (!world.strict) return
  const now = world.clock.now(toAccountRef(phoneId))
  const number = hasHighThroughput(phoneId) ? world.fastNumberLimits : world.numberLimits
  if (!number.take(phoneId, now)) throw chatError(130429)
  if (!world.recipientLimits.take(`${phoneId}/${peer}`, now)) throw chatError(131056)
}

function isWindowClosed(world: SandboxContext, phoneId: string, peer: string): boolean {
  if (!world.strict) return false
  const last = world.conversations.lastInboundAt('chatapp', phoneId, peer)
  return last === undefined || world.clock.now(toAccountRef(phoneId)) - last > windowMs
}

function getCallbackFailure(
  world: SandboxContext,
  phoneId: string,
  peer: string,
  message: Message,
  { failureMode: symptom }: Behaviour,
) {
  const told = symptom && failureReports[symptom]
  // A template needs no window.
  if (told?.at === 'later' && !(symptom === 'windowClosed' && message.type === 'template'))
    return { tells: 'failed', code: told.code }
  if (hasBrokenLink(message)) return { tells: 'failed', code: 131053 }
  if (message.type !== 'template' && isWindowClosed(world, phoneId, peer))
    return { tells: 'failed', code: 131047 }
  return undefined
}

/** The sandbox fetches nothing; a link whose path begins with `/missing` plays one that cannot be fetched. */
function hasBrokenLink(message: Message): boolean {
  const media = message[String(message.type)] as { link?: unknown } | undefined
  return typeof media?.link === 'string' && /^https?:\/\/[^/]+\/missing/.test(media.link)
}

async function markRead(world: SandboxContext, message: Message): Promise<HttpResponse> {
  const n = parseMessageId(getEpoch(world), String(message.message_id))
  const found = n === undefined ? undefined : await world.ledger.find(n)
  if (found?.entry.kind !== 'received')
    throw new GraphError(100, 'Invalid parameter', { details: 'message_id' })
  return ok({ success: true })
}

function buildMetadata(message: Message, to: string, category: string): Record<string, unknown> {
  const opaque = message.biz_opaque_callback_data
  return {
    to,
    ...(category === 'service' ? {} : { category }),
    ...(opaque === undefined ? {} : { opaque: String(opaque) }),
  }
}

function buildAcceptedResponse(
  waba: string,
  { input, to, peer }: Recipient,
  id: string,
  isTemplate: boolean,
): HttpResponse {
  const known = to.startsWith('+')
  const contact = known
    ? { input, wa_id: toWhatsappId(to), user_id: toUserId(waba, peer) }
    : { input, user_id: input }
  return ok({
    messaging_product: 'whatsapp',
    contacts: [contact],
    messages: [{ id, ...(isTemplate ? { message_status: 'accepted' } : {}) }],
  })
}

export async function sendMessage(
  world: SandboxContext,
  phoneId: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const message = jsonBody(incoming)
  if (message.messaging_product !== 'whatsapp')
    throw new GraphError(100, 'The parameter messaging_product is required.', {
      details: 'messaging_product',
    })
  if (!isRegistered(world, phoneId)) throw chatError(133010)
  if (message.status === 'read') return markRead(world, message)
  const waba = getWaba(world, phoneId)
  const recipient = resolveRecipient(waba, message)
  const account = toAccountRef(phoneId)
  const behaviour = getBehaviour(world, account, recipient.peer, recipient.to)
  const silence = noResponse(behaviour)
  if (silence) return silence
  throwImmediateFailure(behaviour)
  const category = checkMessage(world, waba, message)
  if (normalizePhone(getPhone(phoneId)) === recipient.peer) throw chatError(131021)
  checkRates(world, phoneId, recipient.peer)
  const failure = getCallbackFailure(world, phoneId, recipient.peer, message, behaviour)
  const entry = await recordEntry(world, {
    kind: 'sent',
    account,
    peer: recipient.peer,
    about: buildMetadata(message, recipient.to, category),
    payload: incoming.body,
    callbacks: planCallbacks(world, account, behaviour, failure),
    behaviour,
  })
  const said = (message.text as { body?: string } | undefined)?.body ?? String(message.type)
  scheduleCustomerReply(world, account, behaviour, { from: recipient.to, text: said })
  const answer = buildAcceptedResponse(
    waba,
    recipient,
    getMessageId(world, entry),
    message.type === 'template',
  )
  return toResponse(behaviour, answer, () => chatError(131000).toResponse('whatsapp'))
}

/** Answers what kind of message it is charged as. */
function checkMessage(world: SandboxContext, waba: string, message: Message): string {
  // A text may leave its type out.
  const type = typeof message.type === 'string' ? message.type : 'text'
  message.type = type
  const opaque = message.biz_opaque_callback_data
  if (opaque !== undefined && String(opaque).length > 512)
    throw chatError(131009, 'biz_opaque_callback_data is too long')
  checkContent(world, type, message)
  return type === 'template' ? checkTemplate(world, waba, message.template as TemplateMessage) : 'service'
}
