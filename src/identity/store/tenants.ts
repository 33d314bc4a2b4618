import type { Static } from 'typebox'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Workspace } from '../schemas.ts'
import type { WorkspaceChange } from '../workspace/workspace-settings.ts'

export async function insertTenant(tx: Tx, tenant: { id: string; name: string }): Promise<void> {
  await tx.run(
    sql`insert into tenants (id, name, created_at) values (${tenant.id}, ${tenant.name}, ${tx.now})`,
  )
}

export type TenantRow = Static<typeof Workspace>

export function findTenant(db: Queryable, id: string): Promise<TenantRow | undefined> {
  return db.maybe(sql`
    select id, name, second_factor_required as "secondFactorRequired", timezone, locale,
      business_hours as "businessHours", json_build_object('messageDays', message_retention_days) as retention, logo_url as "logoUrl", created_at as "createdAt"
    from tenants where id = ${id}`)
}

export async function updateTenant(tx: Tx, id: string, change: WorkspaceChange): Promise<void> {
  const { businessHours, retention } = change
  await tx.run(sql`
    update tenants set name = coalesce(${change.name ?? null}, name),
      second_factor_required = coalesce(${change.secondFactorRequired ?? null}, second_factor_required),
      timezone = coalesce(${change.timezone ?? null}, timezone),
      locale = coalesce(${change.locale ?? null}, locale),
      business_hours = case when ${businessHours !== undefined}
        then ${businessHours ? JSON.stringify(businessHours) : null}::jsonb else business_hours end,
      message_retention_days = case when ${retention !== undefined}
        then ${retention?.messageDays ?? null}::integer else message_retention_days end
    where id = ${id}`)
}

/** Lists the workspaces with a retention, or all of them. */
export function listMessageRetentions(
  db: Queryable,
  all: boolean,
): Promise<{ tenantId: string; days: number | null }[]> {
  return db.rows(sql`
    select id as "tenantId", message_retention_days as days from tenants
    where (${all} or message_retention_days is not null) and ${notMoving('tenants.id')} order by id`)
}

export async function updateLogo(tx: Tx, id: string, url: string | null): Promise<void> {
  await tx.run(sql`update tenants set logo_url = ${url} where id = ${id}`)
}

export async function hasTenants(db: Queryable): Promise<boolean> {
  return (await db.maybe(sql`select 1 from tenants limit 1`)) !== undefined
}
