import { subscription } from '../platform/events/subscription.ts'
import { notifyDue } from './notify.ts'
import { eventTypes } from './schemas.ts'
import { insertDeliveries, listSubscriptions } from './store/deliveries.ts'

/** Creates one delivery per event and subscribed endpoint, in the transaction that advances the offset. */
export const deliverEvents = subscription({
  name: 'webhooks',
  types: eventTypes,
  batchSize: 200,
  concurrency: 8,
  async hasNoEffect({ db }, events) {
    const wanted = new Set(
      (await listSubscriptions(db, events[0]!.tenantId)).flatMap(({ eventTypes: types }) => types),
    )
    return !events.some(({ type }) => wanted.has(type))
  },
  async apply(tx, events, { bus }) {
    const { tenantId } = events[0]!
    const deliveries = (await listSubscriptions(tx, tenantId)).flatMap(({ endpointId, eventTypes: types }) =>
      events
        .filter(({ type }) => types.includes(type))
        .map(({ seq, id, type }) => ({ endpointId, seq, eventId: id, eventType: type })),
    )
    if (deliveries.length === 0) return
    await insertDeliveries(tx, tenantId, deliveries)
    notifyDue(tx, bus, tenantId, [...new Set(deliveries.map(({ endpointId }) => endpointId))])
  },
})
