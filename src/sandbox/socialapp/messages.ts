/** POST /{id}/messages: the social provider takes a message, or says why not. */

import { getMessageId, recordEntry, type SandboxContext } from '../context.ts'
import type { Behaviour } from '../failure-modes.ts'
import { expiredToken, jsonBody, ok, parseNested } from '../graph/graph.ts'
import { isObject, type Json } from '../http/bodies.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
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
  const fits = (reply: unknown) => isObject(reply) && String(reply.title ?? '').length <= 20
  if (!Array.isArray(replies) || replies.length > 13 || !replies.every(fits))
    throw socialError(
      100,
      'Param message[quick_replies] must have at most 13 items with titles of at most 20 characters',
    )
}

function throwImmediateFailure({ failureMode: symptom, customError: spelled }: Behaviour): void {
  if (spelled) throw socialError(spelled.code, spelled.message, spelled.status)
  if (symptom === 'tokenExpired') throw expiredToken()
  const code = symptom && failureCodes[symptom]
  if (code !== undefined) throw socialError(code)
}

function checkWindow(world: SandboxContext, account: string, peer: string, given: Json): void {
  const { messaging_type: type, tag } = given
  if (type === 'MESSAGE_TAG' && tag !== 'HUMAN_AGENT')
    throw socialError(100, 'Param tag must be HUMAN_AGENT; other message tags are no longer supported')
  if (!world.strict) return
  const last = world.conversations.lastInboundAt('socialapp', account, peer)
  const open = type === 'MESSAGE_TAG' ? 7 * day : day
  if (last === undefined || world.clock.now(toAccountRef(account)) - last > open) throw socialError(10)
}

/** One private answer to each comment, within seven days; to one on a live video, only while it may still be live. */
function checkComment(world: SandboxContext, account: string, id: string): Comment {
  if (id.startsWith('missing')) throw socialError(100, `Object with ID '${id}' does not exist`)
  const now = world.clock.now(toAccountRef(account))
  const known = findComment(world, id)
  const comment = known ?? { id, account, mediaId: '', from: `commenter-of-${id}`, text: '', at: now }
  if (comment.account !== account) throw socialError(10, 'The comment belongs to another account')
  if (comment.hasPrivateReply) throw socialError(10, 'A private reply was already sent to this comment')
  if (now - comment.at > (comment.live ? 4 * hour : 7 * day))
    throw socialError(10, 'The comment is too old for a private reply')
  return comment
}

async function handleSenderAction(recipient: Json, given: Json): Promise<HttpResponse> {
  if (!senderActions.includes(String(given.sender_action)))
    throw socialError(100, 'Param sender_action is not valid')
  const payload = parseNested(given.payload)
  if (/react$/.test(String(given.sender_action)) && payload.message_id === undefined)
    throw socialError(100, 'Param payload[message_id] is required')
  return ok({ recipient_id: recipient.id })
}

interface Recipient {
  peer: string
  comment?: Comment
}

function resolveRecipient(world: SandboxContext, account: string, recipient: Json): Recipient {
  if (recipient.comment_id !== undefined) {
    const comment = checkComment(world, account, String(recipient.comment_id))
    return { peer: comment.from, comment }
  }
  const peer = String(recipient.id ?? '')
  if (peer === '') throw socialError(100, 'Param recipient must have an id or a comment_id')
  if (peer.startsWith('missing')) throw socialError(100)
  return { peer }
}

function planCallbacks(world: SandboxContext, account: string, behaviour: Behaviour) {
  const statuses = behaviour.statuses ?? world.faults.callbackFaults(toAccountRef(account)).statuses ?? []
  return [{ tells: 'echo' }, ...(statuses.includes('read') ? [{ tells: 'read' }] : [])]
}

export async function sendMessage(
  world: SandboxContext,
  account: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const given = jsonBody(incoming)
  const recipient = parseNested(given.recipient)
  if (given.sender_action !== undefined) return handleSenderAction(recipient, given)
  const { peer, comment } = resolveRecipient(world, account, recipient)
  const ref = toAccountRef(account)
  const behaviour = getBehaviour(world, ref, peer, peer)
  const silence = noResponse(behaviour)
  if (silence) return silence
  throwImmediateFailure(behaviour)
  const message = parseNested(given.message)
  checkMessage(message)
  if (comment) await saveComment(world, { ...comment, hasPrivateReply: true })
  else checkWindow(world, account, peer, given)
  const entry = await recordEntry(world, {
    kind: 'sent',
    account: ref,
    peer,
    about: { to: peer },
    payload: incoming.body,
    callbacks: planCallbacks(world, account, behaviour),
    behaviour,
  })
  scheduleCustomerReply(world, ref, behaviour, { from: peer, text: String(message.text ?? 'something') })
  const answer = ok({ recipient_id: peer, message_id: getMessageId(world, entry) })
  return toResponse(behaviour, answer, () => socialError(2).toResponse())
}
