/** Edits a list of objects, such as cases and options: entries can be added, removed and moved up. */
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { ArrowUpIcon, CloseIcon, PlusIcon } from '../../ui/controls/icons.tsx'
import styles from './fields.module.css'
import { fieldTexts, labelProperty } from './texts.ts'

interface ItemListProps {
  name: string
  items: readonly unknown[]
  max: number
  /** Required lists keep their last entry. */
  isRequired: boolean
  create: () => unknown
  error?: string | undefined
  onChange: (items: unknown[] | undefined) => void
  children: (item: unknown, position: number, replace: (next: unknown) => void) => ReactNode
}

export function ItemList(props: ItemListProps) {
  const { name, items, max, isRequired, create, error, onChange, children } = props
  const set = (next: unknown[]) => onChange(next.length > 0 || isRequired ? next : undefined)
  const moveUp = (position: number) =>
    set(items.with(position - 1, items[position]).with(position, items[position - 1]))
  return (
    <fieldset className={styles.group}>
      <legend>{labelProperty(name)}</legend>
      {items.map((item, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ids of entries are edited; all their controls are controlled
        <div key={position} className={styles.item}>
          <div className={styles.itemHead}>
            {fieldTexts().item(fieldTexts().items[name] ?? labelProperty(name), position + 1)}
            <span>
              {position > 0 && (
                <IconButton
                  icon={ArrowUpIcon}
                  label={fieldTexts().moveUp(position + 1)}
                  onClick={() => moveUp(position)}
                />
              )}
              {(items.length > 1 || !isRequired) && (
                <IconButton
                  icon={CloseIcon}
                  label={fieldTexts().removeItem(position + 1)}
                  onClick={() => set(items.toSpliced(position, 1))}
                />
              )}
            </span>
          </div>
          {children(item, position, next => set(items.with(position, next)))}
        </div>
      ))}
      {error && <p className={styles.error}>{error}</p>}
      {items.length < max && (
        <Button look="plain" icon={PlusIcon} onClick={() => set([...items, create()])}>
          {fieldTexts().addItem}
        </Button>
      )}
    </fieldset>
  )
}

/** Returns a name such as `case-3` that no entry has. */
export function createItemId(items: readonly unknown[], prefix: string): string {
  const taken = new Set(items.map(item => (item as { id?: unknown } | null)?.id))
  let n = items.length + 1
  while (taken.has(`${prefix}-${n}`)) n++
  return `${prefix}-${n}`
}
