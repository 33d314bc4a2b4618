/** When the campaign is sent: now, or at a time in the time zone of the browser. It is part of the address until then. */
import { useId } from 'react'
import type { Violation } from '../../api/errors.ts'
import { t } from '../../i18n/i18n.ts'
import { TextField } from '../../ui/controls/field.tsx'
import styles from '../campaigns.module.css'
import { Part } from './part.tsx'
import { texts } from './texts.ts'

export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The value of a `datetime-local` field. */
function toLocal(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function tomorrowAtNine(): string {
  const now = new Date()
  return toLocal(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9))
}

export const isPast = (at: string) => !(new Date(at).getTime() > Date.now())

interface WhenPartProps {
  /** Local time; undefined: now. */
  at: string | undefined
  violations: readonly Violation[]
  onChange: (at: string | undefined) => void
}

export function WhenPart({ at, violations, onChange }: WhenPartProps) {
  const name = useId()
  const choices = [
    { label: texts().now, value: undefined, isChosen: at === undefined },
    { label: texts().later, value: at ?? tomorrowAtNine(), isChosen: at !== undefined },
  ]
  return (
    <Part id="when" violations={violations}>
      <fieldset className={styles.choices} aria-label={texts().when}>
        {choices.map(({ label, value, isChosen }) => (
          <label key={label}>
            <input type="radio" name={name} checked={isChosen} onChange={() => onChange(value)} />
            {label}
          </label>
        ))}
      </fieldset>
      {at !== undefined && (
        <TextField
          label={t.dateAndTime}
          type="datetime-local"
          value={at}
          min={toLocal(new Date())}
          hint={t.timeZone(timeZone())}
          error={isPast(at) ? t.timeInPast : undefined}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Part>
  )
}
