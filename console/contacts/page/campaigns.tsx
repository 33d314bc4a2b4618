/** The campaigns that the contact got, each with its message. */
import { Link } from '@tanstack/react-router'
import { api, call } from '../../api/client.ts'
import { formatFull, formatWhen } from '../../i18n/format.ts'
import details from '../../inbox/details/details.module.css'
import { CampaignIcon } from '../../ui/controls/icons.tsx'
import styles from './page.module.css'
import { PagedList } from './paged-list.tsx'
import { texts } from './texts.ts'
import { usePaged } from './use-paged.ts'

export function Campaigns({ contactId }: { contactId: string }) {
  const list = usePaged(
    contactId,
    async cursor => {
      const params = { path: { id: contactId }, query: cursor ? { cursor } : {} }
      const page = await call(api.GET('/contacts/{id}/campaigns', { params }))
      return { items: page.items, next: page.nextCursor }
    },
    ({ type, data }) => type === 'changed' && data.kind === 'campaign',
  )
  return (
    <PagedList
      label={texts().tabs.campaigns}
      empty={texts().noCampaigns}
      list={list}
      render={({ messageId, campaignId, campaignName, conversationId, status, at }) => (
        <li key={messageId} className={styles.entry}>
          <CampaignIcon />
          <span>
            <Link to="/campaigns/$campaignId" params={{ campaignId }}>
              {campaignName}
            </Link>{' '}
            <span className={details.muted}>{texts().statuses[status]}</span>
          </span>
          <span className={details.muted}>
            <Link to="/inbox/$conversationId" params={{ conversationId }} hash={messageId}>
              {texts().showMessage}
            </Link>{' '}
            ·{' '}
            <time dateTime={at} title={formatFull(at)}>
              {formatWhen(at)}
            </time>
          </span>
        </li>
      )}
    />
  )
}
