import { domain } from '../platform/domain.ts'
import { eraseContactData } from './erasure.ts'
import { updateProfile } from './inbound/customer-profile.ts'
import { applyProviderStatus, processProviderEvent } from './inbound/process-provider-event.ts'
import { fetchInboundMedia } from './media/fetch-inbound.ts'
import { createThumbnail } from './media/thumbnails.ts'
import { sendReaction } from './messages/reactions.ts'
import { deliverMessage } from './outbound/deliver-message.ts'
import { purgeMedia, purgeProviderEvents } from './retention.ts'
import { callbackRoutes } from './routes/callbacks.ts'
import { contactRoutes } from './routes/contacts.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { mediaRoutes } from './routes/media.ts'
import { messageRoutes } from './routes/messages.ts'
import { unreadRoutes } from './routes/unread.ts'
import { closeDeletedInboxes } from './subscriptions.ts'

export const conversations = domain({
  routes: [
    ...contactRoutes,
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
    applyProviderStatus,
    updateProfile,
    eraseContactData,
    fetchInboundMedia,
    createThumbnail,
  ],
  crons: [purgeProviderEvents, purgeMedia],
  subscriptions: [closeDeletedInboxes],
})
