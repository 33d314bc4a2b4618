import type { ReactNode } from 'react'
import { useKeptFocus } from '../../ui/focus/use-kept-focus.ts'
import styles from '../settings.module.css'

/** A row of a list; the focus goes to the next one when it is deleted. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <li ref={useKeptFocus<HTMLLIElement>()} className={styles.row}>
      {children}
    </li>
  )
}
