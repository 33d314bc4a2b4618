import { domain } from '../platform/domain.ts'
import { eraseContactData } from './erasure.ts'
import { processProviderEvent } from './inbound/process-provider-event.ts'
import { fetchInboundMedia } from './media/fetch-inbound.ts'
import { purgeMedia } from './media/retention.ts'
import { createThumbnail } from './media/thumbnails.ts'
import { sendReaction } from './messages.ts'
import { deliverMessage } from './outbound/deliver-message.ts'
import { purgeProviderEvents } from './retention.ts'
import { callbackRoutes } from './routes/callbacks.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { erasureRoutes } from './routes/erasure.ts'
import { mediaRoutes } from './routes/media.ts'
import { mergeRoutes } from './routes/merge.ts'
import { messageRoutes } from './routes/messages.ts'
import { unreadRoutes } from './routes/unread.ts'
import { closeDeletedInboxes } from './subscriptions.ts'

export const conversations = domain({
  routes: [
    ...mergeRoutes,
    ...erasureRoutes,
    ...messageRoutes,
    ...mediaRoutes,
    ...conversationRoutes,
    ...callbackRoutes,
    ...unreadRoutes,
  ],
  jobs: [
    deliverMessage,
    sendReaction,
    processProviderEvent,
    eraseContactData,
    fetchInboundMedia,
    createThumbnail,
  ],
  crons: [purgeProviderEvents, purgeMedia],
  subscriptions: [closeDeletedInboxes],
})
