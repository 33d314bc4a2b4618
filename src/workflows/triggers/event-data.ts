/** Extracts entries, texts and keywords from events of the log. */
import type { LinkedContact } from '../../contacts/schemas.ts'
import type { Conversation, Message } from '../../conversations/schemas.ts'
import { type Content, listFormValues } from '../../inboxes/content.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import type { Json } from '../nodes/node-type.ts'
import type { Entry } from './trigger-type.ts'

export function contactEntry(event: LogEvent, data: Record<string, unknown> = {}): Entry {
  const { contact } = event.data as { contact: LinkedContact }
  return entry(event, contact.id, null, data)
}

export function conversationEntry(event: LogEvent, data: Record<string, unknown> = {}): Entry {
  const { conversation } = event.data as { conversation: Conversation }
  const message = customerMessage(event)?.message
  return {
    ...entry(event, conversation.contactId, conversation.id, data),
    ...(message ? { message } : {}),
  }
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

/** Returns the customer's message of an event with its conversation, or undefined for any other event. */
export function customerMessage(
  event: LogEvent,
): { message: Message; conversation: Conversation } | undefined {
  const data = event.data as { message: Message; conversation: Conversation }
  return event.type === 'message.created' && data.message.senderType === 'customer' ? data : undefined
}

/** Returns the text of a message or selected reply; of a form, its values in lines. */
export function getText(content: Content): string {
  if (content.type === 'text') return content.text.body
  if (content.type === 'reply') return content.reply.title
  if (content.type === 'media') return content.media.caption ?? ''
  if (content.type === 'formResponse') return listFormValues(content).join('\n')
  return ''
}

/** Returns the id of the selected button or list row. */
export function getReplyId(content: Content): string | null {
  return content.type === 'reply' ? content.reply.id : null
}

const separators = /[^\p{L}\p{N}]+/u

/** Returns whether the text contains the words of one of the keywords in sequence, ignoring case. */
export function hasKeyword(text: string, keywords: readonly string[]): boolean {
  const words = ` ${splitWords(text).join(' ')} `
  return keywords.some(keyword => {
    const wanted = splitWords(keyword).join(' ')
    // A keyword without letters or digits, such as an emoji, is searched for unchanged.
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
