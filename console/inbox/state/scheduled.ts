/** The messages of a conversation that will be sent later. */
import { useEffect, useSyncExternalStore } from 'react'
import { api, call } from '../../api/client.ts'
import type { Message } from './thread-entries.ts'

const byConversation = new Map<string, readonly Message[]>()
const listeners = new Set<() => void>()
const none: readonly Message[] = []

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(conversationId: string, messages: readonly Message[]): void {
  byConversation.set(conversationId, messages)
  for (const listener of listeners) listener()
}

const getScheduled = (conversationId: string) => byConversation.get(conversationId) ?? none

/** Reads the scheduled messages when the conversation is opened; events keep them up to date. */
export function useScheduled(conversationId: string): readonly Message[] {
  useEffect(() => {
    const params = { path: { id: conversationId } }
    call(api.GET('/conversations/{id}/scheduled', { params })).then(
      page => set(conversationId, [...page.messages].sort(compare)),
      () => {},
    )
  }, [conversationId])
  return useSyncExternalStore(subscribe, () => getScheduled(conversationId))
}

const compare = (a: Message, b: Message) => ((a.sendAt ?? '') < (b.sendAt ?? '') ? -1 : 1)

export function receiveScheduled(message: Message): void {
  const others = getScheduled(message.conversationId).filter(({ id }) => id !== message.id)
  set(message.conversationId, [...others, message].sort(compare))
}

export function removeScheduled({ id, conversationId }: Pick<Message, 'id' | 'conversationId'>): void {
  const messages = getScheduled(conversationId)
  if (messages.some(message => message.id === id))
    set(
      conversationId,
      messages.filter(message => message.id !== id),
    )
}

export function clearScheduled(): void {
  byConversation.clear()
}
