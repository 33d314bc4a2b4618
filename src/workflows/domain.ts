import { domain } from '../platform/domain.ts'
import type { CampaignExists } from './definition/references.ts'
import { sweepSegment, sweepSegments } from './engine/enrollment/segment-entries.ts'
import { cancelRemainingRuns } from './engine/run/cancel-runs.ts'
import { advanceBotRun, advanceRun, callHttp } from './engine/run/resume.ts'
import { runSchedule } from './engine/schedules/schedules.ts'
import { startTimerLoop } from './engine/schedules/timer-loop.ts'
import { enrollPage } from './journeys/enroll-contacts.ts'
import { pauseWithoutRights, releaseHeldRuns } from './publisher-rights.ts'
import { workflowCatalogueRoutes } from './routes/catalogue.ts'
import { chatbotRoutes } from './routes/chatbots.ts'
import { journeyRoutes } from './routes/journeys.ts'
import { runRoutes } from './routes/runs.ts'
import { secretRoutes } from './routes/secrets.ts'
import { templateListRoute } from './routes/templates.ts'
import { journeyTimeline } from './runs/contact-timeline.ts'
import { deleteErasedRuns, purgeRuns } from './runs/retention.ts'
import { workflowSearch } from './search.ts'
import { sealedSecrets } from './secrets.ts'
import { foldCounts } from './statistics/analytics.ts'
import { workflowEngine } from './subscriptions.ts'

export const workflowJobs = [
  advanceRun,
  advanceBotRun,
  callHttp,
  cancelRemainingRuns,
  enrollPage,
  releaseHeldRuns,
  runSchedule,
  sweepSegment,
]

/** `campaignExists` is a port of campaigns, which workflows cannot import. */
export function workflows(campaignExists: CampaignExists) {
  return domain({
    routes: [
      ...journeyRoutes(campaignExists),
      ...runRoutes,
      ...chatbotRoutes(campaignExists),
      ...workflowCatalogueRoutes,
      templateListRoute,
      ...secretRoutes,
    ],
    jobs: workflowJobs,
    crons: [sweepSegments, purgeRuns, foldCounts],
    subscriptions: [workflowEngine, deleteErasedRuns, pauseWithoutRights],
    background: [startTimerLoop],
    search: workflowSearch,
    contactTimeline: journeyTimeline,
    sealed: [sealedSecrets],
  })
}
