/** Edits business hours: windows of weekdays, or null where another rule applies. */
import type { Schemas } from '../../api/client.ts'
import type { ApiError } from '../../api/errors.ts'
import { language } from '../../i18n/i18n.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Checkbox, Select, TextField } from '../../ui/controls/field.tsx'
import { PlusIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { useKeptFocus } from '../../ui/focus/use-kept-focus.ts'
import styles from '../settings.module.css'
import { texts } from '../texts.ts'
import { findViolation } from './tasks.ts'

type Hours = Schemas['BusinessHours']
type Window = Hours[number]

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const officeHours: Window = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }

interface HoursFieldsProps {
  value: Hours | null
  /** The label for no hours, such as "Always open". */
  without: string
  problem: ApiError | undefined
  onChange: (value: Hours | null) => void
}

export function HoursFields({ value, without, problem, onChange }: HoursFieldsProps) {
  const change = (index: number, window: Window) =>
    onChange(value!.map((item, position) => (position === index ? window : item)))
  return (
    <>
      <Select
        label={texts().hours}
        value={value ? 'own' : 'none'}
        error={findViolation(problem, 'businessHours')}
        onChange={event => onChange(event.target.value === 'own' ? [officeHours] : null)}
      >
        <option value="none">{without}</option>
        <option value="own">{texts().chosenHours}</option>
      </Select>
      {value?.map((window, index) => (
        <WindowFields
          // biome-ignore lint/suspicious/noArrayIndexKey: windows have no identity
          key={index}
          number={index + 1}
          window={window}
          onChange={next => change(index, next)}
          onRemove={value.length > 1 ? () => onChange(value.filter(item => item !== window)) : undefined}
        />
      ))}
      {value && (
        <div>
          <Button icon={PlusIcon} onClick={() => onChange([...value, { ...officeHours, days: ['sat'] }])}>
            {texts().addHours}
          </Button>
        </div>
      )}
    </>
  )
}

/** Returns the short name of a weekday; 1 January 2024 was a Monday. */
function nameDay(index: number): string {
  return new Date(2024, 0, 1 + index).toLocaleDateString(language.get(), { weekday: 'short' })
}

interface WindowFieldsProps {
  number: number
  window: Window
  onChange: (window: Window) => void
  onRemove: (() => void) | undefined
}

/** A time field has no 24:00: midnight as the end is shown as 00:00. */
function WindowFields({ number, window, onChange, onRemove }: WindowFieldsProps) {
  const toggle = (day: Window['days'][number], isOn: boolean) =>
    onChange({ ...window, days: days.filter(item => (item === day ? isOn : window.days.includes(item))) })
  return (
    <fieldset ref={useKeptFocus<HTMLFieldSetElement>()} className={styles.choices}>
      <legend>{texts().hoursNumber(number)}</legend>
      <div className={styles.name}>
        {days.map((day, index) => (
          <Checkbox
            key={day}
            label={nameDay(index)}
            checked={window.days.includes(day)}
            onChange={event => toggle(day, event.target.checked)}
          />
        ))}
      </div>
      <div className={styles.buttons}>
        <TextField
          label={texts().hoursFrom}
          type="time"
          required
          value={window.from}
          onChange={event => onChange({ ...window, from: event.target.value })}
        />
        <TextField
          label={texts().hoursTo}
          type="time"
          required
          value={window.to === '24:00' ? '00:00' : window.to}
          onChange={event =>
            onChange({ ...window, to: event.target.value === '00:00' ? '24:00' : event.target.value })
          }
        />
        {onRemove && <RemoveHours number={number} onClick={onRemove} />}
      </div>
    </fieldset>
  )
}

/** The last window cannot be removed: its button disappears with the window before. */
function RemoveHours({ number, onClick }: { number: number; onClick: () => void }) {
  const button = useKeptFocus<HTMLButtonElement>()
  return <IconButton ref={button} icon={TrashIcon} label={texts().removeHours(number)} onClick={onClick} />
}
