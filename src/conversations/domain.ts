import Type from 'typebox'
import { bootstrapPart } from '../platform/contributions/bootstrap.ts'
import { domain } from '../platform/domain.ts'
import { releaseFormerPictures } from './avatars/release-pictures.ts'
import { conversationBulk } from './bulk/run-bulk.ts'
import { updateProfile } from './inbound/customer-profile.ts'
import { applyProviderStatus, processProviderEvent } from './inbound/process-provider-event.ts'
import { wakeConversation } from './jobs.ts'
import { sweepDeletedLabel } from './labels/labels.ts'
import { Label } from './labels/schemas.ts'
import { fetchInboundMedia } from './media/fetch-inbound.ts'
import { createThumbnail } from './media/thumbnails.ts'
import { sendReaction } from './messages/reactions.ts'
import { sendAutomaticReplies } from './outbound/automatic-replies.ts'
import { deliverMessage } from './outbound/deliver-message.ts'
import { sendScheduled } from './outbound/schedule-message.ts'
import { getUnread } from './read-state.ts'
import { foldConversationCounts } from './reports/overview.ts'
import { eraseContactData } from './retention/erasure.ts'
import { purgeMessages } from './retention/message-retention.ts'
import { purgeFailures, purgeMedia, purgeProviderEvents } from './retention/retention.ts'
import { actionRoutes } from './routes/actions.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { callbackRoutes } from './routes/callbacks.ts'
import { contactRoutes } from './routes/contacts.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { inboxHealthRoutes } from './routes/inbox-health.ts'
import { labelRoutes } from './routes/labels.ts'
import { listRoutes } from './routes/lists.ts'
import { draftRoutes } from './routes/messages/drafts.ts'
import { mediaRoutes } from './routes/messages/media.ts'
import { messageSearchRoutes } from './routes/messages/message-search.ts'
import { messageRoutes } from './routes/messages/messages.ts'
import { sendingRoutes } from './routes/messages/sending.ts'
import { noteRoutes } from './routes/notes.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { reportRoutes } from './routes/reports.ts'
import { timelineRoutes } from './routes/timeline.ts'
import { UnreadSummary, unreadRoutes } from './routes/unread.ts'
import { backfillSearch, indexMessages } from './search/index-messages.ts'
import { conversationSearch } from './search/search-parts.ts'
import { listLabels } from './store/labels.ts'
import { closeDeletedInboxes } from './subscriptions.ts'
import { scheduleSurveys, sendSurvey } from './surveys/send-survey.ts'
import { conversationTimeline } from './timeline/contact-timeline.ts'

export const conversations = domain({
  routes: [
    ...contactRoutes,
    ...messageSearchRoutes,
    ...messageRoutes,
    ...mediaRoutes,
    ...pictureRoutes,
    ...listRoutes,
    ...bulkRoutes,
    ...conversationRoutes,
    ...actionRoutes,
    ...labelRoutes,
    ...callbackRoutes,
    ...unreadRoutes,
    ...noteRoutes,
    ...draftRoutes,
    ...timelineRoutes,
    ...sendingRoutes,
    ...inboxHealthRoutes,
    ...reportRoutes,
  ],
  jobs: [
    deliverMessage,
    sendScheduled,
    sendAutomaticReplies,
    sendSurvey,
    sendReaction,
    processProviderEvent,
    applyProviderStatus,
    updateProfile,
    eraseContactData,
    fetchInboundMedia,
    createThumbnail,
    wakeConversation,
    sweepDeletedLabel,
    conversationBulk.job,
  ],
  crons: [
    backfillSearch,
    purgeProviderEvents,
    purgeFailures,
    purgeMedia,
    purgeMessages,
    conversationBulk.purge,
    foldConversationCounts,
  ],
  subscriptions: [closeDeletedInboxes, indexMessages, scheduleSurveys, releaseFormerPictures],
  search: conversationSearch,
  contactTimeline: conversationTimeline,
  bootstrap: [
    bootstrapPart({
      name: 'labels',
      scope: 'label:list',
      schema: Type.Array(Label),
      load: ({ db }, { tenantId }) => listLabels(db, tenantId),
    }),
    bootstrapPart({ name: 'unread', scope: 'user:read_self', schema: UnreadSummary, load: getUnread }),
  ],
})
