/** Chooses a time in the future: common times first, any other time in a field that names the time zone. */
import { useState } from 'react'
import { formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../controls/button.tsx'
import { TextField } from '../controls/field.tsx'
import { ClockIcon } from '../controls/icons.tsx'
import { Dialog } from '../overlays/dialog.tsx'
import { type Choice, Picker } from './picker.tsx'

export interface TimePickerProps {
  title: string
  onChoose: (time: Date) => void
  onClose: () => void
  /** Choices that are not a time, such as "until the customer writes". */
  others?: readonly Choice[]
}

export function TimePicker({ title, onChoose, onClose, others = [] }: TimePickerProps) {
  const [isCustom, setCustom] = useState(false)
  if (isCustom) return <CustomTime title={title} onChoose={onChoose} onClose={onClose} />
  const times = listTimes(new Date()).map(({ id, label, time }) => ({
    id,
    label,
    hint: formatDateTime(time),
    icon: ClockIcon,
    onSelect: () => onChoose(time),
  }))
  const custom = { id: 'custom', label: t.otherTime, icon: ClockIcon, onSelect: () => setCustom(true) }
  // The picker closes after a choice; the field for another time replaces it.
  return <Picker title={title} choices={[...times, ...others, custom]} onClose={onClose} isMultiple />
}

function atHour(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
}

/** Tomorrow and Monday begin at nine in the user's time zone. */
export function listTimes(now: Date): { id: string; label: string; time: Date }[] {
  const daysToMonday = ((8 - now.getDay()) % 7 || 7) as number
  return [
    { id: 'hour', label: t.inOneHour, time: new Date(now.getTime() + 3_600_000) },
    { id: 'hours', label: t.inThreeHours, time: new Date(now.getTime() + 3 * 3_600_000) },
    { id: 'tomorrow', label: t.tomorrow, time: atHour(now, 1, 9) },
    { id: 'monday', label: t.nextMonday, time: atHour(now, daysToMonday, 9) },
  ]
}

/** The value of a `datetime-local` field. */
function toLocal(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function CustomTime({ title, onChoose, onClose }: Omit<TimePickerProps, 'others'>) {
  const [value, setValue] = useState(() => toLocal(atHour(new Date(), 1, 9)))
  const time = new Date(value)
  const isPast = !(time.getTime() > Date.now())
  return (
    <Dialog title={title} open onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (!isPast) onChoose(time)
        }}
      >
        <TextField
          label={t.dateAndTime}
          type="datetime-local"
          value={value}
          min={toLocal(new Date())}
          hint={t.timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
          error={isPast ? t.timeInPast : undefined}
          onChange={event => setValue(event.target.value)}
        />
        <Button look="primary" type="submit" disabled={isPast}>
          {title}
        </Button>
      </form>
    </Dialog>
  )
}
