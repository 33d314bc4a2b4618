/** Tells segments which campaigns are scheduled on them, for the audit entry of a segment that changes by itself. */
import { onSegmentUse } from '../segments/uses.ts'
import { listScheduledOn } from './store/campaigns.ts'

export function tellSegmentUses(): void {
  onSegmentUse(listScheduledOn)
}
