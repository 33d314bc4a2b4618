import Type from 'typebox'
import { bootstrapPart } from '../platform/contributions/bootstrap.ts'
import { domain } from '../platform/domain.ts'
import { purgeNotifications, purgePushSubscriptions } from './jobs.ts'
import { Macro } from './macros/schemas.ts'
import { pushNotification } from './push/send-push.ts'
import { macroRoutes } from './routes/macros.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { pushRoutes } from './routes/push.ts'
import { savedReplyRoutes } from './routes/saved-replies.ts'
import { viewRoutes } from './routes/views.ts'
import { collaborationSearch } from './search.ts'
import { listMacros } from './store/macros.ts'
import { listViews } from './store/views.ts'
import { notifications } from './subscriptions.ts'
import { View } from './views/schemas.ts'
import { viewCountsPart } from './views/view-counts.ts'

/** Tools that agents share: saved replies, macros, views and notifications. */
export const collaboration = domain({
  routes: [...savedReplyRoutes, ...viewRoutes, ...macroRoutes, ...notificationRoutes, ...pushRoutes],
  jobs: [pushNotification],
  crons: [purgeNotifications, purgePushSubscriptions],
  subscriptions: [notifications],
  search: collaborationSearch,
  bootstrap: [
    bootstrapPart({
      name: 'views',
      scope: 'view:list',
      schema: Type.Array(View),
      load: ({ db }, caller) => listViews(db, caller, 'conversations'),
    }),
    viewCountsPart,
    bootstrapPart({
      name: 'macros',
      scope: 'macro:list',
      schema: Type.Array(Macro),
      load: ({ db }, caller) => listMacros(db, caller),
    }),
  ],
})
