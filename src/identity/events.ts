import { event } from '../platform/events/event.ts'

/**
 * The role of a user changed, a user was disabled, or a service account was deleted or lost a key. For higher domains only:
 * not sent to webhooks or realtime clients.
 */
export const accessChanged = event<{ accountId: string }>({ type: 'identity.access_changed' })
