/** The operations on runs of journeys and chatbots, under one name for both kinds, and the names of their contacts. */
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { hasScope } from '../../api/session.ts'
import { createKey } from '../../inbox/bulk/follow-bulk.ts'
import type { WorkflowKind } from '../model/definition.ts'

export type Run = Schemas['WorkflowRun']
export type RunDetail = Schemas['WorkflowRunDetail']
export type RunStatus = Run['status']

export interface RunFilter {
  status?: RunStatus | undefined
  nodeId?: string | undefined
}

export const isInProgress = ({ status }: Run): boolean => status === 'running' || status === 'waiting'

const pageSize = 25

export function fetchRuns(
  kind: WorkflowKind,
  id: string,
  { status, nodeId }: RunFilter,
  pageToken?: string,
): Promise<{ runs: Run[]; nextPageToken: string | null }> {
  const query = {
    pageSize,
    ...(status ? { status } : {}),
    ...(nodeId ? { nodeId } : {}),
    ...(pageToken ? { pageToken } : {}),
  }
  const params = { path: { id }, query }
  return kind === 'journey'
    ? call(api.GET('/journeys/{id}/runs', { params }))
    : call(api.GET('/chatbots/{id}/runs', { params }))
}

export const fetchRun = (id: string): Promise<RunDetail> =>
  call(api.GET('/runs/{id}', { params: { path: { id } } }))

const withKey = (id: string) => ({ path: { id }, header: { 'Idempotency-Key': createKey() } })

export const cancelRun = (id: string): Promise<Run> =>
  call(api.POST('/runs/{id}/cancel', { params: withKey(id) }))
export const retryRun = (id: string): Promise<Run> =>
  call(api.POST('/runs/{id}/retry', { params: withKey(id) }))

/** Cancels all runs in progress and returns how many; one request cancels a limited number. */
export async function cancelAllRuns(workflowId: string): Promise<number> {
  let total = 0
  for (;;) {
    const params = { header: { 'Idempotency-Key': createKey() } }
    const { cancelled, hasMore } = await call(api.POST('/runs/cancel', { params, body: { workflowId } }))
    total += cancelled
    if (!hasMore) return total
  }
}

const names = new Map<string, string>()

async function fetchName(contactId: string): Promise<void> {
  if (names.has(contactId)) return
  const params = { path: { id: contactId } }
  const found = await call(api.GET('/contacts/{id}', { params })).catch(() => undefined)
  names.set(contactId, found?.name ?? found?.identities[0]?.externalId ?? contactId)
}

/** Returns the names of contacts; the id of one that the user cannot read. */
export function useContactNames(runs: readonly Pick<Run, 'contactId'>[]): (contactId: string) => string {
  const [, setCount] = useState(0)
  const key = [...new Set(runs.map(({ contactId }) => contactId))].join(' ')
  useEffect(() => {
    if (!hasScope('contact:read') || key === '') return
    let isCurrent = true
    void Promise.all(key.split(' ').map(fetchName)).then(() => isCurrent && setCount(names.size))
    return () => {
      isCurrent = false
    }
  }, [key])
  return contactId => names.get(contactId) ?? contactId
}
