import { type Violation, violation } from '../../platform/errors.ts'
import { explainViolations } from '../../platform/http/validate.ts'
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
import { conversationStarted } from './conversations/conversation-started.ts'
import { messageReceived } from './conversations/message-received.ts'
import { eventTrigger } from './event.ts'
import { manual } from './manual.ts'
import { schedule } from './schedule.ts'
import type { AnyTriggerType, TriggerConfig } from './trigger-type.ts'

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

/** Validates a config without database access; paths are relative to the config. */
export function triggerConfigViolations(config: TriggerConfig, workflow: WorkflowKind): Violation[] {
  const kind = byType.get(config.type)
  if (!kind) return [violation('type', 'unknown_trigger', 'must be a trigger of GET /workflow-nodes')]
  if (!kind.kinds.includes(workflow))
    return [violation('type', 'wrong_workflow', `cannot start a ${workflow}`)]
  const faults = explainViolations(kind.config, config, '')
  if (faults.length > 0) return faults
  return [...(kind.violations?.(config as never) ?? []), ...conditionViolations(config)]
}

/** Lists the references of a valid config; paths are relative to the config. */
export function triggerReferences(config: TriggerConfig): Reference[] {
  return [...(byType.get(config.type)?.references?.(config as never) ?? []), ...conditionReferences(config)]
}
