import { maxNamed, type NamedResource } from '../../platform/contributions/search.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { and, inlineLimit, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import type { WorkflowDefinition, workflowStatuses } from '../schemas.ts'
import type { WorkflowCase } from '../simulation/schemas.ts'

export interface WorkflowRow {
  tenantId: string
  id: string
  kind: WorkflowKind
  name: string
  status: (typeof workflowStatuses)[number]
  definition: WorkflowDefinition
  publishedVersionId: string | null
  /** Why the service paused the workflow; null: a caller did. */
  pauseReason: 'publisher_rights_lost' | null
  /** Rights that the publisher of the published version no longer holds. */
  missingRights: string[] | null
  teamIds: string[]
  /** Of a chatbot: bots with a lower position are tried first. */
  position: number
  revision: number
  /** The account that last changed the draft. */
  updatedBy: string | null
  createdAt: string
  updatedAt: string
}

const columns = raw(`w.tenant_id as "tenantId", w.id, w.kind, w.name, w.status, w.definition,
  w.published_version_id as "publishedVersionId", w.pause_reason as "pauseReason", w.position, w.revision, w.updated_by as "updatedBy",
  w.created_at as "createdAt", w.updated_at as "updatedAt",
  array(select t.team_id from chatbot_teams t where t.tenant_id = w.tenant_id and t.workflow_id = w.id
    order by t.position) as "teamIds",
  (select v.missing_rights from workflow_versions v
    where v.tenant_id = w.tenant_id and v.id = w.published_version_id) as "missingRights"`)

export function findWorkflow(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  id: string,
): Promise<WorkflowRow | undefined> {
  return on.maybe(sql`
    select ${columns} from workflows w
    where w.tenant_id = ${tenantId} and w.id = ${id} and w.kind = ${kind} and w.deleted_at is null`)
}

/** Returns whether the workflow exists or existed: its runs stay listed when it is deleted. */
export async function hasExisted(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  id: string,
): Promise<boolean> {
  const row = await on.maybe(
    sql`select 1 from workflows where tenant_id = ${tenantId} and id = ${id} and kind = ${kind}`,
  )
  return row !== undefined
}

/** Whether the workspace has or had a workflow. */
export async function hasAnyWorkflow(on: Queryable, tenantId: string): Promise<boolean> {
  return (await on.maybe(sql`select from workflows where tenant_id = ${tenantId} limit 1`)) !== undefined
}

export function listByIds(on: Queryable, tenantId: string, ids: readonly string[]): Promise<WorkflowRow[]> {
  return on.rows(sql`
    select ${columns} from workflows w where w.tenant_id = ${tenantId} and w.id = any(${ids}) order by w.id`)
}

/** Returns which of the ids are journeys or chatbots of the workspace. */
export async function listExistingWorkflows(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await on.rows<{ id: string }>(sql`
    select id from workflows where tenant_id = ${tenantId} and id = any(${ids}) and deleted_at is null`)
  return new Set(rows.map(({ id }) => id))
}

export function lockWorkflow(
  tx: Tx,
  tenantId: string,
  kind: WorkflowKind,
  id: string,
): Promise<WorkflowRow | undefined> {
  return tx.maybe(sql`
    select ${columns} from workflows w
    where w.tenant_id = ${tenantId} and w.id = ${id} and w.kind = ${kind} and w.deleted_at is null
    for no key update of w`)
}

export interface WorkflowFilter {
  /** Part of the name. */
  search?: string
  status?: WorkflowRow['status']
}

/** A workspace has few workflows, so their names are compared without an index. */
function matchesFilter({ search, status }: WorkflowFilter): Sql {
  return and([
    ...(search === undefined
      ? []
      : [sql`strpos(lower(normalize(w.name)), lower(normalize(${search}::text))) > 0`]),
    ...(status === undefined ? [] : [sql`w.status = ${status}`]),
  ])
}

export function listWorkflows(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  filter: WorkflowFilter,
  page: { limit: number; after: SortKey | undefined },
): Promise<WorkflowRow[]> {
  const before = page.after ? sql`and w.id < ${page.after[0]}` : raw('')
  return on.rows(sql`
    select ${columns} from workflows w
    where w.tenant_id = ${tenantId} and w.kind = ${kind} and w.deleted_at is null and ${matchesFilter(filter)} ${before}
    order by w.id desc limit ${page.limit + 1}`)
}

export function listWorkflowNames(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
): Promise<NamedResource[]> {
  return on.rows(sql`
    select id, name, status as detail from workflows
    where tenant_id = ${tenantId} and kind = ${kind} and deleted_at is null
    order by id desc limit ${inlineLimit(maxNamed)}`)
}

