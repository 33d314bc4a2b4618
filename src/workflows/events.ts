import { type Violation, violation } from '../platform/errors.ts'
import { event } from '../platform/events/event.ts'
import type { RunEvent } from './nodes/node-type.ts'
import type { WorkflowStatus } from './schemas.ts'

/** A custom event about a contact, sent with POST /events or by an `emitEvent` node. */
export interface EventReceived {
  contactId: string
  event: RunEvent
}

export const eventReceived = event<EventReceived>({ type: 'event.received' })

/** A journey was activated or paused, by a caller or by the service. */
export const journeyUpdated = event<{ journey: WorkflowStatus; changes: string[] }>({
  type: 'journey.updated',
  isPublic: true,
})
export const chatbotUpdated = event<{ chatbot: WorkflowStatus; changes: string[] }>({
  type: 'chatbot.updated',
  isPublic: true,
})

/** Signalled after commit when a run sets a timer, with its time, so that the timer loop re-reads its next deadline. */
export const timerSet = 'workflows.timer_set'

/** Signalled after commit when the set of active versions changes, with the workspace's id. */
export const workflowsChanged = 'workflows.changed'

const maxDataBytes = 32 * 1024

/** Returns why the data of an event, a run or a simulated event is too large, or undefined. */
export function findDataViolation(data: unknown, field: string): Violation | undefined {
  if (data === undefined || Buffer.byteLength(JSON.stringify(data)) <= maxDataBytes) return undefined
  return violation(field, 'too_large', `must be at most ${maxDataBytes} bytes`)
}
