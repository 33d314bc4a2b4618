/** Shared by the pages about campaigns: status, times, and the actions that the service allows in each status. */
import type { Schemas } from '../api/client.ts'
import { Status } from '../ui/controls/badge.tsx'
import {
  CheckIcon,
  ClockIcon,
  CloseIcon,
  ErrorIcon,
  type Icon,
  PauseIcon,
  PencilIcon,
  SendIcon,
} from '../ui/controls/icons.tsx'
import { texts } from './texts.ts'

export type Campaign = Schemas['Campaign']
export type ListedCampaign = Schemas['ListedCampaign']
export type CampaignStatus = Campaign['status']
export type Counts = Schemas['CampaignAnalytics']['counts']

type Tone = 'danger' | 'warning' | 'success'

const looks: Record<CampaignStatus, { icon: Icon; tone?: Tone }> = {
  draft: { icon: PencilIcon },
  scheduled: { icon: ClockIcon },
  sending: { icon: SendIcon, tone: 'success' },
  paused: { icon: PauseIcon, tone: 'warning' },
  sent: { icon: CheckIcon },
  failed: { icon: ErrorIcon, tone: 'danger' },
  cancelled: { icon: CloseIcon },
}

export const campaignStatuses = Object.keys(looks) as CampaignStatus[]

export function StatusBadge({ status }: { status: CampaignStatus }) {
  return <Status {...looks[status]}>{texts().statuses[status]}</Status>
}

export function isDeletable({ status }: Campaign): boolean {
  return ['draft', 'sent', 'failed', 'cancelled'].includes(status)
}

/** The time that matters in this status. */
export function toTime({ scheduledAt, sentAt, updatedAt, status }: Campaign): string {
  return (status === 'scheduled' ? scheduledAt : sentAt) ?? updatedAt
}

/** How many recipients have reached a status or a later one. */
export function toReached({ sent, delivered, read }: Counts) {
  return { sent: sent + delivered + read, delivered: delivered + read, read }
}

/** Rounded, except that 0 means none and 100 means all. */
export function toPercent(count: number, all: number): number {
  const percent = all === 0 ? 0 : Math.round((count / all) * 100)
  if (percent === 0 && count > 0) return 1
  return percent === 100 && count < all ? 99 : percent
}
