import { type Violation, violation } from '../../platform/errors.ts'
import { explainViolations } from '../../platform/http/validate.ts'
import type { Reference, WorkflowKind } from '../nodes/node-type.ts'
import { campaignReplied } from './campaign-replied.ts'
import { commentReceived } from './comment-received.ts'
import { conditionReferences, conditionViolations } from './conditions.ts'
import { contactArchivedTrigger } from './contact-archived.ts'
import { contactCreatedTrigger } from './contact-created.ts'
import { contactUpdatedTrigger } from './contact-updated.ts'
import { conversationClosed } from './conversation-closed.ts'
import { conversationIdle } from './conversation-idle.ts'
import { conversationStarted } from './conversation-started.ts'
import { dateReached } from './date-reached.ts'
import { eventTrigger } from './event.ts'
import { fieldChanged } from './field-changed.ts'
import { manual } from './manual.ts'
import { messageReceived } from './message-received.ts'
import { schedule } from './schedule.ts'
import { segmentEntered } from './segment-entered.ts'
import { tagAdded } from './tag-added.ts'
import { tagRemoved } from './tag-removed.ts'
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
