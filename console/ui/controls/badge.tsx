import type { ReactNode } from 'react'
import { classNames } from '../styles/class-names.ts'
import type { Icon } from './icons.tsx'
import styles from './small.module.css'

/** A number, such as unread messages. `label` names the counted things. */
export function Count({
  value,
  label,
  strong,
  max = 999,
}: {
  value: number
  label: string
  strong?: boolean
  max?: number
}) {
  return (
    <span className={classNames(styles.count, strong && styles.strong)} role="img" aria-label={label}>
      {value > max ? `${max}+` : value}
    </span>
  )
}

/** A state in a word, with an icon: colour is never the only signal. */
export function Status({
  tone,
  icon: Glyph,
  children,
}: {
  tone?: 'danger' | 'warning' | 'success'
  icon?: Icon
  children: ReactNode
}) {
  return (
    <span className={styles.status} data-tone={tone}>
      {Glyph && <Glyph />}
      <span className={styles.statusText}>{children}</span>
    </span>
  )
}
