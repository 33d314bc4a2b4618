import Type from 'typebox'
import { literals, object } from '../../../platform/http/schemas.ts'
import { addDays, timezoneViolations, toInstant, toLocalDate } from '../../triggers/timezones.ts'
import { defineNode } from '../node-type.ts'

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const Clock = Type.String({
  pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
  patternMessage: 'must be a time such as 09:30',
})

export const timeWindow = defineNode({
  type: 'timeWindow',
  summary: 'Continue only during certain hours',
  docs: `Within the window the run continues immediately; otherwise it waits until the window opens. \`days\` are \`mon\` to
\`sun\` (default: every day), \`from\` and \`to\` are times of day in \`timezone\` (default UTC). If \`to\` is not after
\`from\`, the window ends on the next day.`,
  data: object({
    days: Type.Optional(Type.Array(literals(dayNames), { minItems: 1, maxItems: 7, uniqueItems: true })),
    from: Clock,
    to: Clock,
    timezone: Type.Optional(Type.String({ maxLength: 60 })),
  }),
  example: {
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    from: '09:00',
    to: '18:00',
    timezone: 'Europe/Madrid',
  },
  violations: ({ timezone }) => timezoneViolations('timezone', timezone),
  run: ({ data, now, input }) => {
    const until = findNextOpening(data, now)
    if (input.type !== 'arrived' || until <= now) return { to: 'next' }
    return { wait: { until }, detail: { until: until.toISOString() } }
  },
})

export interface TimeWindow {
  days?: readonly string[]
  from: string
  to: string
  timezone?: string
}

function weekday(day: string): string {
  return dayNames[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7]!
}

/** Returns `now` while the window is open, otherwise the time it opens next. */
export function findNextOpening(
  { days = dayNames, from, to, timezone = 'UTC' }: TimeWindow,
  now: Date,
): Date {
  const today = toLocalDate(timezone, now)
  // Yesterday's window may still be open; in eight days each day of the week has come.
  for (let offset = -1; offset <= 8; offset++) {
    const day = addDays(today, offset)
    if (!days.includes(weekday(day))) continue
    const opens = toInstantAt(timezone, day, from)
    const closes = toInstantAt(timezone, to > from ? day : addDays(day, 1), to)
    if (now < closes) return opens <= now ? now : opens
  }
  return now
}

function toInstantAt(timezone: string, day: string, time: string): Date {
  return time === '24:00' ? toInstant(timezone, addDays(day, 1), '00:00') : toInstant(timezone, day, time)
}
