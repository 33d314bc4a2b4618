/** Pages of workflows and of their versions, newest first, with how many there are. */
import type { Queryable } from '../platform/db/db.ts'
import type { Page } from '../platform/http/page.ts'
import type { WorkflowKind } from './nodes/node-type.ts'
import { countVersions, listVersions, type VersionRow } from './store/versions.ts'
import { countWorkflows, listWorkflows, type WorkflowRow } from './store/workflows.ts'
import { getWorkflow } from './workflows.ts'

interface ListPage<T> {
  rows: T[]
  nextPageToken?: string
  totalSize: number
}

function toPage<T extends { id: string }>(page: Page, found: T[], totalSize: number): ListPage<T> {
  const { rows, next } = page.toPage(found, ({ id }) => [id])
  return { rows, totalSize, ...(next ? { nextPageToken: next } : {}) }
}

export async function listWorkflowPage(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  page: Page,
): Promise<ListPage<WorkflowRow>> {
  const [rows, total] = await Promise.all([
    listWorkflows(on, tenantId, kind, page),
    countWorkflows(on, tenantId, kind),
  ])
  return toPage(page, rows, total)
}

export async function listVersionPage(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  id: string,
  page: Page,
): Promise<ListPage<VersionRow>> {
  await getWorkflow(on, tenantId, kind, id)
  const [rows, total] = await Promise.all([
    listVersions(on, tenantId, id, page),
    countVersions(on, tenantId, id),
  ])
  return toPage(page, rows, total)
}
