/** POST /{id}/messages: the social provider takes a message, or says why not. */
import { isObject, type Json } from '../bodies.ts'
import { expiredToken, jsonBody, nested, ok } from '../graph.ts'
import type { Answer, Incoming } from '../http.ts'
import { answered, behaviourFor, customerActs, unheard } from '../sending.ts'
import type { Behaviour } from '../symptoms.ts'
import { idOf, record, type World } from '../world.ts'
import { type Comment, commentOf, refOf, saveComment } from './accounts.ts'
import { socialError, table } from './errors.ts'

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
  const payload = nested(attachment.payload)
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
  if (attachment !== undefined) checkAttachment(nested(attachment))
  const replies = message.quick_replies
  if (replies === undefined) return
  const fits = (reply: unknown) => isObject(reply) && String(reply.title ?? '').length <= 20
  if (!Array.isArray(replies) || replies.length > 13 || !replies.every(fits))
    throw socialError(
      100,
      'Param message[quick_replies] must have at most 13 items with titles of at most 20 characters',
    )
}

function refuse({ symptom, spelled }: Behaviour): void {
  if (spelled) throw socialError(spelled.code, spelled.message, spelled.status)
  if (symptom === 'tokenExpired') throw expiredToken()
  const code = symptom && table[symptom]
  if (code !== undefined) throw socialError(code)
}

function checkWindow(world: World, account: string, peer: string, given: Json): void {
  const { messaging_type: type, tag } = given
  if (type === 'MESSAGE_TAG' && tag !== 'HUMAN_AGENT')
    throw socialError(100, 'Param tag must be HUMAN_AGENT; other message tags are no longer supported')
  if (!world.strict) return
  const last = world.conversations.lastWritten('socialapp', account, peer)
  const open = type === 'MESSAGE_TAG' ? 7 * day : day
  if (last === undefined || world.time.now(refOf(account)) - last > open) throw socialError(10)
}

/** One private answer to each comment, within seven days; to one on a live video, only while it may still be live. */
function checkComment(world: World, account: string, id: string): Comment {
  if (id.startsWith('missing')) throw socialError(100, `Object with ID '${id}' does not exist`)
  const now = world.time.now(refOf(account))
  const known = commentOf(world, id)
  const comment = known ?? { id, account, mediaId: '', from: `commenter-of-${id}`, text: '', at: now }
  if (comment.account !== account) throw socialError(10, 'The comment belongs to another account')
  if (comment.isAnswered) throw socialError(10, 'A private reply was already sent to this comment')
  if (now - comment.at > (comment.live ? 4 * hour : 7 * day))
    throw socialError(10, 'The comment is too old for a private reply')
  return comment
}

async function act(recipient: Json, given: Json): Promise<Answer> {
  if (!senderActions.includes(String(given.sender_action)))
    throw socialError(100, 'Param sender_action is not valid')
  const payload = nested(given.payload)
  if (/react$/.test(String(given.sender_action)) && payload.message_id === undefined)
    throw socialError(100, 'Param payload[message_id] is required')
  return ok({ recipient_id: recipient.id })
}

interface Addressed {
  peer: string
  comment?: Comment
}

function addressed(world: World, account: string, recipient: Json): Addressed {
  if (recipient.comment_id !== undefined) {
    const comment = checkComment(world, account, String(recipient.comment_id))
    return { peer: comment.from, comment }
  }
  const peer = String(recipient.id ?? '')
  if (peer === '') throw socialError(100, 'Param recipient must have an id or a comment_id')
  if (peer.startsWith('missing')) throw socialError(100)
  return { peer }
}

function tellingsOf(world: World, account: string, behaviour: Behaviour) {
  const statuses = behaviour.tells ?? world.faults.callbacks(refOf(account)).statuses ?? []
  return [{ tells: 'echo' }, ...(statuses.includes('read') ? [{ tells: 'read' }] : [])]
}

export async function sendMessage(world: World, account: string, incoming: Incoming): Promise<Answer> {
  const given = jsonBody(incoming)
  const recipient = nested(given.recipient)
  if (given.sender_action !== undefined) return act(recipient, given)
  const { peer, comment } = addressed(world, account, recipient)
  const ref = refOf(account)
  const behaviour = behaviourFor(world, ref, peer, peer)
  const silence = unheard(behaviour)
  if (silence) return silence
  refuse(behaviour)
  const message = nested(given.message)
  checkMessage(message)
  if (comment) await saveComment(world, { ...comment, isAnswered: true })
  else checkWindow(world, account, peer, given)
  const entry = await record(world, {
    kind: 'sent',
    account: ref,
    peer,
    about: { to: peer },
    payload: incoming.body,
    tellings: tellingsOf(world, account, behaviour),
    behaviour,
  })
  customerActs(world, ref, behaviour, { from: peer, text: String(message.text ?? 'something') })
  const answer = ok({ recipient_id: peer, message_id: idOf(world, entry) })
  return answered(behaviour, answer, () => socialError(2).answer())
}
