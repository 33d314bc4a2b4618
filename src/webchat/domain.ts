import { domain } from '../platform/domain.ts'
import { actionRoutes } from './routes/actions.ts'
import { configRoutes } from './routes/config.ts'
import { messageRoutes } from './routes/messages.ts'
import { realtimeRoutes } from './routes/realtime.ts'
import { visitorRoutes } from './routes/visitor.ts'
import { deleteErasedVisitors } from './subscriptions.ts'
import { purgeVisitors } from './visitors/visitors.ts'

export const webchat = domain({
  routes: [...configRoutes, ...visitorRoutes, ...messageRoutes, ...actionRoutes, ...realtimeRoutes],
  crons: [purgeVisitors],
  subscriptions: [deleteErasedVisitors],
})
