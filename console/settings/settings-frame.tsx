/** The frame of the settings pages: their names in groups, and the page beside them; on phones the names unfold. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { session } from '../api/session.ts'
import { useStore } from '../app/store.ts'
import { useMediaQuery } from '../app/use-media-query.ts'
import { t } from '../i18n/i18n.ts'
import { useKeptFocus } from '../ui/focus/use-kept-focus.ts'
import { StaleNotice } from '../ui/layout/stale-notice.tsx'
import { Empty } from '../ui/layout/state-view.tsx'
import { useScopes } from './common/tasks.ts'
import { listPages } from './pages.ts'
import styles from './settings.module.css'
import { texts } from './texts.ts'

interface SettingsFrameProps {
  title: string
  /** Needed to read the page; without it, the page says so. */
  scope?: string
  /** Controls beside the heading. */
  actions?: ReactNode
  children: ReactNode
}

export function SettingsFrame({ title, scope, actions, children }: SettingsFrameProps) {
  const isNarrow = useMediaQuery('(max-width: 1023px)')
  const isAllowed = useScopes()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
    <section className={styles.page} tabIndex={0} aria-label={t.settings}>
      {isNarrow ? (
        <details className={styles.fold}>
          <summary>{texts().allSettings}</summary>
          <Pages />
        </details>
      ) : (
        <Pages />
      )}
      <div className={styles.content}>
        <div className={styles.head}>
          <h1 className={styles.title}>{title}</h1>
          {actions}
        </div>
        <StaleNotice />
        {scope === undefined || isAllowed(scope) ? children : <Empty title={texts().needsScope(scope)} />}
      </div>
    </section>
  )
}

function Pages() {
  useStore(session)
  return (
    <nav ref={useKeptFocus<HTMLElement>()} className={styles.pages} aria-label={t.settings}>
      {listPages().map(({ id, name, pages }) => (
        <div key={id}>
          <h2 className={styles.group} id={`settings-${id}`}>
            {name}
          </h2>
          <ul aria-labelledby={`settings-${id}`}>
            {pages.map(page => (
              <li key={page.to}>
                <Link
                  to={page.to}
                  className={styles.pageLink}
                  activeOptions={{ exact: page.to === '/settings' }}
                >
                  {page.name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
