/**
 * Unsent texts. A copy in this browser changes on every keystroke and is shared with its other tabs; draft-sync.ts keeps
 * the service up to date. A key names the user, the conversation and the kind, so that a text never appears elsewhere.
 */
import { useSyncExternalStore } from 'react'
import { getSignedIn } from '../../../api/session.ts'

export type DraftKind = 'reply' | 'note'

export interface LocalDraft {
  text: string
  /** Of the draft that the service has; 0 if it has none. */
  revision: number
  /** When the text changed here; undefined if the service has this text. */
  changedAt?: number | undefined
  /** Time of the last entry of the thread when the user began to write. */
  since?: string | undefined
}

const none: LocalDraft = { text: '', revision: 0 }
const prefix = () => {
  const { me, workspace } = getSignedIn()
  return `parley.draft.${workspace.id}.${me.id}.`
}
const toStorageKey = (conversationId: string, kind: DraftKind) => `${prefix()}${conversationId}.${kind}`

const listeners = new Set<() => void>()
function notify(): void {
  for (const listener of listeners) listener()
}

/** Listens to this and other tabs. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('storage', onStorage)
  }
}
const onStorage = ({ key }: StorageEvent) => {
  if (key === null || key.startsWith('parley.draft.')) notify()
}

export function readDraft(conversationId: string, kind: DraftKind): LocalDraft {
  const stored = localStorage.getItem(toStorageKey(conversationId, kind))
  return stored === null ? none : parse(stored)
}

function parse(stored: string): LocalDraft {
  try {
    return { ...none, ...JSON.parse(stored) }
  } catch {
    return none
  }
}

export function storeDraft(conversationId: string, kind: DraftKind, draft: LocalDraft): void {
  const key = toStorageKey(conversationId, kind)
  // An empty text stays until the service has deleted its copy.
  if (draft.text === '' && draft.changedAt === undefined) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(draft))
  notify()
}

export interface DraftKey {
  conversationId: string
  kind: DraftKind
}

/** Returns the drafts of the user in this browser. */
export function listLocalDrafts(): DraftKey[] {
  const start = prefix()
  return Object.keys(localStorage)
    .filter(key => key.startsWith(start))
    .map(key => {
      const [conversationId, kind] = key.slice(start.length).split('.')
      return { conversationId: conversationId!, kind: kind as DraftKind }
    })
}

const hasDraft = (conversationId: string) => readDraft(conversationId, 'reply').text !== ''

export function useDraftText(conversationId: string, kind: DraftKind): string {
  return useSyncExternalStore(subscribe, () => readDraft(conversationId, kind).text)
}

export function useHasDraft(conversationId: string): boolean {
  return useSyncExternalStore(subscribe, () => hasDraft(conversationId))
}
