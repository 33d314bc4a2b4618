/**
 * What a kind of trigger is: its members in `triggerConfig`, what it refers to, which events of the log it looks at,
 * and which of them start a run. A trigger file makes one of these.
 */
import type { Static, TObject } from 'typebox'
import type { Queryable } from '../../platform/db/db.ts'
import type { Violation } from '../../platform/errors.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import type { Reference, RunEvent, WorkflowKind } from '../nodes/node-type.ts'

/** As the start node holds it. `conditions` is `{}` or a ContactFilter. */
export interface TriggerConfig {
  type: string
  conditions?: Record<string, unknown>
  [member: string]: unknown
}

export const entryModes = ['once', 'once_active', 'every_time'] as const
export type EntryMode = (typeof entryModes)[number]

/** A run that a trigger wants. */
export interface Entry {
  contactId: string
  conversationId: string | null
  /** What the run sees as `event`. Its key tells entries of one contact apart: `once` means once for each key. */
  event: RunEvent
}

export interface TriggerType<S extends TObject = TObject> {
  type: string
  kinds: readonly WorkflowKind[]
  summary: string
  docs: string
  /** The whole config, `type` and `conditions` included. */
  config: S
  references?: (config: Static<S>) => readonly Reference[]
  violations?: (config: Static<S>) => readonly Violation[]
  /** Types of the log's events that can start it; none for those that the clock or a call starts. */
  events: readonly string[]
  /**
   * What an event must have in common with a config to be looked at: `keys` of the one and of the other share a member.
   * Without them every event is.
   */
  index?: { config: (config: Static<S>) => readonly string[]; event: (event: LogEvent) => readonly string[] }
  /** The entry that this event asks for, if it does. Pure: what it needs is in the event. */
  match?: (config: Static<S>, event: LogEvent) => Entry | undefined
  /** A last question that only the database can answer. */
  confirm?: (tx: Queryable, tenantId: string, config: Static<S>, entry: Entry) => Promise<boolean>
  /** Whether what an import did counts. No when left out. */
  includesImported?: (config: Static<S>) => boolean
}

export type AnyTriggerType = TriggerType

export function defineTrigger<S extends TObject>(kind: TriggerType<S>): AnyTriggerType {
  return kind as unknown as AnyTriggerType
}
