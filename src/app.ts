/** The only list of domains: what each brings to the process. */
import { campaignJobs } from './campaigns/jobs.ts'
import { campaignRoutes } from './campaigns/routes/campaigns.ts'
import { campaignSendingRoutes } from './campaigns/routes/sending.ts'
import { findCampaign } from './campaigns/store/campaigns.ts'
import { followCampaignMessages } from './campaigns/subscriptions.ts'
import { tellSegmentUses } from './campaigns/uses.ts'
import { importContacts } from './contacts/imports.ts'
import { contactRoutes } from './contacts/routes/contacts.ts'
import { importRoutes } from './contacts/routes/imports.ts'
import { labelRoutes } from './contacts/routes/labels.ts'
import { foldContactCounts, sweepDeletedField, sweepDeletedTag } from './contacts/sweeping.ts'
import { erasePerson } from './conversations/erasing.ts'
import { forgetHappenings } from './conversations/forgetting.ts'
import { processHappening } from './conversations/inbound.ts'
import { ingestMedia } from './conversations/media/ingesting.ts'
import { sweepMedia } from './conversations/media/sweeping.ts'
import { makeThumbnail } from './conversations/media/thumbnails.ts'
import { sendReaction } from './conversations/messages.ts'
import { unreadOf } from './conversations/reading.ts'
import { callbackRoutes } from './conversations/routes/callbacks.ts'
import { conversationRoutes } from './conversations/routes/conversations.ts'
import { erasureRoutes } from './conversations/routes/erasing.ts'
import { mediaRoutes } from './conversations/routes/media.ts'
import { mergeRoutes } from './conversations/routes/merge.ts'
import { messageRoutes } from './conversations/routes/messages.ts'
import { unreadRoutes } from './conversations/routes/unread.ts'
import { sendMessage } from './conversations/send.ts'
import { followInboxes } from './conversations/subscriptions.ts'
import { callersChanged } from './identity/callers.ts'
import { identityCrons } from './identity/jobs.ts'
import { authRoutes } from './identity/routes/auth.ts'
import { serviceAccountRoutes } from './identity/routes/service-accounts.ts'
import { teamRoutes } from './identity/routes/teams.ts'
import { userRoutes } from './identity/routes/users.ts'
import { inboxCrons, inboxJobs } from './inboxes/jobs.ts'
import { catalogueRoutes } from './inboxes/routes/catalogue.ts'
import { handshakeRoutes } from './inboxes/routes/handshake.ts'
import { inboxRoutes } from './inboxes/routes/inboxes.ts'
import type { ConnectionConfig } from './platform/db/db.ts'
import { raw } from './platform/db/sql.ts'
import type { Deps } from './platform/deps.ts'
import type { Subscription } from './platform/events/subscription.ts'
import type { Authenticate } from './platform/http/caller.ts'
import { forgetOldKeys } from './platform/http/idempotency-cron.ts'
import type { Route } from './platform/http/route.ts'
import type { Cron } from './platform/jobs/cron.ts'
import type { AnyJob } from './platform/jobs/job.ts'
import { realtimeRoutes } from './realtime/routes.ts'
import { type Realtime, startRealtime } from './realtime/sockets.ts'
import { forgetTickets } from './realtime/tickets.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { labelDeletionRoutes } from './segments/routes/labels.ts'
import { searchRoutes } from './segments/routes/search.ts'
import { segmentRoutes } from './segments/routes/segments.ts'
import { startDeliverer } from './webhooks/delivery/deliverer.ts'
import { forgetDeliveries, keepAttemptDays } from './webhooks/forgetting.ts'
import { replayEvents } from './webhooks/replay.ts'
import { webhookAttemptRoutes } from './webhooks/routes/attempts.ts'
import { webhookSettingsRoutes } from './webhooks/routes/settings.ts'
import { deliverEvents } from './webhooks/subscriptions.ts'
import { startTimers } from './workflows/engine/timers.ts'
import { forgetErased, forgetOldRuns } from './workflows/forgetting.ts'
import { sweepSegments, workflowJobs } from './workflows/jobs.ts'
import { followDeletions } from './workflows/missing.ts'
import { onCampaignQuestion } from './workflows/outside.ts'
import { workflowCatalogueRoutes } from './workflows/routes/catalogue.ts'
import { chatbotRoutes, chatbotVersionRoutes } from './workflows/routes/chatbots.ts'
import { journeyRoutes, journeyVersionRoutes } from './workflows/routes/journeys.ts'
import { runRoutes } from './workflows/routes/runs.ts'
import { simulationRoutes } from './workflows/routes/simulations.ts'
import { followEvents } from './workflows/subscriptions.ts'

