import { domain } from '../platform/domain.ts'
import { campaignJobs } from './jobs.ts'
import { campaignRoutes } from './routes/campaigns.ts'
import { campaignSendingRoutes } from './routes/sending.ts'
import { trackCampaignDeliveries } from './subscriptions.ts'

export const campaigns = domain({
  routes: [...campaignRoutes, ...campaignSendingRoutes],
  jobs: campaignJobs,
  subscriptions: [trackCampaignDeliveries],
})
