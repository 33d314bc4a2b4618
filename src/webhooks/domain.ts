import { domain } from '../platform/domain.ts'
import { startDeliverer } from './delivery/deliverer.ts'
import { eraseResponses, eraseResponsesOfContacts } from './erasure.ts'
import { replayEvents } from './replay.ts'
import { deleteDeliveries, maintainAttempts } from './retention.ts'
import { webhookAttemptRoutes } from './routes/attempts.ts'
import { webhookEndpointRoutes } from './routes/endpoints.ts'
import { webhookSettingsRoutes } from './routes/settings.ts'
import { sealedSigningKeys } from './signing-keys.ts'
import { deliverEvents } from './subscriptions.ts'

export const webhooks = domain({
  routes: [...webhookSettingsRoutes, ...webhookEndpointRoutes, ...webhookAttemptRoutes],
  jobs: [deleteDeliveries, eraseResponses, replayEvents],
  crons: [maintainAttempts],
  subscriptions: [deliverEvents, eraseResponsesOfContacts],
  background: [startDeliverer],
  sealed: [sealedSigningKeys],
})
