/** What triggers read out of events. */
import { type LinkedContact } from '../../contacts/schemas.ts'
import type { Conversation, Message } from '../../conversations/schemas.ts'
import type { Content } from '../../inboxes/content.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import type { Json } from '../nodes/node-type.ts'
import type { Entry } from './trigger-type.ts'

export function contactEntry(event: LogEvent, data: Record<string, unknown> = {}): Entry {
  const { contact } = event.data as { contact: LinkedContact }
  return entry(event, contact.id, null, data)
}

export function conversationEntry(event: LogEvent, data: Record<string, unknown> = {}): Entry {
  const { conversation } = event.data as { conversation: Conversation }
  return entry(event, conversation.contactId, conversation.id, data)
}

function entry(
  event: LogEvent,
  contactId: string,
  conversationId: string | null,
  data: Record<string, unknown>,
): Entry {
  return {
    contactId,
    conversationId,
    event: { name: event.type, key: null, data: data as Record<string, Json> },
  }
}

/** A message by the customer, with its conversation. */
export function customerMessage(
  event: LogEvent,
): { message: Message; conversation: Conversation } | undefined {
  const data = event.data as { message: Message; conversation: Conversation }
  return event.type === 'message.created' && data.message.senderType === 'customer' ? data : undefined
}

/** What somebody wrote or chose, in words. */
export function getText(content: Content): string {
  if (content.type === 'text') return content.text.body
  if (content.type === 'reply') return content.reply.title
  if (content.type === 'media') return content.media.caption ?? ''
  return ''
}

/** The id of the button or list row that was chosen. */
export function getReplyId(content: Content): string | null {
  return content.type === 'reply' ? content.reply.id : null
}

const separators = /[^\p{L}\p{N}]+/u

/** Whether the words of one of the keywords stand in the text one after the other, whatever their case. */
export function hasKeyword(text: string, keywords: readonly string[]): boolean {
  const words = ` ${splitWords(text).join(' ')} `
  return keywords.some(keyword => {
    const wanted = splitWords(keyword).join(' ')
    // A keyword without letters, an emoji, is looked for as it stands.
    return wanted === '' ? text.includes(keyword) : words.includes(` ${wanted} `)
  })
}

function splitWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(separators)
    .filter(word => word !== '')
}
