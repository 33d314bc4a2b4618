/** Builds the events of a simulation in the form of the log, so that triggers and waits read them as in production. */
import { conversationToApi, findConversation } from '../../conversations/conversations.ts'
import { conversationStarted, messageCreated } from '../../conversations/events.ts'
import type { Message } from '../../conversations/schemas.ts'
import type { Tx } from '../../platform/db/db.ts'
import { EventId, type LogEvent } from '../../platform/events/event.ts'
import { eventReceived } from '../events.ts'
import type { Json, RunEvent, WorkflowKind } from '../nodes/node-type.ts'
import { findTriggerType, matchTrigger } from '../triggers/registry.ts'
import type { Entry, TriggerConfig } from '../triggers/trigger-type.ts'
import type { SimulationRequest } from './schemas.ts'
import { buildMessage, type SimulationContext } from './simulation-data.ts'

function buildLogEvent(tx: Tx, { tenantId }: SimulationContext, type: string, data: object): LogEvent {
  const position = { seq: 0, publicSeq: null, causationDepth: 0, audience: null }
  return { id: EventId.create(), tenantId, type, timestamp: tx.now, data, ...position }
}

export async function buildMessageEvent(
  tx: Tx,
  context: SimulationContext,
  message: Message,
): Promise<LogEvent> {
  const row = context.conversationId
    ? await findConversation(tx, context.tenantId, context.conversationId)
    : undefined
  const conversation = row ? conversationToApi(row) : { id: null, contactId: context.contactId }
  return buildLogEvent(tx, context, messageCreated.type, { message, conversation })
}

export function buildCustomEvent(
  tx: Tx,
  context: SimulationContext,
  { name, key, data = {} }: NonNullable<SimulationRequest['event']>,
): LogEvent {
  const event: RunEvent = { name, key: key ?? null, data: data as Record<string, Json> }
  return buildLogEvent(tx, context, eventReceived.type, { contactId: context.contactId, event })
}

/**
 * Builds the entry that the trigger makes of the event or message of the request. Returns undefined if the trigger does not
 * match it.
 */
export async function buildEntry(
  tx: Tx,
  context: SimulationContext,
  { kind, trigger }: { kind: WorkflowKind; trigger: TriggerConfig },
  request: SimulationRequest,
): Promise<Entry | undefined> {
  const { contactId, conversationId } = context
  const message =
    request.message === undefined ? undefined : await buildMessage(tx, context, { message: request.message })
  const event = await buildTriggerEvent(tx, context, { kind, trigger, request, message })
  const entry = event && matchTrigger(kind, trigger, event)
  if (entry && (await isConfirmed(tx, context, trigger, entry))) return { message, ...entry }
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

/** The simulated message is not stored: only patterns are checked, and `first` counts as matched. */
function isConfirmed(
  tx: Tx,
  { tenantId }: SimulationContext,
  trigger: TriggerConfig,
  entry: Entry,
): Promise<boolean> | boolean {
  if (trigger.type !== 'message_received' || trigger.match !== 'regex') return true
  return findTriggerType(trigger.type)!.confirm!(tx, tenantId, trigger as never, entry)
}

/** Returns the name that runs of the trigger read as `event.name`. */
function getEventName({ type }: TriggerConfig): string {
  return findTriggerType(type)?.events[0] ?? type
}

interface TriggerEvent {
  kind: WorkflowKind
  trigger: TriggerConfig
  request: SimulationRequest
  message: Message | undefined
}

async function buildTriggerEvent(
  tx: Tx,
  context: SimulationContext,
  { kind, trigger, request, message }: TriggerEvent,
): Promise<LogEvent | undefined> {
  if (request.event) return buildCustomEvent(tx, context, request.event)
  if (!message) return undefined
  const event = await buildMessageEvent(tx, context, message)
  if (kind === 'chatbot') return event
  if (trigger.type === 'conversation_started') return { ...event, type: conversationStarted.type }
  if (trigger.type !== 'campaign_replied') return event
  const { contactId, conversationId } = context
  const data = { campaignId: trigger.campaignId ?? null, contactId, conversationId, messageId: message.id }
  return buildLogEvent(tx, context, 'campaign.replied', { ...data, message })
}
