/**
 * Emits that a resource which clients keep in a list has changed. Realtime clients read it again; webhooks do not deliver
 * it. Progress of long work is a hint without a place in the log: a burst of it is one frame a second.
 */
import type { Bus } from '../bus/bus.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Scope } from '../http/caller.ts'
import { emitMany, event, type PendingEvent, pendingEvent } from './event.ts'
import { publishFrame } from './transient-frames.ts'

/** The kinds, each with the scope to list or read it. */
export const changeScopes = {
  saved_reply: 'saved_reply:list',
  view: 'view:list',
  macro: 'macro:list',
  label: 'label:list',
  tag: 'tag:list',
  custom_field: 'custom_field:list',
  /** The notes about a contact; the id is the contact's. */
  contact_notes: 'conversation:read',
  /** The visitor of a conversation was blocked or unblocked; the id is the conversation's. */
  visitor: 'conversation:read',
  inbox: 'inbox:list',
  user: 'user:list',
  service_account: 'user:list',
  workspace: 'workspace:read',
  team: 'team:list',
  segment: 'segment:list',
  campaign: 'campaign:list',
  journey: 'journey:list',
  chatbot: 'journey:list',
  import: 'contact:list',
  /** A bulk action on conversations. */
  bulk: 'conversation:list',
  contact_bulk: 'contact:list',
  /** The id is that of the user, who alone receives it. */
  preferences: 'user:read_self',
  notification_preferences: 'user:read_self',
} as const satisfies Record<string, Scope>

export type ChangedKind = keyof typeof changeScopes

export interface Change {
  kind: ChangedKind
  id: string
  /** Rises with every change; null when the resource was deleted. By default the position in the log. */
  revision?: number | null
}

/** The users who receive an event. Owners and admins receive it too, unless it is private. */
export interface ChangeAudience {
  userIds?: string[]
  teamIds?: string[]
  private?: boolean
}

export const changed = event<Change>({ type: 'changed' })

/** Without an audience, all users with the scope to list this kind receive the change. */
export function pendingChange(tenantId: string, change: Change, audience?: ChangeAudience): PendingEvent {
  return pendingEvent(changed, { tenantId, data: change, ...(audience ? { audience } : {}) })
}

export function emitChanged(
  tx: Tx,
  tenantId: string,
  change: Change,
  audience?: ChangeAudience,
): Promise<void> {
  return emitMany(tx, [pendingChange(tenantId, change, audience)])
}

interface Progress {
  tenantId: string
  kind: ChangedKind
  id: string
  /** Undefined: all users with the scope of the kind. */
  userIds?: readonly string[]
  /** Agents of other teams do not receive it. */
  teamIds?: readonly string[]
}

const progressTopic = 'platform.progress'

/** Signals after the commit that long work has advanced. */
export function signalProgress(tx: Tx, progress: Progress): void {
  tx.signal(progressTopic, progress)
}

const minIntervalMs = 1_000

/** Publishes progress to the sockets of all processes, at most once a second for each resource; the last one always. */
export function relayProgress({ db: { signals }, bus }: { db: Pick<Db, 'signals'>; bus: Bus }): () => void {
  const waiting = new Map<string, { latest: Progress | undefined; timer: NodeJS.Timeout }>()
  const publish = ({ tenantId, kind, id, userIds, teamIds }: Progress) =>
    publishFrame(bus, {
      tenantId,
      ...(userIds ? { userIds } : {}),
      ...(teamIds ? { teamIds } : {}),
      scope: changeScopes[kind],
      type: changed.type,
      data: { kind, id },
    })
  const start = (key: string, progress: Progress): void => {
    publish(progress)
    const timer = setTimeout(() => {
      const { latest } = waiting.get(key)!
      waiting.delete(key)
      if (latest) start(key, latest)
    }, minIntervalMs)
    waiting.set(key, { latest: undefined, timer: timer.unref() })
  }
  const onProgress = (progress: Progress) => {
    const key = `${progress.tenantId}/${progress.id}`
    const known = waiting.get(key)
    if (known) known.latest = progress
    else start(key, progress)
  }
  signals.on(progressTopic, onProgress)
  return () => {
    signals.off(progressTopic, onProgress)
    for (const { timer } of waiting.values()) clearTimeout(timer)
  }
}
