/** What happened to a message, with the exact times and the reasons of retries. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { formatExactTime, formatFull } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure, Loading } from '../../ui/state-view.tsx'
import type { Message } from '../state/thread-entries.ts'
import styles from './thread.module.css'

export function MessageTimeline({ message, onClose }: { message: Message; onClose: () => void }) {
  const [loaded, setLoaded] = useState<Schemas['Message']>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const params = { path: { id: message.id } }
    call(api.GET('/messages/{id}', { params })).then(({ message: found }) => setLoaded(found), setError)
  }, [message.id])
  return (
    <Dialog title={t.messageTimeline} open onClose={onClose}>
      {error ? <Failure error={error} /> : !loaded ? <Loading rows={3} /> : <Entries message={loaded} />}
    </Dialog>
  )
}

function Entries({ message }: { message: Message }) {
  return (
    <>
      <p className={styles.muted}>{formatFull(message.createdAt)}</p>
      <dl className={styles.facts}>
        {message.timeline?.map(({ at, type, details }) => (
          <div key={`${at} ${type}`} style={{ display: 'contents' }}>
            <dt>{formatExactTime(at)}</dt>
            <dd>
              {type.replaceAll('_', ' ')}
              {details && <span className={styles.muted}> · {describe(details)}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.code}>{message.id}</p>
    </>
  )
}

function describe(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
