/** The value of a condition: text, number of days, date, or a choice of tags, channels, journeys or campaigns. */
import { type ComponentProps, useState } from 'react'
import { channelNames } from '../../inbox/channels.ts'
import { Button } from '../../ui/controls/button.tsx'
import field from '../../ui/controls/field.module.css'
import { Picker } from '../../ui/pickers/picker.tsx'
import { classNames } from '../../ui/styles/class-names.ts'
import {
  type Condition,
  hasDays,
  hasNoValue,
  isCount,
  isTime,
  toOperator,
  toTimeValue,
} from './conditions.ts'
import styles from './filter.module.css'
import type { ReferenceLists } from './references.ts'
import { filterTexts } from './texts.ts'

interface ValueProps {
  condition: Condition
  lists: ReferenceLists
  onChange: (condition: Condition) => void
}

type Channel = keyof typeof channelNames

const Input = (props: ComponentProps<'input'>) => (
  <input {...props} className={classNames(field.input, props.className)} />
)

function Days({ value, onChange }: { value: unknown; onChange: (days: number) => void }) {
  return (
    <Input
      type="number"
      className={styles.narrow}
      aria-label={filterTexts().numberOfDays}
      min={1}
      max={36_500}
      value={typeof value === 'number' && value > 0 ? value : ''}
      onChange={event => onChange(Math.round(event.target.valueAsNumber) || 0)}
    />
  )
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly { id: string; name: string }[]
  onChange: (id: string) => void
}) {
  const texts = filterTexts()
  return (
    <select
      className={field.input}
      aria-label={label}
      title={options.find(({ id }) => id === value)?.name}
      value={value}
      onChange={event => onChange(event.target.value)}
    >
      {value === '' && <option value="">{texts.choose}</option>}
      {value !== '' && !options.some(({ id }) => id === value) && (
        <option value={value}>{texts.unknown}</option>
      )}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

const toDay = (timestamp: string) => {
  if (timestamp === '') return ''
  const time = new Date(timestamp)
  const pad = (n: number) => String(n).padStart(2, '0')
  return `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`
}
/** The first instant of the day where the user is. */
const toInstant = (day: string) => (day === '' ? '' : new Date(`${day}T00:00`).toISOString())

const channelOptions = Object.entries(channelNames).map(([id, name]) => ({ id, name }))

export function ConditionValue({ condition, lists, onChange }: ValueProps) {
  const texts = filterTexts()
  if (isTime(condition)) return <TimeValue condition={condition} onChange={onChange} />
  switch (condition.type) {
    case 'searchText':
      return (
        <>
          <span className={styles.fixed}>{texts.containsText}</span>
          <Input
            aria-label={texts.value}
            maxLength={200}
            value={condition.text}
            onChange={event => onChange({ ...condition, text: event.target.value })}
          />
        </>
      )
    case 'hasAnyTag':
    case 'notAnyTag':
      return (
        <Several
          title={texts.chooseTags}
          options={lists.tags}
          ids={condition.tagIds}
          onChange={tagIds => onChange({ ...condition, tagIds })}
        />
      )
    case 'hasAnyChannel':
      return (
        <Several
          title={texts.chooseChannels}
          options={channelOptions}
          ids={condition.channels}
          onChange={channels => onChange({ ...condition, channels: channels as Channel[] })}
        />
      )
    case 'chatCount':
    case 'performedEvent':
      return <Count condition={condition} onChange={onChange} />
    case 'customFieldText':
    case 'customFieldDate':
      return <FieldValue condition={condition} onChange={onChange} />
    default:
      return <OneOf condition={condition} lists={lists} onChange={onChange} />
  }
}

function OneOf({ condition, lists, onChange }: ValueProps) {
  const texts = filterTexts()
  switch (condition.type) {
    case 'archiveStatus': {
      const options = (['active', 'archived', 'any'] as const).map(id => ({ id, name: texts.archive[id] }))
      const change = (status: string) => onChange({ ...condition, status: status as 'any' })
      return <Choice label={texts.value} value={condition.status} options={options} onChange={change} />
    }
    case 'optedOut': {
      const change = (channel: string) => onChange({ ...condition, channel: channel as Channel })
      return (
        <Choice label={texts.value} value={condition.channel} options={channelOptions} onChange={change} />
      )
    }
    case 'inJourney': {
      const change = (journeyId: string) => onChange({ ...condition, journeyId })
      return (
        <Choice label={texts.value} value={condition.journeyId} options={lists.journeys} onChange={change} />
      )
    }
    case 'gotCampaign': {
      const change = (campaignId: string) => onChange({ ...condition, campaignId })
      return (
        <Choice
          label={texts.value}
          value={condition.campaignId}
          options={lists.campaigns}
          onChange={change}
        />
      )
    }
    default:
      return null
  }
}

function TimeValue({ condition, onChange }: Omit<ValueProps, 'lists'>) {
  const texts = filterTexts()
  if (!isTime(condition)) return null
  const operator = toOperator(condition) ?? 'withinDays'
  const set = (value: string | number) => onChange({ type: condition.type, [operator]: value } as Condition)
  const value = toTimeValue(condition)
  if (hasDays(operator)) return <Days value={value} onChange={set} />
  return (
    <Input
      type="date"
      aria-label={texts.day}
      value={toDay(String(value ?? ''))}
      onChange={event => set(toInstant(event.target.value))}
    />
  )
}

function Count({ condition, onChange }: Omit<ValueProps, 'lists'>) {
  const texts = filterTexts()
  if (!isCount(condition)) return null
  const { windowDays, ...rest } = condition
  return (
    <>
      {condition.type === 'performedEvent' && (
        <Input
          aria-label={texts.eventName}
          maxLength={100}
          value={condition.name}
          onChange={event => onChange({ ...condition, name: event.target.value })}
        />
      )}
      <Input
        type="number"
        className={styles.narrow}
        aria-label={texts.value}
        min={0}
        max={1_000_000}
        value={Number.isNaN(condition.value) ? '' : condition.value}
        onChange={event => onChange({ ...condition, value: event.target.valueAsNumber })}
      />
      <Input
        type="number"
        className={styles.period}
        aria-label={texts.inPeriod}
        placeholder={texts.inPeriodShort}
        min={1}
        max={condition.type === 'performedEvent' ? 365 : 36_500}
        value={windowDays ?? ''}
        onChange={event => {
          const days = Math.round(event.target.valueAsNumber)
          onChange(days > 0 ? { ...rest, windowDays: days } : rest)
        }}
      />
    </>
  )
}

function FieldValue({ condition, onChange }: Omit<ValueProps, 'lists'>) {
  const texts = filterTexts()
  if (condition.type !== 'customFieldText' && condition.type !== 'customFieldDate') return null
  const operator = toOperator(condition)
  if (hasNoValue(operator)) return null
  const set = (value: string | number) => onChange({ ...condition, value } as Condition)
  if (hasDays(operator)) return <Days value={condition.value} onChange={set} />
  const isDate = condition.type === 'customFieldDate'
  return (
    <Input
      type={isDate ? 'date' : 'text'}
      aria-label={isDate ? texts.day : texts.value}
      maxLength={1_000}
      value={String(condition.value ?? '')}
      onChange={event => set(event.target.value)}
    />
  )
}

/** A button with the chosen names; it opens a list in which several can be chosen. */
function Several({
  title,
  options,
  ids,
  onChange,
}: {
  title: string
  options: readonly { id: string; name: string }[]
  ids: readonly string[]
  onChange: (ids: string[]) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const names = ids.map(id => options.find(option => option.id === id)?.name ?? filterTexts().deletedTag)
  const choices = options.map(({ id, name }) => ({
    id,
    label: name,
    checked: ids.includes(id),
    onSelect: () => onChange(ids.includes(id) ? ids.filter(item => item !== id) : [...ids, id]),
  }))
  return (
    <>
      <Button
        className={styles.wide}
        aria-label={`${title}: ${names.join(', ')}`}
        onClick={() => setOpen(true)}
      >
        <span className={styles.names}>{names.join(', ') || filterTexts().choose}</span>
      </Button>
      {isOpen && <Picker title={title} choices={choices} onClose={() => setOpen(false)} isMultiple />}
    </>
  )
}
