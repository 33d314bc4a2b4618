import type { Channel } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { InboxIssues } from '../schemas.ts'

export interface InboxRow {
  tenantId: string
  id: string
  channel: Channel
  externalId: string
  /** Business account of the number: wabaId, accountSid or account id. */
  resourceId: string
  name: string
  teamId: string | null
  config: Record<string, string>
  /** Messages per second; null: unlimited. */
  rate: number | null
  healthIssues: InboxIssues
  createdBy: string
  createdAt: string
  updatedAt: string
}

const columns = sql`tenant_id as "tenantId", id, channel, external_id as "externalId", resource_id as "resourceId", name,
  team_id as "teamId", config, rate, health_issues as "healthIssues", created_by as "createdBy", created_at as "createdAt",
  updated_at as "updatedAt"`

export function listInboxes(on: Queryable, tenantId: string): Promise<InboxRow[]> {
  return on.rows<InboxRow>(
    sql`select ${columns} from inboxes where tenant_id = ${tenantId} and deleted_at is null order by id desc`,
  )
}

export function findInbox(on: Queryable, tenantId: string, id: string): Promise<InboxRow | undefined> {
  return on.maybe<InboxRow>(
    sql`select ${columns} from inboxes where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`,
  )
}

export function listInboxesByIds(
  on: Queryable,
  keys: readonly { tenantId: string; inboxId: string }[],
): Promise<InboxRow[]> {
  return on.rows<InboxRow>(sql`
    select ${columns} from inboxes
    where deleted_at is null and (tenant_id, id) in (
      select t collate "C", i collate "C"
      from unnest(${keys.map(key => key.tenantId)}::text[], ${keys.map(key => key.inboxId)}::text[]) as k(t, i))`)
}

export function lockInbox(tx: Tx, tenantId: string, id: string): Promise<InboxRow | undefined> {
  return tx.maybe<InboxRow>(
    sql`select ${columns} from inboxes where tenant_id = ${tenantId} and id = ${id} and deleted_at is null
        for no key update`,
  )
}

/** Finds by the id alone, for webhooks whose URL names the inbox. */
export function findInboxById(on: Queryable, id: string): Promise<InboxRow | undefined> {
  return on.maybe<InboxRow>(
    sql`select ${columns} from inboxes where id = ${id} and deleted_at is null limit 1`,
  )
}

/** Finds the inbox that a number or account is connected to, in any workspace. */
export function findInboxByExternal(
  on: Queryable,
  channel: Channel,
  externalId: string,
): Promise<InboxRow | undefined> {
  return on.maybe<InboxRow>(
    sql`select ${columns} from inboxes
        where channel = ${channel} and external_id = ${externalId} and deleted_at is null`,
  )
}

export function listInboxesByExternal(
  on: Queryable,
  keys: readonly { channel: Channel; externalId: string }[],
): Promise<InboxRow[]> {
  return on.rows<InboxRow>(sql`
    select ${columns} from inboxes
    where deleted_at is null and (channel, external_id) in (
      select c collate "C", e collate "C"
      from unnest(${keys.map(key => key.channel)}::text[], ${keys.map(key => key.externalId)}::text[]) as k(c, e))`)
}

export function listInboxesOfResource(
  on: Queryable,
  channel: Channel,
  resourceId: string,
): Promise<InboxRow[]> {
  return on.rows<InboxRow>(
    sql`select ${columns} from inboxes
        where channel = ${channel} and resource_id = ${resourceId} and deleted_at is null order by id`,
  )
}

export type NewInboxRow = Pick<
  InboxRow,
  'tenantId' | 'id' | 'channel' | 'externalId' | 'resourceId' | 'name' | 'config' | 'rate' | 'createdBy'
> & { credential: Buffer | null }

export async function insertInbox(tx: Tx, inbox: NewInboxRow): Promise<InboxRow> {
  return tx.one<InboxRow>(sql`
    insert into inboxes (tenant_id, id, channel, external_id, resource_id, name, config, credential, rate, created_by,
      created_at, updated_at)
    values (${inbox.tenantId}, ${inbox.id}, ${inbox.channel}, ${inbox.externalId}, ${inbox.resourceId}, ${inbox.name},
      ${JSON.stringify(inbox.config)}, ${inbox.credential}, ${inbox.rate}, ${inbox.createdBy}, ${tx.now}, ${tx.now})
    returning ${columns}`)
}

/** Soft delete: references to the inbox stay valid. */
export function deleteInbox(tx: Tx, tenantId: string, id: string): Promise<InboxRow | undefined> {
  return tx.maybe<InboxRow>(sql`
    update inboxes set deleted_at = ${tx.now}, updated_at = ${tx.now}, credential = null, team_id = null
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null
    returning ${columns}`)
}

export function updateTeam(tx: Tx, tenantId: string, id: string, teamId: string | null): Promise<InboxRow> {
  return tx.one<InboxRow>(sql`
    update inboxes set team_id = ${teamId}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} returning ${columns}`)
}

export async function updateCredential(tx: Tx, tenantId: string, id: string, sealed: Buffer): Promise<void> {
  await tx.run(sql`
    update inboxes set credential = ${sealed}, updated_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id}`)
}

export function updateHealthIssues(
  tx: Tx,
  tenantId: string,
  id: string,
  issues: InboxIssues,
): Promise<InboxRow> {
  return tx.one<InboxRow>(sql`
    update inboxes set health_issues = ${JSON.stringify(issues)}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} returning ${columns}`)
}

/** Stores the send rate that a health check found; not visible in the API, so `updated_at` stays. */
export async function updateRate(tx: Tx, tenantId: string, id: string, rate: number | null): Promise<void> {
  await tx.run(sql`
    update inboxes set rate = ${rate} where tenant_id = ${tenantId} and id = ${id}`)
}

export function findCredential(on: Queryable, tenantId: string, id: string) {
  return on.maybe<InboxRow & { credential: Buffer | null }>(sql`
    select ${columns}, credential from inboxes
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`)
}
