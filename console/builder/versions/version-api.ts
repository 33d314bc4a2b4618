/** The operations on versions of journeys and chatbots, under one name for both kinds. */
import { api, call, type Schemas } from '../../api/client.ts'
import { findActorName } from '../../app/actor-name.ts'
import { createKey } from '../../inbox/bulk/follow-bulk.ts'
import type { WorkflowKind } from '../model/definition.ts'

export type Version = Pick<
  Schemas['JourneyVersion'],
  'id' | 'definition' | 'createdAt' | 'publishedBy' | 'note'
>
/** A version with its number: the first one that was published is 1. */
export type Numbered = Version & { number: number }
export type Diff = Schemas['WorkflowDiff']

export interface VersionPage {
  versions: Version[]
  total: number
  next: string | null
}

const pageSize = 20

export async function fetchVersions(
  kind: WorkflowKind,
  id: string,
  pageToken?: string,
): Promise<VersionPage> {
  const params = { path: { id }, query: { pageSize, ...(pageToken ? { pageToken } : {}) } }
  if (kind === 'journey') {
    const page = await call(api.GET('/journeys/{id}/versions', { params }))
    return { versions: page.journeyVersions, total: page.totalSize, next: page.nextPageToken }
  }
  const page = await call(api.GET('/chatbots/{id}/versions', { params }))
  return { versions: page.chatbotVersions, total: page.totalSize, next: page.nextPageToken }
}

export function fetchDiff(kind: WorkflowKind, id: string, a: string, b: string): Promise<Diff> {
  const params = { path: { id, a, b } }
  return kind === 'journey'
    ? call(api.GET('/journeys/{id}/versions/{a}/diff/{b}', { params }))
    : call(api.GET('/chatbots/{id}/versions/{a}/diff/{b}', { params }))
}

export async function restoreVersion(kind: WorkflowKind, id: string, versionId: string): Promise<void> {
  const params = { path: { id, versionId }, header: { 'Idempotency-Key': createKey() } }
  if (kind === 'journey') await call(api.POST('/journeys/{id}/versions/{versionId}/restore', { params }))
  else await call(api.POST('/chatbots/{id}/versions/{versionId}/restore', { params }))
}

/** Returns the name of the user or service account; a user who left has an id only. */
export const nameAuthor = (id: string): string => findActorName(id) ?? id
