/**
 * Emits events in the transaction of the change. They go into the outbox with the commit and from there, through the
 * sequencer, into the log of their workspace. Emit after the rows an event describes have been written or locked in the
 * same transaction: then the events of one row are in the order of its commits. `data` is a snapshot.
 */
import type { Tx } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { idType } from '../ids.ts'
import { emittedTopic } from './notify.ts'
import { insertOutboxFromSelect, selectOutboxRows } from './store/outbox.ts'

export const EventId = idType('evt')

declare const dataType: unique symbol

/** Declared once in a domain's events.ts. The name is past tense, area first: `contact.created`. */
export interface EventType<D extends object> {
  readonly type: string
  /** Whether webhooks deliver the event. Public events of a workspace are numbered without gaps. */
  readonly isPublic?: boolean
  readonly [dataType]?: D
}

export function event<D extends object>(declaration: { type: string; isPublic?: boolean }): EventType<D> {
  return declaration
}

export interface EventInput<D extends object> {
  tenantId: string
  data: D
  /** Restricts the users who may receive the event. Interpreted by its readers; the log only stores it. */
  audience?: object
  /** How many events led to this one, each causing the next. */
  causationDepth?: number
}

export interface LogEvent<D = unknown> {
  id: string
  tenantId: string
  /** The position in the log: from 1, without gaps; events of one row are in the order of its commits. */
  seq: number
  /** The number among the public events: from 1, without gaps. Null for an internal event. */
  publicSeq: number | null
  type: string
  timestamp: string
  data: D
  audience: unknown
  causationDepth: number
}

/** Narrows an event read from the log to the type a domain declared. */
export function isEvent<D extends object>(type: EventType<D>, found: LogEvent): found is LogEvent<D> {
  return found.type === type.type
}

declare const pendingBrand: unique symbol
export type PendingEvent = EventInput<object> & {
  type: string
  isPublic: boolean
  readonly [pendingBrand]?: true
}

/** An event to be emitted together with others. */
export function pendingEvent<D extends object>(type: EventType<D>, emission: EventInput<D>): PendingEvent {
  return { ...emission, type: type.type, isPublic: type.isPublic ?? false }
}

export function emit<D extends object>(tx: Tx, type: EventType<D>, emission: EventInput<D>): Promise<void> {
  return emitMany(tx, [pendingEvent(type, emission)])
}

/** Emits in one statement; the events keep their order. */
export async function emitMany(tx: Tx, events: readonly PendingEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(
    ({ type, isPublic, tenantId, data, audience, causationDepth = tx.causationDepth }) => ({
      id: EventId.create(),
      type,
      isPublic,
      tenantId,
      data: JSON.stringify(data),
      audience: audience === undefined ? null : JSON.stringify(audience),
      causationDepth,
    }),
  )
  await tx.run(insertOutboxFromSelect(selectOutboxRows(rows, tx.now)))
  tx.signal(emittedTopic, undefined)
}

/**
 * For a statement that changes rows and emits in one: `with … ${emitFromSelect(tx, type, sql`select …`)}`. The select returns
 * event_id, tenant_id, type, at, data, audience and causation_depth, from rows that the statement has locked.
 */
export function emitFromSelect(tx: Tx, { isPublic = false }: EventType<object>, select: Sql): Sql {
  tx.signal(emittedTopic, undefined)
  return insertOutboxFromSelect(sql`select emitted.*, ${isPublic}::boolean from (${select}) emitted`)
}
