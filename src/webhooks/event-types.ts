/** What a receiver may subscribe to, and which part of an event it is shown. */
import { literals } from '../platform/http/schemas.ts'

export const eventTypes = [
  'contact.created',
  'contact.updated',
  'contact.archived',
  'conversation.started',
  'conversation.updated',
  'conversation.closed',
  'message.created',
  'message.updated',
] as const

export type EventType = (typeof eventTypes)[number]

/** Sent by `POST /webhooks/verify` only. */
export const testType = 'webhook.test'

export const WebhookEventType = literals(eventTypes)
