/** The recipients with the status of each message. A row opens the message in its conversation, and its timeline. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { isChange, useResource } from '../../app/use-resource.ts'
import { formatFull, formatWhen } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import type { MessageTimeline as Timeline } from '../../inbox/thread/messages/message-timeline.tsx'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/field.tsx'
import { ClockIcon, CloseIcon } from '../../ui/controls/icons.tsx'
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import { describe, Failure, Loading } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import table from '../../ui/tables/table.module.css'
import styles from '../campaigns.module.css'
import { texts as shared } from '../texts.ts'
import { texts } from './texts.ts'

const MessageTimeline = lazyPart<ComponentProps<typeof Timeline>>(
  async () => (await import('../../inbox/later.ts')).MessageTimeline,
)

type Recipient = Schemas['CampaignRecipient']
type RecipientStatus = Recipient['status']

const statuses: readonly RecipientStatus[] = ['pending', 'sent', 'delivered', 'read', 'failed', 'skipped']

interface Filter {
  status?: RecipientStatus
  reason?: string
}

/** The fragment of links to the list. */
export const recipientsId = 'recipients'

async function load(campaignId: string, filter: Filter, pages: number) {
  const items: Recipient[] = []
  let cursor: string | null = null
  for (let page = 0; page < pages; page++) {
    const query = { limit: 50, ...filter, ...(cursor ? { cursor } : {}) }
    const found: { items: Recipient[]; nextCursor: string | null } = await call(
      api.GET('/campaigns/{campaignId}/recipients', { params: { path: { campaignId }, query } }),
    )
    items.push(...found.items)
    cursor = found.nextCursor
    if (cursor === null) break
  }
  return { items, hasMore: cursor !== null }
}

export function Recipients({ campaignId }: { campaignId: string }) {
  const navigate = useNavigate()
  const search = useSearch({ from: '/campaigns/$campaignId' })
  const status = statuses.find(item => item === search.status)
  const { reason } = search
  const filter: Filter = { ...(status ? { status } : {}), ...(reason ? { reason } : {}) }
  const [pages, setPages] = useState(1)
  const { data, error, reload } = useResource(
    `${campaignId} ${status} ${reason}`,
    () => load(campaignId, filter, pages),
    { isAffected: isChange('campaign', campaignId), minGapMs: 2_000 },
  )
  const choose = (value: string) => {
    const { status: _status, reason: _reason, ...others } = search
    setPages(1)
    void navigate({
      to: '/campaigns/$campaignId',
      params: { campaignId },
      search: value ? { ...others, status: value } : others,
      replace: true,
    })
  }
  const showMore = () => {
    setPages(pages + 1)
    setTimeout(reload)
  }
  const query = new URLSearchParams({ ...filter }).toString()
  return (
    <section className={styles.part} id={recipientsId} aria-label={texts().recipients}>
      <h2 className={styles.heading}>{texts().recipients}</h2>
      <div className={styles.split}>
        <div className={styles.filter}>
          <Select label={t.status} value={status ?? ''} onChange={event => choose(event.target.value)}>
            <option value="">{texts().allRecipients}</option>
            {statuses.map(item => (
              <option key={item} value={item}>
                {texts().countNames[item]}
              </option>
            ))}
          </Select>
          {reason && (
            <Button icon={CloseIcon} onClick={() => choose(status ?? '')}>
              {texts().onlyReason(shared().reasons[reason] ?? reason)}
            </Button>
          )}
        </div>
        <a href={`/v1/campaigns/${campaignId}/recipients/export${query && `?${query}`}`} download>
          {texts().exportCsv}
        </a>
      </div>
      {error !== undefined && !data && <Failure error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading rows={3} />}
      {data?.items.length === 0 && <p className={styles.muted}>{texts().noRecipients}</p>}
      {data && data.items.length > 0 && <Rows items={data.items} />}
      {data?.hasMore && <Button onClick={showMore}>{shared().showMore}</Button>}
    </section>
  )
}

function Rows({ items }: { items: readonly Recipient[] }) {
  const [timelineOf, setTimelineOf] = useState<string>()
  return (
    <>
      <Table items={items} onTimeline={setTimelineOf} />
      {timelineOf && <MessageTimeline messageId={timelineOf} onClose={() => setTimelineOf(undefined)} />}
    </>
  )
}

interface TableProps {
  items: readonly Recipient[]
  onTimeline: (messageId: string) => void
}

function Table({ items, onTimeline }: TableProps) {
  return (
    <table className={table.table} aria-label={texts().recipients}>
      <thead>
        <tr>
          <th scope="col">{texts().recipient}</th>
          <th scope="col">{t.status}</th>
          <th scope="col" data-wide>
            {texts().reason}
          </th>
          <th scope="col" data-wide>
            {texts().updated}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {items.map(recipient => (
          <Row key={recipient.contactId} recipient={recipient} onTimeline={onTimeline} />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  recipient: { contactId, contactName, status, reason, messageId, updatedAt },
  onTimeline,
}: {
  recipient: Recipient
  onTimeline: (messageId: string) => void
}) {
  const navigate = useNavigate()
  const name = contactName ?? texts().unnamed
  const open = async (id: string) => {
    try {
      const { message } = await call(api.GET('/messages/{id}', { params: { path: { id } } }))
      const { conversationId } = message
      await navigate({ to: '/inbox/$conversationId', params: { conversationId }, hash: id })
    } catch (error) {
      showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    }
  }
  return (
    <tr>
      <th scope="row">
        {messageId ? (
          <button
            type="button"
            className={styles.link}
            aria-label={texts().openConversation(name)}
            onClick={() => void open(messageId)}
          >
            {name}
          </button>
        ) : (
          <a href={`/contacts/${contactId}`}>{name}</a>
        )}
      </th>
      <td data-short>{texts().countNames[status]}</td>
      <td data-wide>{reason ? (shared().reasons[reason] ?? reason) : ''}</td>
      <td data-wide>
        <time dateTime={updatedAt} title={formatFull(updatedAt)}>
          {formatWhen(updatedAt)}
        </time>
      </td>
      <td data-number>
        {messageId && (
          <IconButton
            icon={ClockIcon}
            label={texts().timelineOf(name)}
            onClick={() => onTimeline(messageId)}
          />
        )}
      </td>
    </tr>
  )
}
