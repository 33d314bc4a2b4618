import { domain } from '../platform/domain.ts'
import { startTimerLoop } from './engine/schedules/timer-loop.ts'
import { sweepSegments, workflowJobs } from './jobs.ts'
import { onCampaignQuestion } from './outside.ts'
import { deleteErasedRuns, purgeRuns } from './retention.ts'
import { workflowCatalogueRoutes } from './routes/catalogue.ts'
import { chatbotRoutes, chatbotVersionRoutes } from './routes/chatbots.ts'
import { runRoutes } from './routes/runs.ts'
import { simulationRoutes } from './routes/simulations.ts'
import { journeyRoutes, journeyVersionRoutes } from './routes/workflows.ts'
import { workflowEngine } from './subscriptions.ts'

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
    crons: [sweepSegments, purgeRuns],
    subscriptions: [workflowEngine, deleteErasedRuns],
    background: [startTimerLoop],
  })
}
