/** The other users who have the conversations or the workflow of this screen open or type in them. Not stored. */
import { useSyncExternalStore } from 'react'
import { sendFrame } from '../api/realtime.ts'
import { getSignedIn } from '../api/session.ts'

type TypingKind = 'reply' | 'note'

export interface Participant {
  userId: string
  typing: TypingKind | null
}

const none: readonly Participant[] = []
/** The service forgets typing after five seconds. */
const repeatMs = 2_500
/** By the id of the conversation or workflow. */
const byPlace = new Map<string, readonly Participant[]>()
const listeners = new Set<() => void>()
let viewed: { kind: 'conversation' | 'workflow'; id: string } | undefined
let typed: { conversationId: string; kind: TypingKind; at: number } | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The colleagues in the conversation or workflow, without the user. */
export function useParticipants(id: string): readonly Participant[] {
  return useSyncExternalStore(subscribe, () => byPlace.get(id) ?? none)
}

interface PresenceFrame {
  conversationId?: string
  workflowId?: string
  users: readonly Participant[]
}

export function receivePresence({ conversationId, workflowId, users }: PresenceFrame): void {
  const { me } = getSignedIn()
  byPlace.set(
    (conversationId ?? workflowId)!,
    users.filter(({ userId }) => userId !== me.id),
  )
  for (const listener of listeners) listener()
}

/** A hidden tab shows nothing to its user. */
function sendViewed(): void {
  const isShown = viewed && !document.hidden
  sendFrame('viewing', isShown ? { [`${viewed!.kind}Id`]: viewed!.id } : { conversationId: null })
}

/** Sets what the screen shows. A screen that is left ends only what it has set itself. */
export function setViewed(kind: 'conversation' | 'workflow', id: string | undefined): void {
  if (id === undefined && viewed?.kind !== kind) return
  if (viewed && !rows.has(viewed.id)) byPlace.delete(viewed.id)
  viewed = id === undefined ? undefined : { kind, id }
  document.removeEventListener('visibilitychange', sendViewed)
  if (viewed) document.addEventListener('visibilitychange', sendViewed)
  resendPresence()
}

/** The service has no state of a new connection. */
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
  const toIds = (kind: string) => (viewed?.kind === kind ? [viewed.id] : [])
  const conversationIds = [...new Set([...toIds('conversation'), ...rows])].slice(0, 200)
  sendFrame('watch', { conversationIds, workflowIds: toIds('workflow') })
}

/** Follows the colleagues in the conversation of a row until the returned function is called. */
export function watchRow(conversationId: string): () => void {
  rows.add(conversationId)
  watchTimer ??= setTimeout(sendWatched, watchDelayMs)
  return () => {
    rows.delete(conversationId)
    if (conversationId !== viewed?.id) byPlace.delete(conversationId)
    watchTimer ??= setTimeout(sendWatched, watchDelayMs)
  }
}

/** Called on every change of the text: reports the first, then one every few seconds, and the end. */
export function reportTyping(conversationId: string, kind: TypingKind, isTyping: boolean): void {
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
  byPlace.clear()
  clearTimeout(watchTimer)
  watchTimer = undefined
  viewed = undefined
  typed = undefined
}
