/** Settings of a workspace: their shapes, and the checks that a schema cannot express. */
import Type, { type Static } from 'typebox'
import { maxRetentionDays, minRetentionDays } from '../../platform/config.ts'
import { invalid, type Violation, violation } from '../../platform/errors.ts'
import { literals, Name, named, nullable, object } from '../../platform/http/schemas.ts'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const TimeOfDay = Type.String({
  pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
  patternMessage: 'must be a time such as 09:30, at most 24:00',
})

export const BusinessHours = named(
  'BusinessHours',
  Type.Array(
    object({
      days: Type.Array(literals(weekdays), { minItems: 1, maxItems: 7, uniqueItems: true }),
      from: TimeOfDay,
      to: TimeOfDay,
    }),
    {
      minItems: 1,
      maxItems: 50,
      description: 'in the time zone of the workspace; windows of a day do not overlap',
    },
  ),
)

export const WorkspaceSettings = {
  timezone: Type.String({ maxLength: 60, description: 'a name of the IANA database, such as Europe/Madrid' }),
  locale: Type.String({ maxLength: 60, description: 'a BCP 47 tag, such as de-CH' }),
  businessHours: nullable(BusinessHours),
  retention: object({
    messageDays: nullable(
      Type.Integer({
        minimum: minRetentionDays,
        maximum: maxRetentionDays,
        description:
          'messages, notes and files of conversations are deleted after this many days; null: as long as the installation allows',
      }),
    ),
  }),
}

export const WorkspacePatch = object({
  name: Type.Optional(Name),
  secondFactorRequired: Type.Optional(Type.Boolean()),
  timezone: Type.Optional(WorkspaceSettings.timezone),
  locale: Type.Optional(WorkspaceSettings.locale),
  businessHours: Type.Optional(WorkspaceSettings.businessHours),
  retention: Type.Optional(WorkspaceSettings.retention),
})
export type WorkspaceChange = Static<typeof WorkspacePatch>

/** Throws unless time zone, locale and hours exist, and returns the change with the locale in its canonical form. */
export function checkWorkspaceChange(change: WorkspaceChange): WorkspaceChange {
  const locale = change.locale === undefined ? undefined : toCanonicalLocale(change.locale)
  const violations = [
    ...(change.timezone === undefined || isTimezone(change.timezone)
      ? []
      : [violation('timezone', 'unknown_timezone', 'must be a time zone such as Europe/Madrid')]),
    ...(change.locale !== undefined && locale === undefined
      ? [violation('locale', 'unknown_locale', 'must be a language tag such as de-CH')]
      : []),
    ...listHourViolations(change.businessHours ?? []),
  ]
  if (violations.length > 0) invalid(...violations)
  return locale === undefined ? change : { ...change, locale }
}

/** `Intl` also accepts offsets, which do not follow daylight saving. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function toCanonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** `HH:MM` compares as text. */
export function listHourViolations(hours: Static<typeof BusinessHours>): Violation[] {
  return hours.flatMap((window, i) => {
    if (window.to <= window.from)
      return [
        violation(`businessHours[${i}].to`, 'not_after', 'must be after from; 24:00 is the end of the day'),
      ]
    const overlaps = hours
      .slice(0, i)
      .some(
        ({ days, from, to }) =>
          days.some(day => window.days.includes(day)) && from < window.to && window.from < to,
      )
    return overlaps
      ? [violation(`businessHours[${i}]`, 'overlap', 'must not overlap another window of the same day')]
      : []
  })
}
