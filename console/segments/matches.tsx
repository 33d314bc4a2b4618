/** How many contacts the conditions find, and ten of them. */
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../i18n/format.ts'
import { Failure } from '../ui/layout/state-view.tsx'
import type { Filter } from './filter/conditions.ts'
import styles from './segments.module.css'
import { texts } from './texts.ts'
import { useMatches } from './use-matches.ts'

export function Matches({ filter }: { filter: Filter | undefined }) {
  const { matches, error, retry } = useMatches(filter)
  const text = matches
    ? matches.count === 0
      ? texts().noContacts
      : texts().contacts(formatNumber(matches.count), matches.count === 1)
    : filter
      ? texts().counting
      : texts().incomplete
  return (
    <section className={styles.stack} aria-label={texts().match}>
      <h2 className={styles.figure}>
        <span role="status">{text}</span>
      </h2>
      {error !== undefined && <Failure error={error} onRetry={retry} />}
      {matches && matches.samples.length > 0 && (
        <>
          <p className={styles.muted}>
            {matches.count > matches.samples.length ? texts().samples : texts().samplesAll}
          </p>
          <ul className={styles.rows} aria-label={texts().samples}>
            {matches.samples.map(({ id, name, phone, email }) => (
              <li key={id} className={styles.row}>
                <Link to="/contacts/$contactId" params={{ contactId: id }}>
                  {name ?? phone ?? email ?? texts().unnamed}
                </Link>
                <span className={styles.muted}>{name ? (phone ?? email) : null}</span>
              </li>
            ))}
          </ul>
          {filter && (
            <Link to="/contacts" search={{ filter }}>
              {texts().showInContacts}
            </Link>
          )}
        </>
      )}
    </section>
  )
}
