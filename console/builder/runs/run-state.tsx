/** The status of a run as a badge, and what it waits for as a sentence. */
import { formatDateTime } from '../../i18n/format.ts'
import { Status } from '../../ui/controls/badge.tsx'
import {
  CheckCircleIcon,
  ClockIcon,
  CloseIcon,
  ErrorIcon,
  type Icon,
  PlayIcon,
} from '../../ui/controls/icons.tsx'
import type { Run, RunStatus } from './run-api.ts'
import { describeError } from './run-errors.ts'
import { texts } from './texts.ts'

const looks: Record<RunStatus, { icon: Icon; tone?: 'danger' | 'success' | 'warning' }> = {
  running: { icon: PlayIcon, tone: 'success' },
  waiting: { icon: ClockIcon },
  completed: { icon: CheckCircleIcon, tone: 'success' },
  failed: { icon: ErrorIcon, tone: 'danger' },
  cancelled: { icon: CloseIcon },
}

export const runStatuses = Object.keys(looks) as RunStatus[]

export function RunBadge({ status }: { status: RunStatus }) {
  return <Status {...looks[status]}>{texts().statuses[status]}</Status>
}

/** Says what the run waits for, or why it ended. */
export function describeState({ waitingFor, endReason, error, held }: Run): string {
  if (held) return texts().held
  if (error) return describeError(error)
  if (endReason) return texts().ends[endReason] ?? endReason
  if (!waitingFor) return ''
  const { message, cases, delivery, http, run, debounce, until } = waitingFor
  const what = [
    message && texts().waits.message,
    cases && texts().waits.cases,
    delivery && texts().waits.delivery,
    http && texts().waits.http,
    run && texts().waits.run,
    debounce && texts().waits.debounce,
    until && texts().waits.until(formatDateTime(new Date(until))),
  ]
  return what.filter(Boolean).join(', ')
}

/** Since when the run is in its state. */
export const getSince = ({ waitingFor, endedAt, updatedAt }: Run): string =>
  waitingFor?.since ?? endedAt ?? updatedAt
