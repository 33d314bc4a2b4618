/** Where the unread messages began when the conversation was opened; opening it marks them as read. */
import { useRef } from 'react'
import type { Entry } from '../state/thread-entries.ts'
import type { Conversation } from '../state/views.ts'

/** Returns the id of the first message that was unread, if it is loaded. */
export function useUnreadLine(
  conversation: Conversation | undefined,
  entries: readonly Entry[],
): string | undefined {
  const opened = useRef<Pick<Conversation, 'lastReadMessageId' | 'unreadCount'>>(undefined)
  // Events leave the count out: it is known when the conversation was read from the service.
  if (!opened.current && conversation?.unreadCount !== undefined) opened.current = conversation
  if (!opened.current?.unreadCount) return undefined
  const { lastReadMessageId } = opened.current
  const lastRead = entries.findIndex(({ id }) => id === lastReadMessageId)
  if (lastRead < 0 && lastReadMessageId) return undefined
  return entries
    .slice(lastRead + 1)
    .find(entry => entry.type === 'message' && entry.message.senderType === 'customer')?.id
}
