/** Pages of workflows and of their versions, newest first, with how many there are. */
import type { Queryable } from '../platform/db/db.ts'
import type { Page } from '../platform/http/page.ts'
import { getWorkflow } from './lifecycle.ts'
import type { WorkflowKind } from './nodes/kind.ts'
import { countVersions, listVersions, type VersionRow } from './store/versions.ts'
import { countWorkflows, listWorkflows, type WorkflowRow } from './store/workflows.ts'

interface Listed<T> {
  rows: T[]
  nextPageToken?: string
  totalSize: number
}

function pageOf<T extends { id: string }>(page: Page, found: T[], totalSize: number): Listed<T> {
  const { rows, next } = page.cut(found, ({ id }) => [id])
  return { rows, totalSize, ...(next ? { nextPageToken: next } : {}) }
}

export async function workflowPage(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  page: Page,
): Promise<Listed<WorkflowRow>> {
  const [rows, total] = await Promise.all([
    listWorkflows(on, tenantId, kind, page),
    countWorkflows(on, tenantId, kind),
  ])
  return pageOf(page, rows, total)
}

export async function versionPage(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  id: string,
  page: Page,
): Promise<Listed<VersionRow>> {
  await getWorkflow(on, tenantId, kind, id)
  const [rows, total] = await Promise.all([
    listVersions(on, tenantId, id, page),
    countVersions(on, tenantId, id),
  ])
  return pageOf(page, rows, total)
}
