/** Says why something cannot be sent now, or how long free-form messages are still allowed. */
import { formatDuration } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { WarningIcon } from '../../ui/controls/icons.tsx'
import type { Window } from '../state/window.ts'
import styles from './composer.module.css'

const warningMs = 2 * 3_600_000

export function WindowNotice({ window }: { window: Window }) {
  const { agent, expiresAt, open } = window
  const leftMs = expiresAt ? Date.parse(expiresAt) - Date.now() : Number.POSITIVE_INFINITY
  const text = agent.reason
    ? t.blocked[agent.reason]
    : open && leftMs < warningMs
      ? t.windowLeft(formatDuration(leftMs))
      : undefined
  if (!text) return null
  return (
    <p className={styles.notice} role="status">
      <WarningIcon />
      {text}
    </p>
  )
}
