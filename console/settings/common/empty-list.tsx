import type { ReactNode } from 'react'
import { Empty } from '../../ui/layout/state-view.tsx'
import styles from '../settings.module.css'

interface EmptyListProps {
  title: string
  /** Explains the use of the items of the list. */
  hint: string
  /** The button that creates the first one, for users who may; the page has it beside its heading while the list has items. */
  children: ReactNode
}

export function EmptyList({ title, hint, children }: EmptyListProps) {
  return (
    <Empty title={title}>
      <p className={styles.muted}>{hint}</p>
      {children}
    </Empty>
  )
}
