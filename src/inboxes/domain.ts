import { domain } from '../platform/domain.ts'
import { inboxCrons, inboxJobs } from './jobs.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { handshakeRoutes } from './routes/handshake.ts'
import { inboxRoutes } from './routes/inboxes.ts'

export const inboxes = domain({
  routes: [...inboxRoutes, ...catalogueRoutes, ...handshakeRoutes],
  jobs: inboxJobs,
  crons: inboxCrons,
})
