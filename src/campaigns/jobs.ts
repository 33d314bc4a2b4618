import type { AnyJob } from '../platform/jobs/job.ts'
import { skipRemainingRecipients } from './sending/complete.ts'
import { dispatchCampaign } from './sending/dispatch.ts'
import { startCampaign } from './sending/start.ts'

export const campaignJobs: readonly AnyJob[] = [startCampaign, dispatchCampaign, skipRemainingRecipients]
