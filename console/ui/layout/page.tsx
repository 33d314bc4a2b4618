/** The frame of a screen: heading, its actions, how old it is while offline, and the content, which scrolls unless the screen fills the height. */
import type { ReactNode } from 'react'
import styles from './page.module.css'
import { StaleNotice } from './stale-notice.tsx'

interface PageProps {
  title: ReactNode
  /** Controls beside the heading. */
  actions?: ReactNode
  /** Name of the scroll area for screen readers. */
  label: string
  /** The content takes the remaining height and scrolls on its own, such as a table. */
  isFilled?: boolean
  children: ReactNode
}

export function Page({ title, actions, label, isFilled = false, children }: PageProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <section className={isFilled ? styles.filled : styles.page} tabIndex={0} aria-label={label}>
      <header className={styles.header}>
        <h1 className={styles.title}>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      <StaleNotice />
      {children}
    </section>
  )
}
