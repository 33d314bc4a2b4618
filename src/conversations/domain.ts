import { domain } from '../platform/domain.ts'
import { erasePerson } from './erasing.ts'
import { forgetHappenings } from './forgetting.ts'
import { processHappening } from './inbound.ts'
import { ingestMedia } from './media/ingesting.ts'
import { sweepMedia } from './media/sweeping.ts'
import { makeThumbnail } from './media/thumbnails.ts'
import { sendReaction } from './messages.ts'
import { callbackRoutes } from './routes/callbacks.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { erasureRoutes } from './routes/erasing.ts'
import { mediaRoutes } from './routes/media.ts'
import { mergeRoutes } from './routes/merge.ts'
import { messageRoutes } from './routes/messages.ts'
import { unreadRoutes } from './routes/unread.ts'
import { sendMessage } from './send.ts'
import { followInboxes } from './subscriptions.ts'

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
  jobs: [sendMessage, sendReaction, processHappening, erasePerson, ingestMedia, makeThumbnail],
  crons: [forgetHappenings, sweepMedia],
  subscriptions: [followInboxes],
})
