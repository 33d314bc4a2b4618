/** The cases of branches and waits, the options of menus, and the shares of splits: each entry is an output. */
import { emptyFilter } from '../../segments/filter/conditions.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Select, TextField } from '../../ui/controls/field.tsx'
import { CloseIcon, PlusIcon } from '../../ui/controls/icons.tsx'
import type { Data } from '../model/definition.ts'
import { LinesInput, PairsInput, TemplateInput, TextInput } from './basic-fields.tsx'
import { ConditionField } from './condition-field.tsx'
import styles from './fields.module.css'
import { createItemId, ItemList } from './item-list.tsx'
import { type FieldProps, findMessage, withProperty } from './schema.ts'
import { fieldTexts, labelProperty } from './texts.ts'

const toItems = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const toData = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})

/** A case of a branch is a condition, alone or with the name of its output. */
function readCase(one: unknown): { id: string | undefined; condition: unknown; at: string } {
  const { id, filter, expression } = toData(one) as Record<string, unknown>
  const name = typeof id === 'string' ? id : undefined
  if (expression !== undefined) return { id: name, condition: expression, at: '.expression' }
  if (filter !== undefined) return { id: name, condition: filter, at: '.filter' }
  return { id: name, condition: one, at: '' }
}

export function BranchCases({ name, path, value, isRequired, problems, onChange }: FieldProps) {
  const items = toItems(value)
  const create = () => ({ id: createItemId(items, 'case'), filter: emptyFilter })
  const write = (id: string | undefined, condition: unknown) => ({
    ...(id === undefined ? {} : { id }),
    ...(typeof condition === 'string' ? { expression: condition } : { filter: condition }),
  })
  return (
    <ItemList name={name} items={items} max={20} isRequired={isRequired} create={create} onChange={onChange}>
      {(item, position, replace) => {
        const { id, condition, at } = readCase(item)
        const place = `${path}[${position}]`
        return (
          <>
            <OutputName
              path={place}
              id={id}
              position={position}
              problems={problems}
              onChange={next => replace(write(next, condition))}
            />
            <ConditionField
              name="condition"
              path={`${place}${at}`}
              value={condition}
              problems={problems}
              onChange={next => replace(write(id ?? String(position), next))}
            />
          </>
        )
      }}
    </ItemList>
  )
}

interface OutputNameProps extends Pick<FieldProps, 'path' | 'problems'> {
  id: string | undefined
  position: number
  onChange: (id: string) => void
}

