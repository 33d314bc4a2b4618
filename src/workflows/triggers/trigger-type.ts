/**
 * The interface of a trigger type: its config, its references, the events of the log that it reads, and which of them
 * start a run. Each trigger file defines one.
 */
import Type, { type Static, type TObject, type TProperties } from 'typebox'
import type { Message } from '../../conversations/schemas.ts'
import type { Queryable } from '../../platform/db/db.ts'
import type { Violation } from '../../platform/errors.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { object } from '../../platform/http/schemas.ts'
import type { Reference, RunEvent, WorkflowKind } from '../nodes/node-type.ts'

/** The config in the start node. `conditions` is `{}` or a ContactFilter. */
export interface TriggerConfig {
  type: string
  conditions?: Record<string, unknown>
  [member: string]: unknown
}

export const entryModes = ['once', 'once_active', 'every_time', 'cooldown'] as const
export type EntryMode = (typeof entryModes)[number]

export interface Entry {
  contactId: string
  conversationId: string | null
  /** The run reads it as `event`. Entry modes apply per contact and key. */
  event: RunEvent
  /** The customer's message that the event is about. The run reads it as `message`. */
  message?: Message | undefined
}

export interface TriggerType<S extends TObject = TObject> {
  type: string
  kinds: readonly WorkflowKind[]
  summary: string
  docs: string
  /** The complete config, including `type` and `conditions`. */
  config: S
  references?: (config: Static<S>) => readonly Reference[]
  violations?: (config: Static<S>) => readonly Violation[]
  /** Types of events that can start it; empty for triggers that a schedule or a request starts. */
  events: readonly string[]
  /** Keys of a config and of an event: an event is matched only against configs with a common key. Default: all. */
  index?: { config: (config: Static<S>) => readonly string[]; event: (event: LogEvent) => readonly string[] }
  /** Returns the entry that the event requests, if it does. Pure: reads only the event. */
  match?: (config: Static<S>, event: LogEvent) => Entry | undefined
  /** A final check that needs the database or is expensive. */
  confirm?: (tx: Queryable, tenantId: string, config: Static<S>, entry: Entry) => Promise<boolean>
  /** Adds the messages that the events of the entries do not contain. */
  loadMessages?: (tx: Queryable, tenantId: string, entries: readonly Entry[]) => Promise<void>
  /** Whether changes made by an import count. Default: no. */
  includesImported?: (config: Static<S>) => boolean
}

export type AnyTriggerType = TriggerType

const Conditions = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: '`{}`, or a ContactFilter that the contact must match to enter',
  }),
)

type TriggerDefinition<P extends TProperties> = Omit<TriggerType<TObject<P>>, 'kinds' | 'config'> & {
  /** Default: journeys only. */
  kinds?: readonly WorkflowKind[]
  /** The properties of the config besides `type` and `conditions`. */
  config: P
}

export function defineTrigger<P extends TProperties>(definition: TriggerDefinition<P>): AnyTriggerType {
  const { type, config } = definition
  const complete = object({ type: Type.Literal(type), ...config, conditions: Conditions })
  return { kinds: ['journey'], ...definition, config: complete } as unknown as AnyTriggerType
}
