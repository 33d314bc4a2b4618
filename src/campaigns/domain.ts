import { domain } from '../platform/domain.ts'
import { campaignTimeline } from './contact-timeline.ts'
import { campaignRoutes } from './routes/campaigns.ts'
import { campaignSendingRoutes } from './routes/sending.ts'
import { campaignSearch } from './search.ts'
import { skipRemainingRecipients } from './sending/complete.ts'
import { dispatchCampaign } from './sending/dispatch.ts'
import { startCampaign } from './sending/start.ts'
import { trackDeliveries } from './sending/track-deliveries.ts'

export const campaigns = domain({
  routes: [...campaignRoutes, ...campaignSendingRoutes],
  jobs: [startCampaign, dispatchCampaign, skipRemainingRecipients],
  search: campaignSearch,
  contactTimeline: campaignTimeline,
  subscriptions: [trackDeliveries],
})
