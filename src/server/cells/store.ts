/** SQL of the directory, in the home cell, and of its rebuilding from the cells. */

import type { Queryable } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { ProviderAccountKey } from '../../platform/deps.ts'

export function findWorkspaceCell(on: Queryable, tenantId: string): Promise<string | undefined> {
  return on.value<string>(sql`select cell from directory_workspaces where tenant_id = ${tenantId}`)
}

/** Keeps the cell of a workspace that is recorded already. */
export async function insertWorkspaces(
  on: Queryable,
  cell: string,
  tenantIds: readonly string[],
): Promise<number> {
  return on.run(sql`
    insert into directory_workspaces (tenant_id, cell)
    select id, ${cell} from unnest(${tenantIds}::text[]) as id on conflict (tenant_id) do nothing`)
}

export function listRecordedWorkspaces(on: Queryable, cell: string): Promise<string[]> {
  return on.values<string>(sql`select tenant_id from directory_workspaces where cell = ${cell}`)
}

export async function deleteWorkspaces(
  on: Queryable,
  cell: string,
  tenantIds: readonly string[],
): Promise<void> {
  await on.run(
    sql`delete from directory_workspaces where cell = ${cell} and tenant_id = any(${tenantIds}::text[])`,
  )
}

export interface CellRow {
  name: string
  closed: boolean
  indexedAt: string | null
}

export function listCells(on: Queryable): Promise<CellRow[]> {
  return on.rows<CellRow>(
    sql`select name, closed, indexed_at as "indexedAt" from directory_cells order by name`,
  )
}

export async function upsertClosed(on: Queryable, name: string, closed: boolean): Promise<void> {
  await on.run(sql`
    insert into directory_cells (name, closed) values (${name}, ${closed})
    on conflict (name) do update set closed = excluded.closed`)
}

export async function upsertIndexed(on: Queryable, name: string): Promise<void> {
  await on.run(sql`
    insert into directory_cells (name, indexed_at) values (${name}, now())
    on conflict (name) do update set indexed_at = now()`)
}

export interface AccountRow extends ProviderAccountKey {
  tenantId: string
  /** Seconds since the reservation. */
  age: number
}

/** Inserts or renews the reservations of a workspace, in the order of their keys. Returns those that it has now. */
export function reserveRows(
  on: Queryable,
  tenantId: string,
  accounts: readonly ProviderAccountKey[],
): Promise<ProviderAccountKey[]> {
  const [channels, ids] = [accounts.map(each => each.channel), accounts.map(each => each.externalId)]
  return on.rows<ProviderAccountKey>(sql`
    insert into directory_accounts as a (channel, external_id, tenant_id, reserved_at)
    select c, e, ${tenantId}, now() from unnest(${channels}::text[], ${ids}::text[]) as w(c, e) order by c, e
    on conflict (channel, external_id) do update set reserved_at = now() where a.tenant_id = excluded.tenant_id
    returning channel, external_id as "externalId"`)
}

export function findReservation(
  on: Queryable,
  { channel, externalId }: ProviderAccountKey,
): Promise<AccountRow | undefined> {
  return on.maybe<AccountRow>(sql`
    select channel, external_id as "externalId", tenant_id as "tenantId",
      extract(epoch from now() - reserved_at)::float8 as age
    from directory_accounts where channel = ${channel} and external_id = ${externalId}`)
}

/** Deletes the reservation of another workspace if it is older than a limit. Returns whether it did. */
export async function deleteReservation(
  on: Queryable,
  { channel, externalId, tenantId }: Omit<AccountRow, 'age'>,
  minAgeSeconds: number,
): Promise<boolean> {
  const deleted = await on.run(sql`
    delete from directory_accounts
    where channel = ${channel} and external_id = ${externalId} and tenant_id = ${tenantId}
      and reserved_at <= now() - ${minAgeSeconds}::float8 * interval '1 second'`)
  return deleted === 1
}

/** Records accounts that are connected. Returns those that another workspace has. */
export function insertConnected(
  on: Queryable,
  accounts: readonly Omit<AccountRow, 'age'>[],
): Promise<Omit<AccountRow, 'age'>[]> {
  return on.rows(sql`
    with connected as (
      select c collate "C" as channel, e collate "C" as external_id, t collate "C" as tenant_id
      from unnest(${accounts.map(each => each.channel)}::text[], ${accounts.map(each => each.externalId)}::text[],
        ${accounts.map(each => each.tenantId)}::text[]) as w(c, e, t)),
    inserted as (
      insert into directory_accounts (channel, external_id, tenant_id, reserved_at)
      select channel, external_id, tenant_id, now() from connected order by channel, external_id
      on conflict (channel, external_id) do nothing returning 1)
    select a.channel, a.external_id as "externalId", a.tenant_id as "tenantId"
    from directory_accounts a join connected c on c.channel = a.channel and c.external_id = a.external_id
    where a.tenant_id <> c.tenant_id`)
}

// Reads of any cell. It does not have the workspaces whose rows it still has after they have moved away.

const hasMoved = (tenantId: string) =>
  raw(
    `exists (select from workspace_moves m where m.tenant_id = ${tenantId} and m.state in ('switched', 'active'))`,
  )

export async function hasWorkspace(on: Queryable, tenantId: string): Promise<boolean> {
  return (
    (await on.maybe(sql`select from tenants where id = ${tenantId} and not ${hasMoved('tenants.id')}`)) !==
    undefined
  )
}

export function listWorkspaceIds(on: Queryable, after: string, limit: number): Promise<string[]> {
  return on.values<string>(sql`
    select id from tenants where id > ${after} and not ${hasMoved('tenants.id')} order by id limit ${limit}`)
}

export async function isConnected(
  on: Queryable,
  { channel, externalId, tenantId }: Omit<AccountRow, 'age'>,
): Promise<boolean> {
  const row = await on.maybe(sql`
    select from inboxes where channel = ${channel} and external_id = ${externalId} and tenant_id = ${tenantId}
      and deleted_at is null`)
  return row !== undefined
}

export function listConnected(
  on: Queryable,
  after: string,
  limit: number,
): Promise<(Omit<AccountRow, 'age'> & { id: string })[]> {
  return on.rows(sql`
    select id, channel, external_id as "externalId", tenant_id as "tenantId" from inboxes
    where id > ${after} and deleted_at is null and channel <> 'webchat' and not ${hasMoved('inboxes.tenant_id')}
    order by id limit ${limit}`)
}

export async function getBytes(on: Queryable): Promise<number> {
  return (await on.value<number>(sql`select pg_database_size(current_database())`)) ?? 0
}
