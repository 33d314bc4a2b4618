import type { AnyJob } from '../platform/jobs/job.ts'
import { sweepSegment } from './engine/enrollment/segment-entries.ts'
import { advanceBotRun, advanceRun, callHttp } from './engine/run/resume.ts'
import { runSchedule } from './engine/schedules/schedules.ts'

export { sweepSegments } from './engine/enrollment/segment-entries.ts'

export const workflowJobs: readonly AnyJob[] = [
  advanceRun,
  advanceBotRun,
  callHttp,
  runSchedule,
  sweepSegment,
]
