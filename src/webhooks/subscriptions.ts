import { subscription } from '../platform/events/subscription.ts'
import { eventTypes } from './event-types.ts'
import { notifyDue } from './notify.ts'
import { insertDeliveries } from './store/deliveries.ts'

/** Each event that the workspace's receiver wants becomes a delivery, once, in the commit that moves the cursor. */
export const deliverEvents = subscription({
  name: 'webhooks',
  types: eventTypes,
  batchSize: 200,
  concurrency: 8,
  async apply(tx, events, { bus }) {
    const { tenantId } = events[0]!
    const found = events.map(({ seq, id, type }) => ({ seq, eventId: id, eventType: type }))
    if (await insertDeliveries(tx, tenantId, found)) notifyDue(tx, bus, tenantId)
  },
})
