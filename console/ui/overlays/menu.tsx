/** Menus of actions. Items come from data, so that every menu has the same look, keys and order. */
import * as Radix from '@radix-ui/react-dropdown-menu'
import type { ReactElement } from 'react'
import { CheckIcon, type Icon } from '../controls/icons.tsx'
import { Keys } from '../hints/keys.tsx'
import styles from './overlay.module.css'

export interface MenuItem {
  id: string
  label: string
  icon?: Icon | undefined
  keys?: string | undefined
  danger?: boolean
  disabled?: boolean
  /** Shows a tick and announces the item as a choice. */
  checked?: boolean | undefined
  /** Begins a new group, with this heading if it is a text. */
  group?: string | true
  onSelect: () => void
}

interface MenuProps {
  items: readonly MenuItem[]
  children: ReactElement
  label?: string
  side?: 'top' | 'bottom' | 'right'
  align?: 'start' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

export function Menu({ items, children, label, side = 'bottom', align = 'start', ...state }: MenuProps) {
  return (
    <Radix.Root modal={false} {...state}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.menu}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
        >
          {items.map(item => (
            <Entry key={item.id} item={item} />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Entry({ item }: { item: MenuItem }) {
  const { label, icon: Glyph, keys, danger, disabled, checked, group, onSelect } = item
  const content = (
    <>
      {Glyph && <Glyph className={styles.glyph} />}
      <span>{label}</span>
      {checked && <CheckIcon className={styles.glyph} />}
      {keys && <Keys keys={keys} />}
    </>
  )
  const props = { className: styles.item, disabled: disabled === true, onSelect, 'data-danger': danger }
  return (
    <>
      {group && <Radix.Separator className={styles.separator} />}
      {typeof group === 'string' && <Radix.Label className={styles.heading}>{group}</Radix.Label>}
      {checked === undefined ? (
        <Radix.Item {...props}>{content}</Radix.Item>
      ) : (
        <Radix.CheckboxItem {...props} checked={checked}>
          {content}
        </Radix.CheckboxItem>
      )}
    </>
  )
}
