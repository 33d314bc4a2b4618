/** Finds the entry of a simulation: receives its first message or event, and matches the trigger as in production. */
import { conversationStarted } from '../../conversations/events.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { listEmitted } from '../../platform/events/log.ts'
import type { Json, RunEvent, WorkflowKind } from '../nodes/node-type.ts'
import { customerMessage } from '../triggers/event-data.ts'
import { findTriggerType, matchTrigger } from '../triggers/registry.ts'
import type { Entry, TriggerConfig } from '../triggers/trigger-type.ts'
import { emitCustomEvent } from './playback.ts'
import type { SimulationRequest } from './schemas.ts'
import { receiveSimulatedMessage, type SimulationContext } from './simulation-data.ts'

interface FirstInput {
  /** The event or message of the request. */
  events: LogEvent[]
  message: LogEvent | undefined
  lastSeq: number
}

/** Receives the first message and the event of the request. */
export async function receiveFirst(
  tx: Tx,
  context: SimulationContext,
  { message, event }: SimulationRequest,
): Promise<FirstInput> {
  const before = (await listEmitted(tx, context.tenantId, 0)).at(-1)?.seq ?? 0
  if (message !== undefined) await receiveSimulatedMessage(tx, context, { message })
  if (event) await emitCustomEvent(tx, context, event)
  const events = await listEmitted(tx, context.tenantId, before)
  return { events, message: events.find(customerMessage), lastSeq: events.at(-1)?.seq ?? before }
}

interface EntrySource {
  kind: WorkflowKind
  trigger: TriggerConfig
  request: SimulationRequest
  events: readonly LogEvent[]
}

/** Returns undefined if the trigger does not match the event or message of the request. */
export async function buildEntry(
  tx: Tx,
  context: SimulationContext,
  { kind, trigger, request, events }: EntrySource,
): Promise<Entry | undefined> {
  const { tenantId, contactId, conversationId } = context
  const received = events.find(customerMessage)
  const message = received && customerMessage(received)!.message
  const event =
    request.event && kind === 'journey'
      ? events.at(-1)
      : received && toTriggerEvent(context, kind, trigger, received)
  const entry = event && matchTrigger(kind, trigger, event)
  const confirm = findTriggerType(trigger.type)?.confirm
  if (entry && (!confirm || (await confirm(tx, tenantId, trigger as never, entry))))
    return { message, ...entry }
  if (event && decidesEntry(kind, trigger, request)) return undefined
  const { name = getEventName(trigger), key, data = {} } = request.event ?? {}
  const runEvent: RunEvent = { name, key: key ?? null, data: data as Record<string, Json> }
  return { contactId, conversationId, event: runEvent, message }
}

/** Returns whether the event or message of the request is of the kind that the trigger reads. */
function decidesEntry(kind: WorkflowKind, { type }: TriggerConfig, request: SimulationRequest): boolean {
  if (request.event) return type === 'event'
  return kind === 'chatbot' || type === 'message_received' || type === 'conversation_started'
}

/** Returns the name that runs of the trigger read as `event.name`. */
function getEventName({ type }: TriggerConfig): string {
  return findTriggerType(type)?.events[0] ?? type
}

/** Returns the event that the message causes for the trigger. */
function toTriggerEvent(
  { contactId, conversationId }: SimulationContext,
  kind: WorkflowKind,
  trigger: TriggerConfig,
  event: LogEvent,
): LogEvent {
  if (kind === 'chatbot') return event
  if (trigger.type === 'conversation_started') return { ...event, type: conversationStarted.type }
  if (trigger.type !== 'campaign_replied') return event
  const { message } = customerMessage(event)!
  const campaignId = trigger.campaignId ?? null
  const data = { campaignId, contactId, conversationId, messageId: message.id, message }
  return { ...event, type: 'campaign.replied', data }
}
