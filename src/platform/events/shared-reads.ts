/**
 * Reads of the log by the consumers of one process. Most want the same latest events at almost the same time, which are
 * read and parsed once: each workspace has a window of its latest events, which grows at its end. Older events are read
 * directly. The events of a window are shared, so consumers must not change them.
 */
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/db.ts'
import type { LogEvent } from './event.ts'
import { type LogRange, readLog } from './log.ts'

/** `upTo` is an event that is known to be in the log. */
export type ReadEvents = (tenantId: string, range: LogRange & { upTo: number }) => Promise<LogEvent[]>

/** The events from `start` on without a gap. */
interface Window {
  start: number
  events: LogEvent[]
  growing: Promise<void> | undefined
}

const maxWindows = 32
const maxEvents = 1_000
/** Redacted events are read again after this time. */
const maxAgeMs = 1_000
/** Then a read that others keep waiting is made directly. */
const maxAttempts = 3

/** The position after the last event. */
const getEnd = ({ start, events }: Window): number => start + events.length

export function shareReads(db: Db, ttl = maxAgeMs): ReadEvents {
  const windows = new LRUCache<string, Window>({ max: maxWindows, ttl, ttlAutopurge: true })

  /** Reads what follows the window. */
  async function read(tenantId: string, window: Window): Promise<void> {
    const end = getEnd(window)
    const events = await readLog(db, tenantId, { after: end - 1, limit: maxEvents })
    // A gap at the start of the log: its oldest events were dropped.
    if (events.length === 0 || events[0]!.seq !== end) windows.delete(tenantId)
    window.events.push(...events)
    const excess = Math.max(0, window.events.length - maxEvents)
    window.events.splice(0, excess)
    window.start += excess
  }

  /** All that wait for the window share one statement. */
  function grow(tenantId: string, window: Window): Promise<void> {
    window.growing ??= read(tenantId, window).finally(() => {
      window.growing = undefined
    })
    return window.growing
  }

  function open(tenantId: string, after: number): Window {
    const window: Window = { start: after + 1, events: [], growing: undefined }
    windows.set(tenantId, window)
    return window
  }

  /** Returns the events of a window that reaches `upTo`, or undefined. Reads that begin together wait for the first. */
  async function findEvents(tenantId: string, after: number, upTo: number): Promise<LogEvent[] | undefined> {
    if (upTo - after > maxEvents / 2) return undefined
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const window = windows.get(tenantId) ?? open(tenantId, after)
      const reaches = window.start <= after + 1 && after < getEnd(window)
      if (reaches && upTo < getEnd(window)) return window.events.slice(after + 1 - window.start)
      await grow(tenantId, reaches || window.growing ? window : open(tenantId, after))
    }
    return undefined
  }

  return async (tenantId, { after, limit, types, upTo }) => {
    const found = await findEvents(tenantId, after, upTo)
    if (!found) return readLog(db, tenantId, { after, limit, types })
    return found.filter(({ type }) => !types || types.includes(type)).slice(0, limit)
  }
}
