import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import type { RequiredRights } from '../definition/rights.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import type { TriggerConfig, WorkflowDefinition } from '../schemas.ts'
import type { EntryMode } from '../triggers/trigger-type.ts'

export interface VersionRow {
  id: string
  workflowId: string
  definition: WorkflowDefinition
  triggerConfig: TriggerConfig
  entryMode: EntryMode
  /** The publisher; its runs may have the rights of another account by now. */
  createdBy: string
  note: string | null
  createdAt: string
}

const columns = raw(`v.id, v.workflow_id as "workflowId", v.definition, v.trigger_config as "triggerConfig",
  v.entry_mode as "entryMode", v.created_by as "createdBy", v.note, v.created_at as "createdAt"`)

export async function insertVersion(
  tx: Tx,
  tenantId: string,
  version: Omit<VersionRow, 'createdAt'> & RequiredRights & { publisherId: string | null },
): Promise<void> {
  await tx.run(sql`
    insert into workflow_versions (tenant_id, id, workflow_id, definition, trigger_type, trigger_config, entry_mode,
      created_by, note, publisher_id, required_scopes, requires_admin, created_at)
    values (${tenantId}, ${version.id}, ${version.workflowId}, ${JSON.stringify(version.definition)}::json,
      ${version.triggerConfig.type}, ${JSON.stringify(version.triggerConfig)}::json, ${version.entryMode},
      ${version.createdBy}, ${version.note}, ${version.publisherId}, ${version.requiredScopes}, ${version.requiresAdmin}, ${tx.now})`)
}

/** Finds a version of an existing workflow of this kind, or of `workflowId` only. */
export function findVersion(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  id: string,
  workflowId?: string,
): Promise<VersionRow | undefined> {
  const ofWorkflow = workflowId === undefined ? raw('') : sql`and v.workflow_id = ${workflowId}`
  return on.maybe(sql`
    select ${columns} from workflow_versions v
    join workflows w on w.tenant_id = v.tenant_id and w.id = v.workflow_id
    where v.tenant_id = ${tenantId} and v.id = ${id} and w.kind = ${kind} and w.deleted_at is null ${ofWorkflow}`)
}

export function listVersions(
  on: Queryable,
  tenantId: string,
  workflowId: string,
  page: { limit: number; after: SortKey | undefined },
): Promise<VersionRow[]> {
  const before = page.after ? sql`and v.id < ${page.after[0]}` : raw('')
  return on.rows(sql`
    select ${columns} from workflow_versions v where v.tenant_id = ${tenantId} and v.workflow_id = ${workflowId} ${before}
    order by v.id desc limit ${page.limit + 1}`)
}

export async function countVersions(on: Queryable, tenantId: string, workflowId: string): Promise<number> {
  const { n } = await on.one<{ n: number }>(sql`
    select count(*) as n from workflow_versions where tenant_id = ${tenantId} and workflow_id = ${workflowId}`)
  return n
}

/** Returns the number of versions of each workflow that has one. */
export async function countVersionsByWorkflow(
  on: Queryable,
  tenantId: string,
  workflowIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await on.rows<{ workflowId: string; n: number }>(sql`
    select workflow_id as "workflowId", count(*)::int as n from workflow_versions
    where tenant_id = ${tenantId} and workflow_id = any(${workflowIds}) group by 1`)
  return new Map(rows.map(({ workflowId, n }) => [workflowId, n]))
}
