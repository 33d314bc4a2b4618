/** Edits a contact filter: conditions and groups, of which all or any must match. Shared by contacts and segments. */
import { useRef } from 'react'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import field from '../../ui/controls/field.module.css'
import { CloseIcon, PlusIcon } from '../../ui/controls/icons.tsx'
import { classNames } from '../../ui/styles/class-names.ts'
import { ConditionRow } from './condition-row.tsx'
import {
  countConditions,
  createCondition,
  type Filter,
  type Group,
  type Item,
  isGroup,
  maxConditions,
  maxDepth,
} from './conditions.ts'
import styles from './filter.module.css'
import { type ReferenceLists, useReferences } from './references.ts'
import { filterTexts } from './texts.ts'

interface FilterEditorProps {
  filter: Filter
  /** Levels that the filter may have, itself included. */
  depth?: number
  onChange: (filter: Filter) => void
}

export function FilterEditor({ filter, depth = maxDepth, onChange }: FilterEditorProps) {
  const lists = useReferences()
  const isFull = countConditions(filter) >= maxConditions
  return (
    <GroupEditor
      group={filter}
      depth={depth}
      name={filterTexts().conditions}
      lists={lists}
      isFull={isFull}
      onChange={group => onChange(group as Filter)}
    />
  )
}

interface GroupEditorProps {
  group: Group
  depth: number
  name: string
  lists: ReferenceLists
  isFull: boolean
  onChange: (group: Group) => void
  onRemove?: () => void
}

function GroupEditor({ group, depth, name, lists, isFull, onChange, onRemove }: GroupEditorProps) {
  const texts = filterTexts()
  const element = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { match, conditions } = group
  const set = (items: readonly Item[]) => onChange({ match, conditions: items })
  const replace = (index: number, item: Item) => set(conditions.with(index, item))
  const remove = (index: number) => {
    set(conditions.toSpliced(index, 1))
    addButton.current?.focus()
  }
  const add = (item: Item) => {
    set([...conditions, item])
    // The new row is the last one of this group.
    setTimeout(() => [...(element.current?.querySelectorAll('select') ?? [])].at(-1)?.focus())
  }
  const newRow = createCondition('searchText')
  return (
    <div ref={element} role="group" aria-label={name} className={styles.group}>
      {(conditions.length > 1 || onRemove) && (
        <MatchLine group={group} name={name} onChange={onChange} onRemove={onRemove} />
      )}
      {conditions.map((item, index) =>
        isGroup(item) ? (
          <GroupEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity; all their controls are controlled
            key={index}
            group={item}
            depth={depth - 1}
            name={texts.group(index + 1)}
            lists={lists}
            isFull={isFull}
            onChange={changed => replace(index, changed as Item)}
            onRemove={() => remove(index)}
          />
        ) : (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            key={index}
            condition={item}
            number={index + 1}
            lists={lists}
            onChange={changed => replace(index, changed)}
            onRemove={() => remove(index)}
          />
        ),
      )}
      <div className={styles.line}>
        <Button ref={addButton} look="plain" icon={PlusIcon} disabled={isFull} onClick={() => add(newRow)}>
          {texts.addCondition}
        </Button>
        {depth > 1 && (
          <Button
            look="plain"
            icon={PlusIcon}
            disabled={isFull}
            onClick={() => add({ match: 'any', conditions: [newRow] })}
          >
            {texts.addGroup}
          </Button>
        )}
        {isFull && <span className={styles.fixed}>{texts.tooMany(maxConditions)}</span>}
      </div>
    </div>
  )
}

function MatchLine({
  group,
  name,
  onChange,
  onRemove,
}: Pick<GroupEditorProps, 'group' | 'name' | 'onChange'> & { onRemove: (() => void) | undefined }) {
  const texts = filterTexts()
  return (
    <div className={styles.head}>
      <span className={styles.fixed} aria-hidden="true">
        {texts.match}
      </span>
      <select
        className={classNames(field.input, styles.auto)}
        aria-label={texts.match}
        value={group.match}
        onChange={event => onChange({ ...group, match: event.target.value as 'all' })}
      >
        <option value="all">{texts.matchAll}</option>
        <option value="any">{texts.matchAny}</option>
      </select>
      {onRemove && <IconButton icon={CloseIcon} label={`${texts.remove}: ${name}`} onClick={onRemove} />}
    </div>
  )
}
