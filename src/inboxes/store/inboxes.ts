import type { Channel } from '../../platform/config.ts'
import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import type { Use } from '../../platform/db/last-uses.ts'
import { notMovedAway } from '../../platform/db/moving.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Inbox, InboxIssues } from '../schemas.ts'
import type { WebchatSettings } from '../settings/webchat-schemas.ts'

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
  /** Null: the hours of the workspace. */
  businessHours: Inbox['businessHours']
  greeting: string | null
  away: string | null
  /** Null: no satisfaction surveys. */
  csat: Inbox['csat']
  /** Null on other channels. */
  webchat: WebchatSettings | null
  createdBy: string
  createdAt: string
  updatedAt: string
}

const columns = sql`tenant_id as "tenantId", id, channel, external_id as "externalId", resource_id as "resourceId", name,
  team_id as "teamId", config, rate, health_issues as "healthIssues",
  business_hours as "businessHours", greeting, away, csat, webchat, created_by as "createdBy", created_at as "createdAt",
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
        where channel = ${channel} and external_id = ${externalId} and deleted_at is null
          and ${notMovedAway('inboxes.tenant_id')}`,
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
        where channel = ${channel} and resource_id = ${resourceId} and deleted_at is null
          and ${notMovedAway('inboxes.tenant_id')} order by id`,
  )
}

export type NewInboxRow = Pick<
  InboxRow,
  'tenantId' | 'id' | 'channel' | 'externalId' | 'resourceId' | 'name' | 'config' | 'rate' | 'createdBy'
> & { credential: Buffer | null; webchat?: WebchatSettings }

/** An account of a provider, or a web chat, that can be connected. */
export type ProviderAccount = Pick<
  NewInboxRow,
  'channel' | 'externalId' | 'resourceId' | 'name' | 'config' | 'rate' | 'credential' | 'webchat'
>

export async function insertInbox(tx: Tx, inbox: NewInboxRow): Promise<InboxRow> {
  return tx.one<InboxRow>(sql`
    insert into inboxes (tenant_id, id, channel, external_id, resource_id, name, config, credential, rate, webchat,
      created_by, created_at, updated_at)
    values (${inbox.tenantId}, ${inbox.id}, ${inbox.channel}, ${inbox.externalId}, ${inbox.resourceId}, ${inbox.name},
      ${JSON.stringify(inbox.config)}, ${inbox.credential}, ${inbox.rate},
      ${inbox.webchat ? JSON.stringify(inbox.webchat) : null}::jsonb, ${inbox.createdBy}, ${tx.now}, ${tx.now})
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

export function updateSettings(tx: Tx, row: InboxRow): Promise<InboxRow> {
  const hours = row.businessHours && JSON.stringify(row.businessHours)
  return tx.one<InboxRow>(sql`
    update inboxes set name = ${row.name}, business_hours = ${hours}::jsonb, greeting = ${row.greeting}, away = ${row.away},
      csat = ${row.csat && JSON.stringify(row.csat)}::jsonb, webchat = ${row.webchat && JSON.stringify(row.webchat)}::jsonb,
      updated_at = ${tx.now}
    where tenant_id = ${row.tenantId} and id = ${row.id} returning ${columns}`)
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

/** Stores the send rate that a health check found; not part of the inbox in the API, so `updated_at` stays. */
export async function updateRate(tx: Tx, tenantId: string, id: string, rate: number | null): Promise<void> {
  await tx.run(sql`
    update inboxes set rate = ${rate}, checked_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id}`)
}

export function findCredential(on: Queryable, tenantId: string, id: string) {
  return on.maybe<InboxRow & { credential: Buffer | null }>(sql`
    select ${columns}, credential from inboxes
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`)
}

export type HealthRow = Pick<InboxRow, 'id' | 'channel' | 'rate' | 'healthIssues'> & {
  checkedAt: string | null
  lastCallbackAt: string | null
  registration: string | null
}

export function findHealthRow(on: Queryable, tenantId: string, id: string): Promise<HealthRow | undefined> {
  return on.maybe<HealthRow>(sql`
    select id, channel, rate, health_issues as "healthIssues", checked_at as "checkedAt",
      last_callback_at as "lastCallbackAt", registration
    from inboxes where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`)
}

/** Stores times of callbacks, unless another process stored one within the interval. A locked inbox is left out. */
export async function updateCallbackTimes(db: Db, uses: readonly Use[], intervalMs: number): Promise<void> {
  await db.run(sql`
    with due as (
      select i.tenant_id, i.id, u.at
      from unnest(${uses.map(use => use.tenantId)}::text[], ${uses.map(use => use.id)}::text[],
        ${uses.map(use => use.at)}::timestamptz[]) as u(tenant_id, id, at)
      join inboxes i on i.tenant_id = u.tenant_id collate "C" and i.id = u.id collate "C"
      where i.last_callback_at is null or i.last_callback_at <= u.at - ${intervalMs} * interval '1 millisecond'
      for no key update of i skip locked
    )
    update inboxes i set last_callback_at = due.at from due where i.tenant_id = due.tenant_id and i.id = due.id`)
}
