/** POST /{id}/messages: validates, accepts and records a message. */

import { getMessageId, recordEntry, type SandboxContext } from '../context.ts'
import type { Behaviour } from '../failure-modes.ts'
import { type EdgeHandler, expiredToken, jsonBody, ok, parseNested } from '../graph/graph.ts'
import { isObject, type Json } from '../http/bodies.ts'
import type { HttpResponse } from '../http/server.ts'
import { getBehaviour, noResponse, scheduleCustomerReply, toResponse } from '../sending.ts'
import { type Comment, findComment, saveComment, toAccountRef } from './accounts.ts'
import { failureCodes, socialError } from './errors.ts'

const hour = 3_600_000
const day = 24 * hour
const attachmentTypes = ['image', 'audio', 'video', 'file', 'template', 'media_share', 'like_heart']
const senderActions = ['typing_on', 'typing_off', 'mark_seen', 'react', 'unreact']

function checkTemplatePayload(payload: Json): void {
  if (payload.template_type === 'button') {
    if (String(payload.text ?? '').length > 640) throw socialError(100, 'Param text is too long')
    if (!Array.isArray(payload.buttons) || payload.buttons.length > 3)
      throw socialError(100, 'Param buttons must have 1 to 3 items')
  }
  if (
    payload.template_type === 'generic' &&
    (!Array.isArray(payload.elements) || payload.elements.length > 10)
  )
    throw socialError(100, 'Param elements must have 1 to 10 items')
}

function checkAttachment(attachment: Json): void {
  const type = String(attachment.type).toLowerCase()
  const payload = parseNested(attachment.payload)
  if (!attachmentTypes.includes(type)) throw socialError(100, 'Param attachment[type] is not supported')
  if (type === 'template') checkTemplatePayload(payload)
  const needsSource = ['image', 'audio', 'video', 'file'].includes(type)
  if (needsSource && payload.url === undefined && payload.attachment_id === undefined)
    throw socialError(100, 'Param attachment[payload] needs a url or an attachment_id')
  if (payload.url !== undefined && !/^https?:\/\//.test(String(payload.url)))
    throw socialError(100, 'Param attachment[payload][url] is not a URL')
}

function checkMessage(message: Json): void {
  const { text, attachment, attachments } = message
  if (text === undefined && attachment === undefined && attachments === undefined)
    throw socialError(100, 'Param message must have text or an attachment')
  if (text !== undefined && (typeof text !== 'string' || text === '' || Buffer.byteLength(text) > 1000))
    throw socialError(100, 'Length of param message[text] must be between 1 and 1000 bytes')
  if (attachment !== undefined) checkAttachment(parseNested(attachment))
  const replies = message.quick_replies
  if (replies === undefined) return
  const isValid = (reply: unknown) => isObject(reply) && String(reply.title ?? '').length <= 20
  if (!Array.isArray(replies) || replies.length > 13 || !replies.every(isValid))
    throw socialError(
      100,
      'Param message[quick_replies] must have at most 13 items with titles of at most 20 characters',
    )
}

function throwImmediateFailure({ failureMode, customError }: Behaviour): void {
  if (customError) throw socialError(customError.code, customError.message, customError.status)
  if (failureMode === 'tokenExpired') throw expiredToken()
  const code = failureMode && failureCodes[failureMode]
  if (code !== undefined) throw socialError(code)
}

function checkWindow(context: SandboxContext, account: string, customer: string, input: Json): void {
  const { messaging_type: type, tag } = input
  if (type === 'MESSAGE_TAG' && tag !== 'HUMAN_AGENT')
    throw socialError(100, 'Param tag must be HUMAN_AGENT; other message tags are no longer supported')
  if (!context.strict) return
  const last = context.conversations.lastInboundAt('socialapp', account, customer)
  const open = type === 'MESSAGE_TAG' ? 7 * day : day
  if (last === undefined || context.clock.now(toAccountRef(account)) - last > open) throw socialError(10)
}

/** Allows one private reply per comment within seven days; for live videos within four hours. */
function checkComment(context: SandboxContext, account: string, id: string): Comment {
  if (id.startsWith('missing')) throw socialError(100, `Object with ID '${id}' does not exist`)
  const now = context.clock.now(toAccountRef(account))
  const comment = findComment(context, id) ?? {
    id,
    account,
    mediaId: '',
    from: `commenter-of-${id}`,
    text: '',
    at: now,
  }
  if (comment.account !== account) throw socialError(10, 'The comment belongs to another account')
  if (comment.hasPrivateReply) throw socialError(10, 'A private reply was already sent to this comment')
  if (now - comment.at > (comment.live ? 4 * hour : 7 * day))
    throw socialError(10, 'The comment is too old for a private reply')
  return comment
}

async function handleSenderAction(recipient: Json, input: Json): Promise<HttpResponse> {
  if (!senderActions.includes(String(input.sender_action)))
    throw socialError(100, 'Param sender_action is not valid')
  const payload = parseNested(input.payload)
  if (/react$/.test(String(input.sender_action)) && payload.message_id === undefined)
    throw socialError(100, 'Param payload[message_id] is required')
  return ok({ recipient_id: recipient.id })
}

interface Recipient {
  customer: string
  comment?: Comment
}

function resolveRecipient(context: SandboxContext, account: string, recipient: Json): Recipient {
  if (recipient.comment_id !== undefined) {
    const comment = checkComment(context, account, String(recipient.comment_id))
    return { customer: comment.from, comment }
  }
  const customer = String(recipient.id ?? '')
  if (customer === '') throw socialError(100, 'Param recipient must have an id or a comment_id')
  if (customer.startsWith('missing')) throw socialError(100)
  return { customer }
}

function planCallbacks(context: SandboxContext, account: string, behaviour: Behaviour) {
  const statuses = behaviour.statuses ?? context.faults.callbackFaults(toAccountRef(account)).statuses ?? []
  return [{ type: 'echo' }, ...(statuses.includes('read') ? [{ type: 'read' }] : [])]
}

export const sendMessage: EdgeHandler = async (context, account, request) => {
  const input = jsonBody(request)
  const recipient = parseNested(input.recipient)
  if (input.sender_action !== undefined) return handleSenderAction(recipient, input)
  const { customer, comment } = resolveRecipient(context, account, recipient)
  const ref = toAccountRef(account)
  const behaviour = getBehaviour(context, ref, customer, customer)
  const silence = noResponse(behaviour)
  if (silence) return silence
  throwImmediateFailure(behaviour)
  const message = parseNested(input.message)
  checkMessage(message)
  if (comment) await saveComment(context, { ...comment, hasPrivateReply: true })
  else checkWindow(context, account, customer, input)
  const entry = await recordEntry(context, {
    kind: 'sent',
    account: ref,
    customer,
    metadata: { to: customer },
    payload: request.body,
    callbacks: planCallbacks(context, account, behaviour),
    behaviour,
  })
  scheduleCustomerReply(context, ref, behaviour, {
    from: customer,
    text: String(message.text ?? 'something'),
  })
  const response = ok({ recipient_id: customer, message_id: getMessageId(context, entry) })
  return toResponse(behaviour, response, () => socialError(2).toResponse())
}
