import { domain } from '../platform/domain.ts'
import { startTimers } from './engine/timers.ts'
import { forgetErased, forgetOldRuns } from './forgetting.ts'
import { sweepSegments, workflowJobs } from './jobs.ts'
import { onCampaignQuestion } from './outside.ts'
import { workflowCatalogueRoutes } from './routes/catalogue.ts'
import { chatbotRoutes, chatbotVersionRoutes } from './routes/chatbots.ts'
import { journeyRoutes, journeyVersionRoutes } from './routes/journeys.ts'
import { runRoutes } from './routes/runs.ts'
import { simulationRoutes } from './routes/simulations.ts'
import { followEvents } from './subscriptions.ts'

export function workflows(campaignExists: Parameters<typeof onCampaignQuestion>[0]) {
  onCampaignQuestion(campaignExists)
  return domain({
    routes: [
      ...journeyRoutes,
      ...journeyVersionRoutes,
      ...runRoutes,
      ...simulationRoutes,
      ...chatbotRoutes,
      ...chatbotVersionRoutes,
      ...workflowCatalogueRoutes,
    ],
    jobs: workflowJobs,
    crons: [sweepSegments, forgetOldRuns],
    subscriptions: [followEvents, forgetErased],
    background: [startTimers],
  })
}
