/** Lists the segments, each with its description in a sentence and its number of contacts. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useActions } from '../actions/registry.ts'
import { api, call, type Schemas } from '../api/client.ts'
import { onFrames } from '../api/realtime.ts'
import { hasScope } from '../api/session.ts'
import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/i18n.ts'
import buttons from '../ui/controls/button.module.css'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { PlusIcon } from '../ui/controls/icons.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import { classNames } from '../ui/styles/class-names.ts'
import { describeFilter } from './filter/describe-filter.ts'
import { type ReferenceLists, useReferences } from './filter/references.ts'
import styles from './segments.module.css'
import { texts } from './texts.ts'

type Segment = Schemas['Segment']

interface List {
  items: readonly Segment[]
  nextCursor: string | null
}

const fetchPage = (cursor: string) =>
  call(api.GET('/segments', { params: { query: { limit: 50, ...(cursor ? { cursor } : {}) } } }))

function useSegments() {
  const [list, setList] = useState<List>()
  const [error, setError] = useState<unknown>()
  const load = useCallback(async (after?: List) => {
    try {
      const page = await fetchPage(after?.nextCursor ?? '')
      setList({ items: [...(after?.items ?? []), ...page.items], nextCursor: page.nextCursor })
      setError(undefined)
    } catch (cause) {
      setError(cause)
    }
  }, [])
  useEffect(() => {
    void load()
    return onFrames(frames => {
      const isChanged = ({ type, data }: (typeof frames)[number]) =>
        type === 'resync' || (type === 'changed' && data.kind === 'segment')
      if (frames.some(isChanged)) void load()
    })
  }, [load])
  return { list, error, load }
}

export function SegmentsPage() {
  const navigate = useNavigate()
  const lists = useReferences()
  const { list, error, load } = useSegments()
  const [search, setSearch] = useState('')
  const canCreate = hasScope('segment:create')
  const create = () => void navigate({ to: '/segments/$segmentId', params: { segmentId: 'new' } })
  useActions(
    canCreate ? [{ id: 'new', label: texts().newSegment, group: texts().segments, run: create }] : [],
  )
  const link = canCreate && (
    <Link
      to="/segments/$segmentId"
      params={{ segmentId: 'new' }}
      className={classNames(buttons.button, buttons.primary)}
    >
      <PlusIcon className={buttons.glyph} />
      {texts().newSegment}
    </Link>
  )
  const text = search.trim().toLowerCase()
  const found = list?.items.filter(item => `${item.name}\n${item.description}`.toLowerCase().includes(text))
  return (
    <Page title={texts().segments} label={texts().segments} actions={link}>
      <p className={styles.muted}>{texts().hint}</p>
      {error !== undefined && <Failure error={error} onRetry={() => void load()} />}
      {!list && error === undefined && <Loading rows={4} />}
      {list?.items.length === 0 && <Empty title={texts().none}>{link}</Empty>}
      {list && list.items.length > 0 && (
        <>
          <div className={styles.search}>
            <TextField
              label={texts().search}
              type="search"
              value={search}
              onChange={event => setSearch(event.target.value)}
            />
          </div>
          {found?.length === 0 && <p>{t.noResults}</p>}
          <ul className={styles.rows} aria-label={texts().segments}>
            {found?.map(segment => (
              <Row key={segment.id} segment={segment} lists={lists} />
            ))}
          </ul>
          {list.nextCursor && <Button onClick={() => void load(list)}>{texts().more}</Button>}
        </>
      )}
    </Page>
  )
}

function Row({ segment, lists }: { segment: Segment; lists: ReferenceLists }) {
  const { id, name, filter, revision } = segment
  const [count, setCount] = useState<number>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision has another count
  useEffect(() => {
    if (!hasScope('contact:list')) return
    let isCurrent = true
    call(api.GET('/segments/{segmentId}/count', { params: { path: { segmentId: id } } })).then(
      ({ totalSize }) => isCurrent && setCount(totalSize),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [id, revision])
  return (
    <li className={styles.row}>
      <Link to="/segments/$segmentId" params={{ segmentId: id }}>
        {name}
      </Link>
      <span>{count !== undefined && texts().contacts(formatNumber(count), count === 1)}</span>
      <span className={styles.muted}>{describeFilter(filter, lists)}</span>
    </li>
  )
}
