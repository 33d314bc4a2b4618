import { domain } from '../platform/domain.ts'
import { realtimeRoutes } from './routes.ts'
import { forgetTickets } from './tickets.ts'

export const realtime = domain({ routes: realtimeRoutes, crons: [forgetTickets] })