tellSegmentUses()
followDeletions()
onCampaignQuestion(async (on, tenantId, id) => Boolean(await findCampaign(on, tenantId, id, raw('true'))))

export const routes: readonly Route[] = [
  ...authRoutes,
  ...userRoutes,
  ...teamRoutes,
  ...serviceAccountRoutes,
  ...contactRoutes,
  ...importRoutes,
  ...mergeRoutes,
  ...erasureRoutes,
  ...labelRoutes,
  ...inboxRoutes,
  ...catalogueRoutes,
  ...handshakeRoutes,
  ...messageRoutes,
  ...mediaRoutes,
  ...conversationRoutes,
  ...callbackRoutes,
  ...unreadRoutes,
  ...searchRoutes,
  ...segmentRoutes,
  ...labelDeletionRoutes,
  ...campaignRoutes,
  ...campaignSendingRoutes,
  ...journeyRoutes,
  ...journeyVersionRoutes,
  ...runRoutes,
  ...simulationRoutes,
  ...chatbotRoutes,
  ...chatbotVersionRoutes,
  ...workflowCatalogueRoutes,
  ...webhookSettingsRoutes,
  ...webhookAttemptRoutes,
  ...realtimeRoutes,
  ...sandboxRoutes,
]

export const jobs: readonly AnyJob[] = [
  sweepDeletedTag,
  sweepDeletedField,
  importContacts,
  ...inboxJobs,
  sendMessage,
  sendReaction,
  processHappening,
  erasePerson,
  ingestMedia,
  makeThumbnail,
  forgetDeliveries,
  replayEvents,
  ...campaignJobs,
  ...workflowJobs,
]

export const crons: readonly Cron[] = [
  forgetOldKeys,
  ...identityCrons,
  foldContactCounts,
  ...inboxCrons,
  keepAttemptDays,
  forgetTickets,
  forgetHappenings,
  sweepMedia,
  sweepSegments,
  forgetOldRuns,
]

/** Who listens to the event log. */
export const subscriptions: readonly Subscription[] = [
  followInboxes,
  followCampaignMessages,
  followEvents,
  forgetErased,
  deliverEvents,
]

/** What else runs where jobs run. It is given a connection straight to the server. */
type Background = (
  deps: Deps,
  options: { connection: ConnectionConfig },
) => { stop(graceMs: number): Promise<void> }

export const background: readonly Background[] = [startDeliverer, startTimers]

const standingTopic = 'identity.standing'

/** The realtime side of a process that serves HTTP: sockets know of unread counts and lost standing through here. */
export function openRealtime(deps: Deps, authenticate: Authenticate): Realtime {
  const relay = (tenantId: string) => deps.bus.publish(standingTopic, { tenantId })
  deps.db.signals.on(callersChanged, relay)
  const realtime = startRealtime(deps, {
    authenticate,
    unread: caller => unreadOf(deps, caller),
    onStandingChanged: hear =>
      deps.bus.subscribe<{ tenantId: string }>(standingTopic, ({ tenantId }) => hear(tenantId)),
  })
  return {
    ...realtime,
    stop: () => {
      deps.db.signals.off(callersChanged, relay)
      return realtime.stop()
    },
  }
}
