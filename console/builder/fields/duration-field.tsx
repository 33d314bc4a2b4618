/** A duration: an amount and its unit. */
import { Checkbox, Select, TextField } from '../../ui/controls/field.tsx'
import overlay from '../../ui/overlays/overlay.module.css'
import { texts } from '../texts.ts'
import styles from './fields.module.css'
import { type FieldProps, findMessage } from './schema.ts'
import { fieldTexts, labelProperty } from './texts.ts'

const units = ['seconds', 'minutes', 'hours', 'days'] as const

export function DurationField({ name, path, value, isRequired, problems, onChange }: FieldProps) {
  const isSet = typeof value === 'object' && value !== null
  const [unit, amount] = isSet ? (Object.entries(value)[0] ?? ['days', '']) : ['days', '']
  const set = (nextUnit: string, text: string) =>
    onChange(
      text === '' ? (isRequired ? {} : undefined) : { [nextUnit]: Math.max(1, Math.round(Number(text))) },
    )
  return (
    <fieldset className={styles.group}>
      {/* The checkbox has the same words. */}
      <legend className={isRequired ? undefined : overlay.hidden}>{labelProperty(name)}</legend>
      {!isRequired && (
        <Checkbox
          label={labelProperty(name)}
          checked={isSet}
          onChange={event => onChange(event.target.checked ? { days: 1 } : undefined)}
        />
      )}
      {(isSet || isRequired) && (
        <div className={styles.pair}>
          <TextField
            label={fieldTexts().amount}
            type="number"
            min={1}
            value={String(amount)}
            error={findMessage(problems, path, true)}
            onChange={event => set(unit, event.target.value)}
          />
          <Select
            label={fieldTexts().unit}
            value={unit}
            onChange={event => set(event.target.value, String(amount))}
          >
            {units.map(item => (
              <option key={item} value={item}>
                {texts().units[item]}
              </option>
            ))}
          </Select>
        </div>
      )}
    </fieldset>
  )
}