function OutputName({ path, id, position, problems, onChange }: OutputNameProps) {
  return (
    <div data-field={`${path}.id`}>
      <TextField
        label={labelProperty('id')}
        value={id ?? String(position)}
        maxLength={100}
        error={findMessage(problems, `${path}.id`)}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}

/** Cases of `waitFor` have an output; those of `exitWhen` may have a goal. */
export function AwaitedCases({ name, path, value, isRequired, problems, onChange }: FieldProps) {
  const items = toItems(value)
  const isExit = name === 'exitWhen'
  const create = () => ({ ...(isExit ? {} : { id: createItemId(items, 'case') }), event: '' })
  return (
    <ItemList
      name={name}
      items={items}
      max={isExit ? 10 : 20}
      isRequired={isRequired}
      create={create}
      onChange={onChange}
    >
      {(item, position, replace) => (
        <AwaitedCase
          path={`${path}[${position}]`}
          data={toData(item)}
          position={position}
          isExit={isExit}
          problems={problems}
          onChange={replace}
        />
      )}
    </ItemList>
  )
}

interface AwaitedCaseProps {
  path: string
  data: Data
  position: number
  isExit: boolean
  problems: FieldProps['problems']
  onChange: (data: Data) => void
}

function AwaitedCase({ path, data, position, isExit, problems, onChange }: AwaitedCaseProps) {
  const set = (name: string) => (next: unknown) => onChange(withProperty(data, name, next))
  const isEvent = data.condition === undefined
  const common = (name: string) => ({
    name,
    path: `${path}.${name}`,
    schema: {},
    value: data[name],
    isRequired: false,
    problems,
    onChange: set(name),
  })
  const choose = (kind: string) => {
    const { event: _, key: __, match: ___, condition: ____, ...rest } = data
    onChange(kind === 'event' ? { ...rest, event: '' } : { ...rest, condition: emptyFilter })
  }
  return (
    <>
      {!isExit && (
        <OutputName
          path={path}
          id={typeof data.id === 'string' ? data.id : undefined}
          position={position}
          problems={problems}
          onChange={set('id')}
        />
      )}
      <Select
        label={fieldTexts().caseKind}
        value={isEvent ? 'event' : 'condition'}
        onChange={event => choose(event.target.value)}
      >
        <option value="event">{fieldTexts().conditionKinds.event}</option>
        <option value="condition">{labelProperty('condition')}</option>
      </Select>
      {isEvent ? (
        <>
          <div data-field={`${path}.event`}>
            <TextInput {...common('event')} isRequired />
          </div>
          <TemplateInput {...common('key')} />
          <PairsInput {...common('match')} />
        </>
      ) : (
        <ConditionField
          name="condition"
          path={`${path}.condition`}
          value={data.condition}
          problems={problems}
          onChange={set('condition')}
        />
      )}
      {isExit && <TextInput {...common('goal')} />}
    </>
  )
}

export function MenuOptions({ name, path, value, isRequired, problems, onChange }: FieldProps) {
  const items = toItems(value)
  const create = () => ({ id: createItemId(items, 'option'), title: '' })
  return (
    <ItemList name={name} items={items} max={10} isRequired={isRequired} create={create} onChange={onChange}>
      {(item, position, replace) => {
        const data = toData(item)
        const place = `${path}[${position}]`
        const set = (property: string) => (next: unknown) => replace(withProperty(data, property, next))
        const common = (property: string) => ({
          name: property,
          path: `${place}.${property}`,
          schema: { maxLength: 100 },
          value: data[property],
          isRequired: property === 'title',
          problems,
          onChange: set(property),
        })
        return (
          <>
            <div data-field={`${place}.title`}>
              <TextInput {...common('title')} />
            </div>
            <OutputName
              path={place}
              id={String(data.id ?? '')}
              position={position}
              problems={problems}
              onChange={set('id')}
            />
            <LinesInput {...common('keywords')} />
          </>
        )
      }}
    </ItemList>
  )
}

/** Names of outputs with their shares; a list of numbers is read as names 0, 1, … */
export function Weights({ name, path, value, problems, onChange }: FieldProps) {
  const entries = Object.entries((value as Record<string, number> | undefined) ?? {})
  const set = (next: [string, number][]) => onChange(Object.fromEntries(next))
  const error = findMessage(problems, path, true)
  const free = 'abcdefghijklmnopqrst'.split('').find(letter => !entries.some(([key]) => key === letter))
  return (
    <fieldset className={styles.group}>
      <legend>{labelProperty(name)}</legend>
      {entries.map(([key, share], position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name is edited
        <div key={position} className={styles.pair}>
          <TextField
            label={labelProperty('id')}
            value={key}
            onChange={event => set(entries.with(position, [event.target.value, share]))}
          />
          <TextField
            label={labelProperty('weights')}
            type="number"
            min={0}
            value={share}
            onChange={event => set(entries.with(position, [key, Number(event.target.value)]))}
          />
          <IconButton
            icon={CloseIcon}
            label={fieldTexts().removeItem(position + 1)}
            disabled={entries.length <= 2}
            onClick={() => set(entries.toSpliced(position, 1))}
          />
        </div>
      ))}
      {error && <p className={styles.error}>{error}</p>}
      {free && (
        <Button look="plain" icon={PlusIcon} onClick={() => set([...entries, [free, 50]])}>
          {fieldTexts().addItem}
        </Button>
      )}
    </fieldset>
  )
}
