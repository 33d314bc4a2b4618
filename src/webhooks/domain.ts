import { domain } from '../platform/domain.ts'
import { startDeliverer } from './delivery/deliverer.ts'
import { forgetDeliveries, keepAttemptDays } from './forgetting.ts'
import { replayEvents } from './replay.ts'
import { webhookAttemptRoutes } from './routes/attempts.ts'
import { webhookSettingsRoutes } from './routes/settings.ts'
import { deliverEvents } from './subscriptions.ts'

export const webhooks = domain({
  routes: [...webhookSettingsRoutes, ...webhookAttemptRoutes],
  jobs: [forgetDeliveries, replayEvents],
  crons: [keepAttemptDays],
  subscriptions: [deliverEvents],
  background: [startDeliverer],
})
