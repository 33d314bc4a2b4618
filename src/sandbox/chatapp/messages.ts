/** POST /{phone_number_id}/messages: validates, accepts and records a message. */

import { findMessage, getMessageId, recordEntry, type SandboxContext } from '../context.ts'
import { isPhone, isUserId, normalizePhone, parseUserId, toUserId, toWhatsappId } from '../customers.ts'
import type { Behaviour } from '../failure-modes.ts'
import { type EdgeHandler, expiredToken, GraphError, jsonBody, ok } from '../graph/graph.ts'
import type { HttpResponse } from '../http/server.ts'
import { getBehaviour, noResponse, planCallbacks, scheduleCustomerReply, toResponse } from '../sending.ts'
import { checkContent } from './content.ts'
import { chatError, failureReports } from './errors.ts'
import { getPhone, getWaba, hasHighThroughput, isRegistered, toAccountRef } from './numbers.ts'
import { checkTemplate, type TemplateMessage } from './template-check.ts'

type Message = Record<string, unknown>

const windowMs = 24 * 3_600_000

interface Recipient {
  /** address in the ledger */
  to: string
  customer: string
  input: string
}

function resolveRecipient(waba: string, message: Message): Recipient {
  const { to, recipient } = message
  if (to !== undefined) {
    const input = String(to)
    if (!isPhone(input)) throw chatError(131009, `${input} is not a phone number`)
    return { to: `+${input.replace(/\D/g, '')}`, customer: normalizePhone(input), input }
  }
  if (recipient === undefined) throw new GraphError(100, 'The parameter to is required.', { details: 'to' })
  const input = String(recipient)
  if (!isUserId(input)) throw chatError(131009, `${input} is not a business-scoped user id`)
  const phone = parseUserId(waba, input)
  return { to: phone ? `+${phone}` : input, customer: phone ?? input, input }
}

function throwImmediateFailure(behaviour: Behaviour): void {
  const { failureMode, customError } = behaviour
  if (customError) throw chatError(customError.code, customError.message, customError.status)
  if (failureMode === 'tokenExpired') throw expiredToken()
  const report = failureMode && failureReports[failureMode]
  if (report?.by === 'response') throw chatError(report.code)
}

/** Applies the provider's rate limits in strict mode. */
function checkRates(context: SandboxContext, phoneId: string, customer: string): void {
  if (!context.strict) return
  const now = context.clock.now(toAccountRef(phoneId))
  const number = hasHighThroughput(phoneId) ? context.fastNumberLimits : context.numberLimits
  if (!number.take(phoneId, now).taken) throw chatError(130429)
  if (!context.recipientLimits.take(`${phoneId}/${customer}`, now).taken) throw chatError(131056)
}

function isWindowClosed(context: SandboxContext, phoneId: string, customer: string): boolean {
  if (!context.strict) return false
  const last = context.conversations.lastInboundAt('chatapp', phoneId, customer)
  return last === undefined || context.clock.now(toAccountRef(phoneId)) - last > windowMs
}

function getCallbackFailure(
  context: SandboxContext,
  phoneId: string,
  customer: string,
  message: Message,
  { failureMode }: Behaviour,
) {
  const report = failureMode && failureReports[failureMode]
  // Templates need no open window.
  if (report?.by === 'callback' && !(failureMode === 'windowClosed' && message.type === 'template'))
    return { type: 'failed', code: report.code }
  if (hasBrokenLink(message)) return { type: 'failed', code: 131053 }
  if (message.type !== 'template' && isWindowClosed(context, phoneId, customer))
    return { type: 'failed', code: 131047 }
  return undefined
}

/** Links are not fetched; those whose path begins with `/missing` count as broken. */
function hasBrokenLink(message: Message): boolean {
  const media = message[String(message.type)] as { link?: unknown } | undefined
  return typeof media?.link === 'string' && /^https?:\/\/[^/]+\/missing/.test(media.link)
}

async function markRead(context: SandboxContext, message: Message): Promise<HttpResponse> {
  const found = await findMessage(context, String(message.message_id))
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
  { input, to, customer }: Recipient,
  id: string,
  isTemplate: boolean,
): HttpResponse {
  const isPhoneKnown = to.startsWith('+')
  const contact = isPhoneKnown
    ? { input, wa_id: toWhatsappId(to), user_id: toUserId(waba, customer) }
    : { input, user_id: input }
  return ok({
    messaging_product: 'whatsapp',
    contacts: [contact],
    messages: [{ id, ...(isTemplate ? { message_status: 'accepted' } : {}) }],
  })
}

export const sendMessage: EdgeHandler = async (context, phoneId, request) => {
  const message = jsonBody(request)
  if (message.messaging_product !== 'whatsapp')
    throw new GraphError(100, 'The parameter messaging_product is required.', {
      details: 'messaging_product',
    })
  if (!isRegistered(context, phoneId)) throw chatError(133010)
  if (message.status === 'read') return markRead(context, message)
  const waba = getWaba(context, phoneId)
  const recipient = resolveRecipient(waba, message)
  const account = toAccountRef(phoneId)
  const behaviour = getBehaviour(context, account, recipient.customer, recipient.to)
  const silence = noResponse(behaviour)
  if (silence) return silence
  throwImmediateFailure(behaviour)
  const category = checkMessage(context, waba, message)
  if (normalizePhone(getPhone(phoneId)) === recipient.customer) throw chatError(131021)
  checkRates(context, phoneId, recipient.customer)
  const failure = getCallbackFailure(context, phoneId, recipient.customer, message, behaviour)
  const entry = await recordEntry(context, {
    kind: 'sent',
    account,
    customer: recipient.customer,
    metadata: buildMetadata(message, recipient.to, category),
    payload: request.body,
    callbacks: planCallbacks(context, account, behaviour, failure),
    behaviour,
  })
  const text = (message.text as { body?: string } | undefined)?.body ?? String(message.type)
  scheduleCustomerReply(context, account, behaviour, { from: recipient.to, text })
  const response = buildAcceptedResponse(
    waba,
    recipient,
    getMessageId(context, entry),
    message.type === 'template',
  )
  return toResponse(behaviour, response, () => chatError(131000).toResponse('whatsapp'))
}

/** Validates the message and returns its pricing category. */
function checkMessage(context: SandboxContext, waba: string, message: Message): string {
  // The type of a text message is optional.
  const type = typeof message.type === 'string' ? message.type : 'text'
  message.type = type
  const opaque = message.biz_opaque_callback_data
  if (opaque !== undefined && String(opaque).length > 512)
    throw chatError(131009, 'biz_opaque_callback_data is too long')
  checkContent(context, type, message)
  return type === 'template' ? checkTemplate(context, waba, message.template as TemplateMessage) : 'service'
}
