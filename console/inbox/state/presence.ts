/** Who else has the conversations of this screen open, and who types in them. Nothing of this is stored. */
import { useSyncExternalStore } from 'react'
import { sendFrame } from '../../api/realtime.ts'
import { getSignedIn } from '../../api/session.ts'
import type { DraftKind } from './drafts.ts'

export interface Participant {
  userId: string
  typing: DraftKind | null
}

const none: readonly Participant[] = []
/** The service forgets typing after five seconds. */
const repeatMs = 2_500
const byConversation = new Map<string, readonly Participant[]>()
const listeners = new Set<() => void>()
let viewedId: string | undefined
let typed: { conversationId: string; kind: DraftKind; at: number } | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The colleagues in the conversation, without the user. */
export function useParticipants(conversationId: string): readonly Participant[] {
  return useSyncExternalStore(subscribe, () => byConversation.get(conversationId) ?? none)
}

export function receivePresence({
  conversationId,
  users,
}: {
  conversationId: string
  users: readonly Participant[]
}): void {
  const { me } = getSignedIn()
  byConversation.set(
    conversationId,
    users.filter(({ userId }) => userId !== me.id),
  )
  for (const listener of listeners) listener()
}

/** A hidden tab does not show the conversation to its user. */
function sendViewed(): void {
  sendFrame('viewing', { conversationId: document.hidden ? null : (viewedId ?? null) })
}

export function setViewed(conversationId: string | undefined): void {
  if (viewedId && !rows.has(viewedId)) byConversation.delete(viewedId)
  viewedId = conversationId
  document.removeEventListener('visibilitychange', sendViewed)
  if (conversationId) document.addEventListener('visibilitychange', sendViewed)
  resendPresence()
}

/** The service knows nothing about a new connection. */
export function resendPresence(): void {
  typed = undefined
  sendWatched()
  sendViewed()
}

/** The rows on the screen. The service accepts 200 conversations, which is more than a screen has. */
const rows = new Set<string>()
const watchDelayMs = 300
let watchTimer: ReturnType<typeof setTimeout> | undefined

function sendWatched(): void {
  clearTimeout(watchTimer)
  watchTimer = undefined
  const conversationIds = [...new Set([...(viewedId ? [viewedId] : []), ...rows])].slice(0, 200)
  sendFrame('watch', { conversationIds })
}

/** Follows the colleagues in the conversation of a row until the returned function is called. */
export function watchRow(conversationId: string): () => void {
  rows.add(conversationId)
  watchTimer ??= setTimeout(sendWatched, watchDelayMs)
  return () => {
    rows.delete(conversationId)
    if (conversationId !== viewedId) byConversation.delete(conversationId)
    watchTimer ??= setTimeout(sendWatched, watchDelayMs)
  }
}

/** Called on every change of the text: reports the first, then one every few seconds, and the end. */
export function reportTyping(conversationId: string, kind: DraftKind, isTyping: boolean): void {
  if (!isTyping) {
    if (typed) sendFrame('typing', { conversationId, kind: null })
    typed = undefined
    return
  }
  const isKnown = typed?.conversationId === conversationId && typed.kind === kind
  if (isKnown && Date.now() - typed!.at < repeatMs) return
  typed = { conversationId, kind, at: Date.now() }
  sendFrame('typing', { conversationId, kind })
}

export function clearPresence(): void {
  byConversation.clear()
  clearTimeout(watchTimer)
  watchTimer = undefined
  viewedId = undefined
  typed = undefined
}
