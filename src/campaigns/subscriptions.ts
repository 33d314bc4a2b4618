import { messageCreated, messageUpdated } from '../conversations/events.ts'
import { subscription } from '../platform/events/subscription.ts'
import { trackDeliveries } from './sending/track-deliveries.ts'

export const trackCampaignDeliveries = subscription({
  name: 'campaigns.messages',
  types: [messageCreated.type, messageUpdated.type],
  from: 'end',
  batchSize: 500,
  apply: (tx, events) => trackDeliveries(tx, events),
})
