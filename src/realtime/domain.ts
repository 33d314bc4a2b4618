import { domain } from '../platform/domain.ts'
import { realtimeRoutes } from './routes.ts'
import { purgeTickets } from './tickets.ts'

export const realtime = domain({ routes: realtimeRoutes, crons: [purgeTickets] })
