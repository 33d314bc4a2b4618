/** The attempts that match a filter. While it is live, new ones are read every two seconds. */
import { useCallback, useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'

export type Attempt = Schemas['WebhookAttempt']

export interface AttemptFilter {
  endpointId?: string
  status?: Attempt['status']
  eventType?: Attempt['eventType']
}

interface Page {
  items: readonly Attempt[]
  next: string | null
}

const limit = 25
const intervalMs = 2_000

async function fetchPage(filter: AttemptFilter, pageToken?: string): Promise<Page> {
  const query = { ...filter, limit, ...(pageToken ? { pageToken } : {}) }
  const { attempts, nextPageToken } = await call(api.GET('/webhooks/attempts', { params: { query } }))
  return { items: attempts, next: nextPageToken }
}

export function useAttempts(filter: AttemptFilter, isLive: boolean, onNew: () => void) {
  const key = JSON.stringify(filter)
  const [page, setPage] = useState<Page>()
  const [error, setError] = useState<ApiError>()
  const poll = useCallback(async () => {
    try {
      const first = await fetchPage(JSON.parse(key))
      setError(undefined)
      setPage(before => merge(before, first))
    } catch (problem) {
      setError(ApiError.from(problem))
    }
  }, [key])
  useEffect(() => {
    setPage(undefined)
    void poll()
  }, [poll])
  useEffect(() => {
    if (!isLive) return undefined
    const timer = setInterval(() => !document.hidden && void poll(), intervalMs)
    return () => clearInterval(timer)
  }, [isLive, poll])
  const newestId = page?.items[0]?.id
  // The health of the endpoint changes with its attempts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: called for another newest attempt only
  useEffect(() => onNew(), [newestId])
  const loadMore = async () => {
    if (!page?.next) return
    const older = await fetchPage(filter, page.next)
    setPage({ items: [...page.items, ...older.items], next: older.next })
  }
  return { items: page?.items, hasMore: page?.next != null, error, poll, loadMore }
}

/** Puts new attempts before the known ones, which never change. More than a page of new ones replaces the list. */
function merge(before: Page | undefined, first: Page): Page {
  const known = new Set(before?.items.map(({ id }) => id))
  const added = first.items.filter(({ id }) => !known.has(id))
  if (!before || added.length === first.items.length) return first
  return added.length === 0 ? before : { items: [...added, ...before.items], next: before.next }
}