export async function countWorkflows(
  on: Queryable,
  tenantId: string,
  kind: WorkflowKind,
  filter: WorkflowFilter,
): Promise<number> {
  const { n } = await on.one<{ n: number }>(sql`
    select count(*) as n from workflows w
    where w.tenant_id = ${tenantId} and w.kind = ${kind} and w.deleted_at is null and ${matchesFilter(filter)}`)
  return n
}

export async function insertWorkflow(
  tx: Tx,
  tenantId: string,
  workflow: Pick<WorkflowRow, 'id' | 'kind' | 'name' | 'definition'> & { createdBy: string },
): Promise<void> {
  await tx.run(sql`
    insert into workflows (tenant_id, id, kind, name, definition, position, created_by, updated_by, created_at, updated_at)
    values (${tenantId}, ${workflow.id}, ${workflow.kind}, ${workflow.name}, ${JSON.stringify(workflow.definition)}::json,
      (select coalesce(max(position), 0) + 1 from workflows where tenant_id = ${tenantId} and kind = ${workflow.kind}),
      ${workflow.createdBy}, ${workflow.createdBy}, ${tx.now}, ${tx.now})`)
}

export interface WorkflowChange {
  name?: string
  definition?: WorkflowDefinition
  status?: WorkflowRow['status']
  publishedVersionId?: string
  /** The account that changes the draft. */
  updatedBy?: string
}

export async function updateWorkflow(
  tx: Tx,
  tenantId: string,
  id: string,
  change: WorkflowChange,
): Promise<Pick<WorkflowRow, 'revision' | 'updatedBy' | 'updatedAt'>> {
  const definition = change.definition ? JSON.stringify(change.definition) : null
  return tx.one(sql`
    update workflows set
      name = coalesce(${change.name ?? null}, name),
      definition = coalesce(${definition}::json, definition),
      status = coalesce(${change.status ?? null}, status),
      pause_reason = case when ${change.status ?? null}::text is null then pause_reason end,
      published_version_id = coalesce(${change.publishedVersionId ?? null}, published_version_id),
      revision = revision + 1,
      updated_by = coalesce(${change.updatedBy ?? null}, updated_by),
      updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id}
    returning revision, updated_by as "updatedBy", updated_at as "updatedAt"`)
}

/** Keeps the versions, because runs reference them. */
export async function markWorkflowDeleted(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`
    update workflows set deleted_at = ${tx.now}, updated_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id}`)
}

export async function replaceTeams(
  tx: Tx,
  tenantId: string,
  workflowId: string,
  teamIds: readonly string[],
): Promise<void> {
  await tx.run(sql`delete from chatbot_teams where tenant_id = ${tenantId} and workflow_id = ${workflowId}`)
  if (teamIds.length === 0) return
  await tx.run(sql`
    insert into chatbot_teams (tenant_id, workflow_id, team_id, position)
    select ${tenantId}, ${workflowId}, team_id, position
    from unnest(${teamIds}::text[]) with ordinality as given (team_id, position)`)
}

type ReferencingWorkflow = Pick<WorkflowRow, 'id' | 'kind' | 'name' | 'status' | 'definition'> & {
  published: WorkflowDefinition | null
}

/** Lists the workflows whose draft or published version contains the id. */
export function listReferencing(tx: Tx, tenantId: string, id: string): Promise<ReferencingWorkflow[]> {
  const text = JSON.stringify(id)
  return tx.rows<ReferencingWorkflow>(sql`
    select w.id, w.kind, w.name, w.status, w.definition, v.definition as published
    from workflows w
    left join workflow_versions v on v.tenant_id = w.tenant_id and v.id = w.published_version_id
    where w.tenant_id = ${tenantId} and w.deleted_at is null
      and (strpos(w.definition::text, ${text}) > 0 or strpos(v.definition::text, ${text}) > 0)
    order by w.id`)
}

export interface StoredCases {
  cases: WorkflowCase[]
  revision: number
}

export function readCases(on: Queryable, tenantId: string, id: string): Promise<StoredCases> {
  return on.one(sql`
    select cases, cases_revision as revision from workflows where tenant_id = ${tenantId} and id = ${id}`)
}

/** Returns the new revision of the cases. */
export async function writeCases(
  tx: Tx,
  tenantId: string,
  id: string,
  cases: readonly WorkflowCase[],
): Promise<number> {
  const { revision } = await tx.one<{ revision: number }>(sql`
    update workflows set cases = ${JSON.stringify(cases)}::json, cases_revision = cases_revision + 1
    where tenant_id = ${tenantId} and id = ${id}
    returning cases_revision as revision`)
  return revision
}
