import type { Static } from 'typebox'
import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import type { Use } from '../../platform/db/last-uses.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { ApiKey, ServiceAccount, ServiceAccountName } from '../schemas.ts'

export type ServiceAccountRow = Static<typeof ServiceAccount>

const serviceAccountColumns =
  raw(`id, tenant_id as "tenantId", name, description, is_active as "isActive", role, scopes,
  created_at as "createdAt", updated_at as "updatedAt"`)

export function listServiceAccounts(db: Db, tenantId: string): Promise<ServiceAccountRow[]> {
  return db.rows(
    sql`select ${serviceAccountColumns} from service_accounts where tenant_id = ${tenantId} and deleted_at is null order by id desc`,
  )
}

/** Includes deleted accounts: what they have changed keeps their name. */
export function listServiceAccountNames(db: Db, tenantId: string): Promise<ServiceAccountName[]> {
  return db.rows(sql`select id, name from service_accounts where tenant_id = ${tenantId} order by id`)
}

export function findServiceAccount(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<ServiceAccountRow | undefined> {
  return db.maybe(
    sql`select ${serviceAccountColumns} from service_accounts where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`,
  )
}

/** Returns whether a key of the account was not revoked; an expired key counts. */
export async function hasUnrevokedKey(on: Queryable, tenantId: string, accountId: string): Promise<boolean> {
  const row = await on.maybe(sql`
    select 1 from api_keys
    where tenant_id = ${tenantId} and service_account_id = ${accountId} and revoked_at is null limit 1`)
  return row !== undefined
}

export type NewServiceAccount = Omit<
  ServiceAccountRow,
  'tenantId' | 'isActive' | 'createdAt' | 'updatedAt'
> & {
  createdBy: string
}

export function insertServiceAccount(
  tx: Tx,
  tenantId: string,
  row: NewServiceAccount,
): Promise<ServiceAccountRow> {
  return tx.one(sql`
    insert into service_accounts (tenant_id, id, name, description, role, scopes, created_by, created_at, updated_at)
    values (${tenantId}, ${row.id}, ${row.name}, ${row.description}, ${row.role}, ${row.scopes}, ${row.createdBy}, ${tx.now}, ${tx.now})
    returning ${serviceAccountColumns}`)
}

export function lockServiceAccount(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ServiceAccountRow | undefined> {
  return tx.maybe(sql`
    select ${serviceAccountColumns} from service_accounts where tenant_id = ${tenantId} and id = ${id} and deleted_at is null
    for update`)
}

export function updateServiceAccountRow(
  tx: Tx,
  tenantId: string,
  row: Pick<ServiceAccountRow, 'id' | 'name' | 'description' | 'isActive' | 'scopes'>,
): Promise<ServiceAccountRow> {
  return tx.one(sql`
    update service_accounts set name = ${row.name}, description = ${row.description}, is_active = ${row.isActive},
      scopes = ${row.scopes}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${row.id} returning ${serviceAccountColumns}`)
}

/** Marks the account as deleted and revokes its keys. */
export async function markServiceAccountDeleted(tx: Tx, tenantId: string, id: string): Promise<number> {
  await tx.run(sql`
    update api_keys set revoked_at = ${tx.now}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and service_account_id = ${id} and revoked_at is null`)
  return tx.run(sql`
    update service_accounts set deleted_at = ${tx.now}, is_active = false, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`)
}

export type ApiKeyRow = Static<typeof ApiKey>

const apiKeyColumns =
  raw(`id, name, key_prefix as "keyPrefix", service_account_id as "serviceAccountId", tenant_id as "tenantId",
  expires_at as "expiresAt", last_used_at as "lastUsedAt", last_used_from as "lastUsedFrom", created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`)

export function listApiKeys(db: Db, tenantId: string, serviceAccountId: string): Promise<ApiKeyRow[]> {
  return db.rows(sql`
    select ${apiKeyColumns} from api_keys
    where tenant_id = ${tenantId} and service_account_id = ${serviceAccountId} and revoked_at is null order by id desc`)
}

export function findApiKeyByHash(db: Db, tenantId: string, hash: Buffer): Promise<ApiKeyRow | undefined> {
  return db.maybe(sql`select ${apiKeyColumns} from api_keys where tenant_id = ${tenantId} and hash = ${hash}`)
}

export type NewApiKeyRow = Omit<
  ApiKeyRow,
  'tenantId' | 'lastUsedAt' | 'lastUsedFrom' | 'createdAt' | 'updatedAt'
> & { hash: Buffer }

export function insertApiKey(tx: Tx, tenantId: string, row: NewApiKeyRow): Promise<ApiKeyRow> {
  return tx.one(sql`
    insert into api_keys (tenant_id, id, service_account_id, name, key_prefix, hash, expires_at, created_by, created_at, updated_at)
    values (${tenantId}, ${row.id}, ${row.serviceAccountId}, ${row.name}, ${row.keyPrefix}, ${row.hash}, ${row.expiresAt},
      ${row.createdBy}, ${tx.now}, ${tx.now})
    returning ${apiKeyColumns}`)
}

export function markApiKeyRevoked(tx: Tx, tenantId: string, id: string): Promise<ApiKeyRow | undefined> {
  return tx.maybe(sql`
    update api_keys set revoked_at = ${tx.now}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} and revoked_at is null returning ${apiKeyColumns}`)
}

export interface KeyUse extends Use {
  /** Network address of the request. */
  from: string
}

/** Stores uses, unless another process stored one of the same key within the interval. A locked key is left out. */
export async function updateKeyUses(db: Db, uses: readonly KeyUse[], intervalMs: number): Promise<void> {
  await db.run(sql`
    with used as (
      select * from unnest(${uses.map(use => use.tenantId)}::text[], ${uses.map(use => use.id)}::text[],
        ${uses.map(use => use.at)}::timestamptz[], ${uses.map(use => use.from)}::text[]) as u(tenant_id, id, at, address)
    ), due as (
      select k.tenant_id, k.id, u.at, u.address from used u
      join api_keys k on k.tenant_id = u.tenant_id collate "C" and k.id = u.id collate "C"
      where k.last_used_at is null or k.last_used_at <= u.at - ${intervalMs} * interval '1 millisecond'
      for no key update of k skip locked
    )
    update api_keys k set last_used_at = due.at, last_used_from = due.address
    from due where k.tenant_id = due.tenant_id and k.id = due.id`)
}
