import { Cron } from 'croner'
import Type from 'typebox'
import { violation } from '../../platform/errors.ts'
import { timezoneViolations } from './timezones.ts'
import { defineTrigger } from './trigger-type.ts'

/** Returns the first run time after `after`, or undefined if the expression never matches again. */
export function getNextRun(cron: string, timezone: string, after: Date): Date | undefined {
  return new Cron(cron, { timezone, paused: true, mode: '5-part' }).nextRun(after) ?? undefined
}

function findCronError(cron: string): string | undefined {
  try {
    return getNextRun(cron, 'UTC', new Date()) ? undefined : 'never matches a date'
  } catch (error) {
    return (error as Error).message
  }
}

export const schedule = defineTrigger({
  type: 'schedule',
  summary: 'On a schedule',
  docs: `At the times of a cron expression (minute, hour, day, month, weekday) in a time zone, every contact that matches
\`conditions\` enters. Times missed while the service was down are caught up once.`,
  config: {
    cron: Type.String({ minLength: 1, maxLength: 100, examples: ['0 9 * * 1'] }),
    timezone: Type.Optional(
      Type.String({ maxLength: 60, examples: ['Europe/Madrid'], description: 'Default UTC' }),
    ),
  },
  violations: ({ cron, timezone }) => {
    const fault = findCronError(cron)
    return [
      ...(fault ? [violation('cron', 'invalid_cron', fault)] : []),
      ...timezoneViolations('timezone', timezone),
    ]
  },
  events: [],
})
