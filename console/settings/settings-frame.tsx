/** The frame of the settings pages: their names as links, and the page below. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hasScope } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import styles from './settings.module.css'

export function SettingsFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <section className={styles.page} tabIndex={0} aria-label={t.settings}>
      <div className={styles.content}>
        <nav className={styles.pages} aria-label={t.settings}>
          <PageLink to="/settings">{t.preferences}</PageLink>
          {hasScope('saved_reply:list') && <PageLink to="/settings/saved-replies">{t.savedReplies}</PageLink>}
        </nav>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
    </section>
  )
}

function PageLink({ to, children }: { to: '/settings' | '/settings/saved-replies'; children: ReactNode }) {
  return (
    <Link to={to} className={styles.pageLink} activeOptions={{ exact: true }}>
      {children}
    </Link>
  )
}
