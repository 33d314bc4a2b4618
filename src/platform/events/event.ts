/**
 * What happened, said in the transaction that made it happen. Events go into the outbox with the commit and from there,
 * through the sequencer, into the log of their workspace. Emit after the rows an event speaks of have been written or
 * locked in the same transaction: then the events of one row are in the order of its commits. `data` is a snapshot;
 * nobody reads it again later.
 */
import type { Tx } from '../db/db.ts'
import type { Sql } from '../db/sql.ts'
import { idType } from '../ids.ts'
import { signalEmitted } from './emitted.ts'
import { insertOutboxFromSelect, selectOutboxRows } from './store/outbox.ts'

export const EventId = idType('evt')

declare const dataType: unique symbol

/** Declared once in a domain's events.ts. The name is past tense, area first: `contact.created`. */
export interface EventType<D extends object> {
  readonly type: string
  readonly [dataType]?: D
}

export function event<D extends object>(declaration: { type: string }): EventType<D> {
  return declaration
}

export interface EventInput<D extends object> {
  tenantId: string
  data: D
  /** Who may hear it, in terms its readers know; the log only keeps it. */
  audience?: object
  /** How many events led to this one, each causing the next. */
  causationDepth?: number
}

/** An event as it stands in the log of its workspace. */
export interface LogEvent<D = unknown> {
  id: string
  tenantId: string
  /** From 1, without gaps, in the order of commits of whatever it speaks of. */
  seq: number
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
export type PendingEvent = EventInput<object> & { type: string; readonly [pendingBrand]?: true }

/** An event to be emitted together with others. */
export function pendingEvent<D extends object>(type: EventType<D>, emission: EventInput<D>): PendingEvent {
  return { ...emission, type: type.type }
}

export function emit<D extends object>(tx: Tx, type: EventType<D>, emission: EventInput<D>): Promise<void> {
  return emitMany(tx, [pendingEvent(type, emission)])
}

/** One statement; the events keep the order given. */
export async function emitMany(tx: Tx, occurrences: readonly PendingEvent[]): Promise<void> {
  if (occurrences.length === 0) return
  const rows = occurrences.map(({ type, tenantId, data, audience, causationDepth = tx.causationDepth }) => ({
    id: EventId.create(),
    type,
    tenantId,
    data: JSON.stringify(data),
    audience: audience === undefined ? null : JSON.stringify(audience),
    causationDepth,
  }))
  await tx.run(insertOutboxFromSelect(selectOutboxRows(rows, tx.now)))
  tx.afterCommit(signalEmitted)
}

/**
 * For a statement that changes rows and emits in one: `with … ${emitting(tx, sql`select …`)}`. The select gives
 * event_id, tenant_id, type, at, data, audience and causation_depth, from rows that the statement has locked.
 */
export function emitFromSelect(tx: Tx, select: Sql): Sql {
  tx.afterCommit(signalEmitted)
  return insertOutboxFromSelect(select)
}
