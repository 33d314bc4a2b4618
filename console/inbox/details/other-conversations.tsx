/** The other conversations with the contact, the latest first. */
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { formatWhen } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { channelNames } from '../channels.ts'
import type { Conversation } from '../state/views.ts'
import styles from './details.module.css'
import { Section } from './section.tsx'

const pageSize = 10

export function OtherConversations({ conversation: { id, contactId } }: { conversation: Conversation }) {
  const [found, setFound] = useState<readonly Conversation[]>([])
  useEffect(() => {
    let isCurrent = true
    const query = { contactId, status: ['open' as const, 'closed' as const], pageSize }
    call(api.GET('/conversations', { params: { query } })).then(
      ({ conversations }) => isCurrent && setFound(conversations),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [contactId])
  const others = found.filter(item => item.id !== id)
  if (others.length === 0) return null
  return (
    <Section title={t.otherConversations}>
      <ul className={styles.others}>
        {others.map(({ id: conversationId, channel, status, lastMessageAt, lastMessagePreview }) => (
          <li key={conversationId}>
            <Link
              to="/inbox/$conversationId"
              params={{ conversationId }}
              search={true}
              className={styles.other}
            >
              <span className={styles.otherText}>{lastMessagePreview}</span>
              <span className={styles.muted}>
                {channelNames[channel]} · {status === 'open' ? t.statusOpen : t.statusClosed} ·{' '}
                {formatWhen(lastMessageAt)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
