/** Lists the campaigns with their progress, which frames keep current. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useActions } from '../actions/registry.ts'
import { api, call } from '../api/client.ts'
import { hasScope } from '../api/session.ts'
import { isChange, useResource } from '../app/use-resource.ts'
import { formatFull, formatNumber, formatWhen } from '../i18n/format.ts'
import { t } from '../i18n/i18n.ts'
import { Button, IconButton } from '../ui/controls/button.tsx'
import { Select } from '../ui/controls/field.tsx'
import { CopyIcon, MoreIcon, PlusIcon, TrashIcon } from '../ui/controls/icons.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import table from '../ui/tables/table.module.css'
import { DeleteCampaign, duplicate, NewCampaign } from './campaign-dialogs.tsx'
import {
  type Campaign,
  type CampaignStatus,
  campaignStatuses,
  isDeletable,
  type ListedCampaign,
  StatusBadge,
  toPercent,
  toReached,
  toTime,
} from './campaign-state.tsx'
import styles from './campaigns.module.css'
import { texts } from './texts.ts'

const pageSize = 50

async function load(status: CampaignStatus | undefined, pages: number) {
  const items: ListedCampaign[] = []
  let cursor: string | null = null
  for (let page = 0; page < pages; page++) {
    const query = { limit: pageSize, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) }
    const found: { items: ListedCampaign[]; nextCursor: string | null } = await call(
      api.GET('/campaigns', { params: { query } }),
    )
    items.push(...found.items)
    cursor = found.nextCursor
    if (cursor === null) break
  }
  return { items, hasMore: cursor !== null }
}

export function CampaignListPage() {
  const navigate = useNavigate()
  const search = useSearch({ from: '/campaigns' })
  const status = campaignStatuses.find(item => item === search.status)
  const [pages, setPages] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const [deleted, setDeleted] = useState<Campaign>()
  const { data, error, reload } = useResource(`${status}`, () => load(status, pages), {
    isAffected: isChange('campaign'),
    minGapMs: 500,
  })
  const open = ({ id }: Campaign) =>
    void navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } })
  const canCreate = hasScope('campaign:create')
  const create = () => setCreating(true)
  useActions(canCreate ? [{ id: 'new', label: texts().newCampaign, group: t.campaigns, run: create }] : [])
  const createButton = canCreate && (
    <Button look="primary" icon={PlusIcon} onClick={create}>
      {texts().newCampaign}
    </Button>
  )
  const filter = (
    <Select
      label={t.status}
      value={status ?? ''}
      onChange={event => {
        const chosen = event.target.value
        setPages(1)
        void navigate({ to: '/campaigns', search: chosen ? { status: chosen } : {} })
      }}
    >
      <option value="">{texts().allStatuses}</option>
      {campaignStatuses.map(item => (
        <option key={item} value={item}>
          {texts().statuses[item]}
        </option>
      ))}
    </Select>
  )
  const showMore = () => {
    setPages(pages + 1)
    setTimeout(reload)
  }
  return (
    <Page title={t.campaigns} label={t.campaigns} actions={createButton}>
      <div className={styles.filter}>{filter}</div>
      {error !== undefined && !data && <Failure error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading rows={4} />}
      {data?.items.length === 0 && (
        <Empty title={status ? texts().noneWithStatus : texts().noCampaigns}>{!status && createButton}</Empty>
      )}
      {data && data.items.length > 0 && (
        <Rows items={data.items} onOpen={open} onDelete={setDeleted}>
          {data.hasMore && <Button onClick={showMore}>{texts().showMore}</Button>}
        </Rows>
      )}
      {isCreating && <NewCampaign onCreated={open} onClose={() => setCreating(false)} />}
      {deleted && (
        <DeleteCampaign campaign={deleted} onDeleted={reload} onClose={() => setDeleted(undefined)} />
      )}
    </Page>
  )
}

interface RowsProps {
  items: readonly ListedCampaign[]
  onOpen: (campaign: Campaign) => void
  onDelete: (campaign: Campaign) => void
  children: ReactNode
}

function Rows({ items, onOpen, onDelete, children }: RowsProps) {
  return (
    <>
      <table className={table.table} aria-label={t.campaigns}>
        <thead>
          <tr>
            <th scope="col">{texts().name}</th>
            <th scope="col">{t.status}</th>
            <th scope="col" data-number data-wide>
              {texts().audience}
            </th>
            <th scope="col" data-number>
              {texts().sentShare}
            </th>
            <th scope="col" data-number data-wide>
              {texts().replies}
            </th>
            <th scope="col" data-wide>
              {texts().time}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {items.map(campaign => (
            <Row key={campaign.id} campaign={campaign} onOpen={onOpen} onDelete={onDelete} />
          ))}
        </tbody>
      </table>
      {children}
    </>
  )
}

function toShare({ counts, audienceCount }: ListedCampaign): string {
  if (!counts || !audienceCount) return '–'
  return `${toPercent(toReached(counts).sent, audienceCount)} %`
}

function Row({
  campaign,
  onOpen,
  onDelete,
}: { campaign: ListedCampaign } & Omit<RowsProps, 'items' | 'children'>) {
  const { id, name, status, audienceCount, counts } = campaign
  const time = toTime(campaign)
  const items = [
    hasScope('campaign:create') && {
      id: 'duplicate',
      label: texts().duplicate,
      icon: CopyIcon,
      onSelect: () => void duplicate(campaign).then(copy => copy && onOpen(copy)),
    },
    hasScope('campaign:delete') &&
      isDeletable(campaign) && {
        id: 'delete',
        label: texts().remove,
        icon: TrashIcon,
        danger: true,
        onSelect: () => onDelete(campaign),
      },
  ].filter(item => item !== false)
  return (
    <tr>
      <th scope="row">
        <Link to="/campaigns/$campaignId" params={{ campaignId: id }}>
          {name}
        </Link>
      </th>
      <td>
        <StatusBadge status={status} />
      </td>
      <td data-number data-wide>
        {audienceCount === null ? '–' : formatNumber(audienceCount)}
      </td>
      <td data-number>{toShare(campaign)}</td>
      <td data-number data-wide>
        {counts ? formatNumber(counts.replied) : '–'}
      </td>
      <td data-wide data-short>
        <time dateTime={time} title={formatFull(time)}>
          {formatWhen(time)}
        </time>
      </td>
      <td data-number>
        {items.length > 0 && (
          <Menu items={items} align="end" label={texts().actionsOf(name)}>
            <IconButton icon={MoreIcon} label={texts().actionsOf(name)} />
          </Menu>
        )}
      </td>
    </tr>
  )
}
