import type { AnyJob } from '../platform/jobs/job.ts'
import { enterByClock } from './engine/clocks.ts'
import { advanceBotRun, advanceRun, callHttp } from './engine/waking.ts'
import { sweepSegment } from './engine/watching.ts'

export { sweepSegments } from './engine/watching.ts'

export const workflowJobs: readonly AnyJob[] = [
  advanceRun,
  advanceBotRun,
  callHttp,
  enterByClock,
  sweepSegment,
]
