import { describeUnknown } from '../../platform/closest.ts'
import { type Violation, violation } from '../../platform/errors.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { explainViolations } from '../../platform/http/input/violations.ts'
import type { Reference, WorkflowKind } from '../nodes/node-type.ts'
import { conditionReferences, conditionViolations } from './conditions.ts'
import { contactArchivedTrigger } from './contacts/contact-archived.ts'
import { contactCreatedTrigger } from './contacts/contact-created.ts'
import { contactUpdatedTrigger } from './contacts/contact-updated.ts'
import { dateReached } from './contacts/date-reached.ts'
import { fieldChanged } from './contacts/field-changed.ts'
import { segmentEntered } from './contacts/segment-entered.ts'
import { tagAdded } from './contacts/tag-added.ts'
import { tagRemoved } from './contacts/tag-removed.ts'
import { campaignReplied } from './conversations/campaign-replied.ts'
import { commentReceived } from './conversations/comment-received.ts'
import { conversationClosed } from './conversations/conversation-closed.ts'
import { conversationIdle } from './conversations/conversation-idle.ts'
import { conversationStarted, isOnInbox } from './conversations/conversation-started.ts'
import { messageReceived } from './conversations/message-received.ts'
import { eventTrigger } from './event.ts'
import { conversationEntry, customerMessage, getText } from './event-data.ts'
import { manual } from './manual.ts'
import { schedule } from './schedule.ts'
import type { AnyTriggerType, Entry, TriggerConfig } from './trigger-type.ts'

export const triggerTypes: readonly AnyTriggerType[] = [
  contactCreatedTrigger,
  contactUpdatedTrigger,
  contactArchivedTrigger,
  tagAdded,
  tagRemoved,
  fieldChanged,
  dateReached,
  segmentEntered,
  conversationStarted,
  conversationClosed,
  conversationIdle,
  messageReceived,
  commentReceived,
  campaignReplied,
  eventTrigger,
  schedule,
  manual,
]

const byType = new Map(triggerTypes.map(kind => [kind.type, kind]))

export function findTriggerType(type: string): AnyTriggerType | undefined {
  return byType.get(type)
}

/**
 * Returns the entry that the event requests, if it does. A chatbot starts with the customer's message, also for
 * `conversation_started`.
 */
export function matchTrigger(
  workflow: WorkflowKind,
  config: TriggerConfig,
  event: LogEvent,
): Entry | undefined {
  const type = byType.get(config.type)
  if (!type?.events.includes(event.type) && workflow === 'journey') return undefined
  if (workflow === 'journey' || type !== conversationStarted) return type?.match?.(config as never, event)
  const { message } = customerMessage(event)!
  return isOnInbox(event, config.inboxIds as string[] | undefined)
    ? conversationEntry(event, { text: getText(message.content), messageId: message.id })
    : undefined
}

/** Validates a config without database access; paths are relative to the config. */
export function triggerConfigViolations(config: TriggerConfig, workflow: WorkflowKind): Violation[] {
  const kind = byType.get(config.type)
  const names = triggerTypes.filter(({ kinds }) => kinds.includes(workflow)).map(({ type }) => type)
  if (!kind) return [violation('type', 'unknown_trigger', describeUnknown('trigger', config.type, names))]
  if (!kind.kinds.includes(workflow))
    return [violation('type', 'wrong_workflow', `cannot start a ${workflow}; use one of ${names.join(', ')}`)]
  const faults = explainViolations(kind.config, config, '')
  if (faults.length > 0) return faults
  return [...(kind.violations?.(config as never) ?? []), ...conditionViolations(config)]
}

/** Lists the references of a valid config; paths are relative to the config. */
export function triggerReferences(config: TriggerConfig): Reference[] {
  return [...(byType.get(config.type)?.references?.(config as never) ?? []), ...conditionReferences(config)]
}
