import { event } from '../platform/events/event.ts'
import type { RunEvent } from './nodes/node-type.ts'

/** Something that another system, or a workflow, says has happened to a contact. */
export interface EventReceived {
  contactId: string
  event: RunEvent
}

export const eventReceived = event<EventReceived>({ type: 'event.received' })
