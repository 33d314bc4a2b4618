/** The history of a message, with the exact times and the reasons of retries. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../../api/client.ts'
import { formatExactTime, formatFull } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.ts'
import { Failure, Loading } from '../../../ui/layout/state-view.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { getUserName } from '../sender.ts'
import styles from '../thread.module.css'
import { texts } from './timeline-texts.ts'

export function MessageTimeline({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const [loaded, setLoaded] = useState<Schemas['Message']>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const params = { path: { id: messageId } }
    call(api.GET('/messages/{id}', { params })).then(({ message: found }) => setLoaded(found), setError)
  }, [messageId])
  return (
    <Dialog title={t.messageTimeline} open onClose={onClose}>
      {error ? <Failure error={error} /> : !loaded ? <Loading rows={3} /> : <Entries message={loaded} />}
    </Dialog>
  )
}

function Entries({ message }: { message: Schemas['Message'] }) {
  return (
    <>
      <p className={styles.muted}>{formatFull(message.createdAt)}</p>
      <dl className={styles.facts}>
        {listSteps(message).map(({ at, type, details }) => (
          <div key={`${at} ${type}`} style={{ display: 'contents' }}>
            <dt>{formatExactTime(at)}</dt>
            <dd>
              {texts().types[type] ?? type.replaceAll('_', ' ')}
              {details && describe(details) && <span className={styles.muted}> · {describe(details)}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.code}>{message.id}</p>
    </>
  )
}

/** The timeline begins with the first attempt; the message was accepted before. */
function listSteps({ createdAt, senderType, timeline = [] }: Schemas['Message']) {
  const first = { at: createdAt, type: 'accepted', details: undefined }
  return senderType === 'customer' ? timeline : [first, ...timeline]
}

/** Leaves out the reason of another attempt, which is in the title. */
function describe({
  code,
  message,
  userId,
  channelMessageId,
  reason: _,
  retryable: __,
  ...others
}: Record<string, unknown>): string {
  const parts = Object.entries(others).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  if (typeof code === 'string') parts.unshift(`${t.deliveryReasons[code] ?? message ?? code} (${code})`)
  if (typeof userId === 'string') parts.unshift(`${texts().by} ${getUserName(userId)}`)
  if (channelMessageId !== undefined) parts.push(`${texts().providerId}: ${channelMessageId}`)
  return parts.join(', ')
}
