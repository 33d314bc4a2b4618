/** The publishers of versions: what they allow runs to do, and what they no longer hold. */
import { selectAgentTeams } from '../../identity/users/users.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { RequiredRights } from '../definition/rights.ts'
import type { Run } from '../engine/run/run.ts'
import { columns as runColumns } from './runs/run-columns.ts'
import type { WorkflowRow } from './workflows.ts'

export interface PublisherRow {
  versionId: string
  publisherId: string | null
  /** The publisher lost rights: runs of the version are held. */
  hasLostRights: boolean
  /** Teams of an agent; null for other publishers. */
  teamIds: string[] | null
}

export function listPublishers(
  on: Queryable,
  tenantId: string,
  versionIds: readonly string[],
): Promise<PublisherRow[]> {
  return on.rows<PublisherRow>(sql`
    select v.id as "versionId", v.publisher_id as "publisherId", v.missing_rights is not null as "hasLostRights",
      ${selectAgentTeams(tenantId, raw('v.publisher_id'))} as "teamIds"
    from workflow_versions v where v.tenant_id = ${tenantId} and v.id = any(${versionIds})`)
}

export interface PublishedVersion extends RequiredRights {
  id: string
  publisherId: string | null
}

const publishedColumns = raw(`v.id, v.publisher_id as "publisherId", v.required_scopes as "requiredScopes",
  v.requires_admin as "requiresAdmin"`)

/** Locks the workflows with versions of these publishers and lists the versions that have not lost rights yet. */
export async function lockVersionsOf(
  tx: Tx,
  tenantId: string,
  publisherIds: readonly string[],
): Promise<PublishedVersion[]> {
  await tx.run(sql`
    select from workflows w
    where w.tenant_id = ${tenantId} and w.deleted_at is null and w.id in (
      select v.workflow_id from workflow_versions v
      where v.tenant_id = ${tenantId} and v.publisher_id = any(${publisherIds}))
    order by w.id for no key update`)
  return tx.rows<PublishedVersion>(sql`
    select ${publishedColumns} from workflow_versions v
    join workflows w on w.tenant_id = v.tenant_id and w.id = v.workflow_id and w.deleted_at is null
    where v.tenant_id = ${tenantId} and v.publisher_id = any(${publisherIds}) and v.missing_rights is null`)
}

export function getPublishedVersion(on: Queryable, tenantId: string, id: string): Promise<PublishedVersion> {
  return on.one<PublishedVersion>(sql`
    select ${publishedColumns} from workflow_versions v where v.tenant_id = ${tenantId} and v.id = ${id}`)
}

/** Lists the versions of a workflow whose publisher lost rights. */
export function listWithoutRights(
  on: Queryable,
  tenantId: string,
  workflowId: string,
): Promise<PublishedVersion[]> {
  return on.rows<PublishedVersion>(sql`
    select ${publishedColumns} from workflow_versions v
    where v.tenant_id = ${tenantId} and v.workflow_id = ${workflowId} and v.missing_rights is not null`)
}

/** Sets publisher and missing rights of versions. */
export async function updatePublishers(
  tx: Tx,
  tenantId: string,
  versions: readonly { id: string; publisherId: string | null; missing: readonly string[] }[],
): Promise<void> {
  await tx.run(sql`
    update workflow_versions v set publisher_id = n.publisher_id,
      missing_rights = case when n.missing <> '[]' then array(select jsonb_array_elements_text(n.missing::jsonb)) end
    from unnest(${versions.map(version => version.id)}::text[], ${versions.map(version => version.publisherId)}::text[],
      ${versions.map(version => JSON.stringify(version.missing))}::text[]) as n (id, publisher_id, missing)
    where v.tenant_id = ${tenantId} and v.id = n.id`)
}

/** Pauses the active ones of the locked workflows whose published version lost rights, and returns their ids. */
export function pausePublished(
  tx: Tx,
  tenantId: string,
  versionIds: readonly string[],
): Promise<Pick<WorkflowRow, 'id' | 'kind'>[]> {
  return tx.rows(sql`
    update workflows set status = 'paused', pause_reason = 'publisher_rights_lost', revision = revision + 1,
      updated_at = ${tx.now}
    where tenant_id = ${tenantId} and published_version_id = any(${versionIds}) and status = 'active'
      and deleted_at is null
    returning id, kind`)
}

/** Takes the held resumes of at most `limit` runs after the cursor whose version has its rights. */
export function takeHeldRuns(
  tx: Tx,
  tenantId: string,
  workflowId: string,
  { after, limit }: { after: string; limit: number },
): Promise<Run[]> {
  return tx.rows<Run>(sql`
    with taken as materialized (
      select r.id, r.held_resumes from workflow_runs r
      join workflow_versions v on v.tenant_id = r.tenant_id and v.id = r.version_id and v.missing_rights is null
      where r.tenant_id = ${tenantId} and r.workflow_id = ${workflowId} and r.held_resumes is not null and r.id > ${after}
      order by r.id limit ${limit} for no key update of r
    ), released as (
      update workflow_runs r set held_resumes = null from taken where r.tenant_id = ${tenantId} and r.id = taken.id
    )
    select ${runColumns} from workflow_runs r join taken on taken.id = r.id where r.tenant_id = ${tenantId} order by r.id`)
}
