/**
 * Counts of views: a client names its filters with a `count_views` frame and receives their counts, then again when events
 * changed them. One count of all filters of a user runs at a time, at most once per second.
 */
import Type, { type Static, type TSchema } from 'typebox'
import type { Deps } from '../../platform/deps.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { object } from '../../platform/http/schemas.ts'
import { matchesSchema } from '../../platform/http/validate.ts'
import { type Socket, send } from '../workspace-stream.ts'
import { createCountNotifier } from './count-notifier.ts'

/** How conversations are counted; a port of conversations. */
export interface ViewCounter {
  filter: TSchema
  count: (caller: Caller, filters: readonly unknown[]) => Promise<object>
}

export interface ViewCounts {
  /** Applies a frame of the client; returns false if it is another one. */
  receive(socket: Socket, frame: string): boolean
  /** Counts again for a socket, because conversations or the rights of its user have changed. */
  schedule(socket: Socket): void
}

interface Request {
  id: string
  filters: readonly unknown[]
  /** The filters as text, and the counts that were sent. */
  key: string
  sent?: string
}

const frameType = 'count_views'
const maxFilters = 20
const intervalMs = 1_000
const invalidFrame = {
  code: 'invalid_frame',
  message: `data must be {id, filters}, with an id of at most 100 characters and at most ${maxFilters} filters of conversations`,
}

/** Service accounts have no views. */
const canCount = ({ kind, scopes }: Caller) => kind === 'user' && scopes.has('conversation:list')

export function createViewCounts(deps: Pick<Deps, 'log' | 'clock'>, counter: ViewCounter): ViewCounts {
  const requests = new WeakMap<Socket, Request>()
  const Data = object({
    id: Type.String({ maxLength: 100 }),
    filters: Type.Array(counter.filter, { maxItems: maxFilters }),
  })

  const toKey = (socket: Socket) => {
    const request = requests.get(socket)
    const { caller } = socket
    // The rights are part of the key: counts that were begun before they changed are not sent.
    return request && canCount(caller)
      ? [caller.tenantId, caller.id, caller.role, caller.teamIds.join(), request.key].join('/')
      : undefined
  }
  const schedule = createCountNotifier(deps, {
    intervalMs,
    type: 'view_counts',
    toKey,
    count: (socket: Socket) => counter.count(socket.caller, requests.get(socket)!.filters),
    forSocket: (socket: Socket, counts: object) => {
      const request = requests.get(socket)!
      const text = JSON.stringify(counts)
      if (text === request.sent) return undefined
      request.sent = text
      return { id: request.id, ...counts }
    },
  })

  return {
    schedule,
    receive(socket, frame) {
      if (!frame.includes(frameType)) return false
      const { type, data } = parse(frame)
      if (type !== frameType) return false
      if (!matchesSchema(Data, data)) {
        send(socket, JSON.stringify({ type: 'error', data: invalidFrame }))
        return true
      }
      const { id, filters } = data as Static<typeof Data>
      if (filters.length === 0) requests.delete(socket)
      else {
        requests.set(socket, { id, filters, key: JSON.stringify(filters) })
        schedule(socket)
      }
      return true
    },
  }
}

function parse(frame: string): { type?: unknown; data?: unknown } {
  try {
    return (JSON.parse(frame) as object | null) ?? {}
  } catch {
    return {}
  }
}
