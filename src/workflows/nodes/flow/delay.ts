import Type from 'typebox'
import { violation } from '../../../platform/errors.ts'
import { AnyId, isDate, isTimestamp, object, parseTimestamp } from '../../../platform/http/schemas.ts'
import { addDays, timezoneViolations, toInstant } from '../../triggers/timezones.ts'
import {
  addDuration,
  Duration,
  exactlyOneViolations,
  hasPlaceholders,
  placeholderViolations,
} from '../node-fields.ts'
import { defineNode } from '../node-type.ts'

const Clock = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  patternMessage: 'must be a time such as 09:30',
})

const data = object({
  for: Type.Optional(Duration),
  until: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A timestamp or date; may contain {{placeholders}}',
    }),
  ),
  field: Type.Optional(AnyId),
  offsetDays: Type.Optional(Type.Integer({ minimum: -365, maximum: 365 })),
  at: Type.Optional(Clock),
  timezone: Type.Optional(Type.String({ maxLength: 60 })),
})

export const delay = defineNode({
  type: 'delay',
  summary: 'Wait for a duration, or until a point in time',
  docs: `Takes one of \`for\`, a duration; \`until\`, a timestamp or date; or \`field\`, the id of a date field of the contact. With
\`until\` and \`field\`, \`offsetDays\` shifts the date, and \`at\` is the time of that day in \`timezone\` (default UTC). A time in
the past or a field without a value does not wait. A field deleted after publishing fails the step.`,
  data,
  example: { for: { days: 2 } },
  waits: given => given.for !== undefined,
  references: ({ field }) =>
    field === undefined ? [] : [{ kind: 'field', id: field, path: 'field', fieldType: 'date' }],
  violations: given => {
    const { until, timezone } = given
    const faults = [
      ...exactlyOneViolations(given, ['for', 'until', 'field']),
      ...timezoneViolations('timezone', timezone),
    ]
    if (until !== undefined && !hasPlaceholders(until) && !isTimestamp(until) && !isDate(until))
      faults.push(
        violation('until', 'invalid_format', 'must be a timestamp, a date, or contain {{placeholders}}'),
      )
    for (const name of ['offsetDays', 'at', 'timezone'] as const) {
      if (given.for !== undefined && given[name] !== undefined)
        faults.push(violation(name, 'unexpected', 'must not be set together with for'))
    }
    return [...faults, ...placeholderViolations(until, 'until')]
  },
  run: async step => {
    const { data: given, now } = step
    if (step.input.type !== 'arrived') return { to: 'next' }
    const value = given.field ? await step.field(given.field) : await step.interpolate(given.until)
    const until = given.for ? addDuration(now, given.for) : parseInstant(value, given)
    if (!until || until <= now) return { to: 'next', detail: { until: until?.toISOString() ?? null } }
    return { wait: { until }, detail: { until: until.toISOString() } }
  },
})

interface InstantOptions {
  offsetDays?: number
  at?: string
  timezone?: string
}

function parseInstant(value: string | undefined, { offsetDays = 0, at, timezone = 'UTC' }: InstantOptions) {
  const text = value?.trim() ?? ''
  if (!isDate(text) && !isTimestamp(text)) return undefined
  if (at === undefined && isTimestamp(text))
    return new Date(parseTimestamp(text).getTime() + offsetDays * 86_400_000)
  return toInstant(timezone, addDays(text.slice(0, 10), offsetDays), at ?? '00:00')
}
