import { event } from '../platform/events/event.ts'
import type { EventFacts } from './nodes/kind.ts'

/** Something that another system, or a workflow, says has happened to a contact. */
export interface EventReceived {
  contactId: string
  event: EventFacts
}

export const eventReceived = event<EventReceived>({ type: 'event.received' })
