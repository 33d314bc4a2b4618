import { useEffect, useState } from 'react'
import { connection } from '../../api/realtime.ts'
import { useStore } from '../../app/store.ts'
import { formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import styles from './state-view.module.css'

/** While events cannot arrive, a screen says how old it is. `Page`, the frame of the settings, the list of conversations and the builder have it. */
export function StaleNotice() {
  const isLost = useStore(connection) === 'lost'
  const [since, setSince] = useState('')
  useEffect(() => {
    if (isLost) setSince(new Date().toISOString())
  }, [isLost])
  if (!isLost || since === '') return null
  return <p className={styles.stale}>{t.offlineSince(formatTime(since))}</p>
}
