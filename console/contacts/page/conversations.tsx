/** The conversations of a contact on all channels. */
import { Link } from '@tanstack/react-router'
import { api, call } from '../../api/client.ts'
import { formatWhen } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { channelIcons, channelNames } from '../../inbox/channels.ts'
import details from '../../inbox/details/details.module.css'
import styles from './page.module.css'
import { PagedList } from './paged-list.tsx'
import { texts } from './texts.ts'
import { usePaged } from './use-paged.ts'

export function Conversations({ contactId }: { contactId: string }) {
  const list = usePaged(
    contactId,
    async pageToken => {
      const params = { path: { id: contactId }, query: pageToken ? { pageToken } : {} }
      const page = await call(api.GET('/contacts/{id}/conversations', { params }))
      return { items: page.conversations, next: page.nextPageToken }
    },
    ({ type }) => type.startsWith('conversation.'),
  )
  return (
    <PagedList
      label={texts().tabs.conversations}
      empty={texts().noConversations}
      list={list}
      render={({ id, channel, status, lastMessageAt, lastMessagePreview }) => {
        const Glyph = channelIcons[channel]
        return (
          <li key={id} className={styles.entry}>
            <Glyph />
            <Link to="/inbox/$conversationId" params={{ conversationId: id }}>
              {lastMessagePreview || texts().noPreview}
            </Link>
            <span className={details.muted}>
              {channelNames[channel]} · {status === 'open' ? t.statusOpen : t.statusClosed} ·{' '}
              {formatWhen(lastMessageAt)}
            </span>
          </li>
        )
      }}
    />
  )
}
