/** The files that were sent and received in the conversations of the contact. */
import { Link } from '@tanstack/react-router'
import { api, call } from '../../api/client.ts'
import { formatBytes, formatFull, formatWhen } from '../../i18n/format.ts'
import details from '../../inbox/details/details.module.css'
import { DocumentIcon } from '../../ui/controls/icons.tsx'
import styles from './page.module.css'
import { PagedList } from './paged-list.tsx'
import { texts } from './texts.ts'
import { usePaged } from './use-paged.ts'

export function Files({ contactId }: { contactId: string }) {
  const list = usePaged(
    contactId,
    async pageToken => {
      const params = { path: { id: contactId }, query: pageToken ? { pageToken } : {} }
      const page = await call(api.GET('/contacts/{id}/files', { params }))
      return { items: page.files, next: page.nextPageToken }
    },
    ({ type }) => type.startsWith('message.'),
  )
  return (
    <PagedList
      label={texts().tabs.files}
      empty={texts().noFiles}
      list={list}
      render={({ mediaId, url, thumbnailUrl, filename, fileSize, conversationId, createdAt }) => (
        <li key={mediaId} className={styles.entry}>
          {thumbnailUrl ? <img className={styles.thumbnail} src={thumbnailUrl} alt="" /> : <DocumentIcon />}
          <span>
            <a href={url} target="_blank" rel="noreferrer">
              {filename}
            </a>{' '}
            <span className={details.muted}>{formatBytes(fileSize)}</span>
          </span>
          <span className={details.muted}>
            <Link to="/inbox/$conversationId" params={{ conversationId }}>
              {texts().showConversation}
            </Link>{' '}
            ·{' '}
            <time dateTime={createdAt} title={formatFull(createdAt)}>
              {formatWhen(createdAt)}
            </time>
          </span>
        </li>
      )}
    />
  )
}
