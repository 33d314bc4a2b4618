import { subscription } from '../platform/events/subscription.ts'
import { notifyDue } from './notify.ts'
import { eventTypes } from './schemas.ts'
import { insertDeliveries } from './store/deliveries.ts'

/** Creates one delivery per subscribed event, in the transaction that advances the offset. */
export const deliverEvents = subscription({
  name: 'webhooks',
  types: eventTypes,
  batchSize: 200,
  concurrency: 8,
  async apply(tx, events, { bus }) {
    const { tenantId } = events[0]!
    const deliveries = events.map(({ seq, id, type }) => ({ seq, eventId: id, eventType: type }))
    if (await insertDeliveries(tx, tenantId, deliveries)) notifyDue(tx, bus, tenantId)
  },
})
