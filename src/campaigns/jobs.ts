import type { AnyJob } from '../platform/jobs/job.ts'
import { dispatchCampaign } from './dispatch.ts'
import { leaveOutRest } from './ending.ts'
import { startCampaign } from './starting.ts'

export const campaignJobs: readonly AnyJob[] = [startCampaign, dispatchCampaign, leaveOutRest]
