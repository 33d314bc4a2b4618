import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export async function insertTenant(tx: Tx, tenant: { id: string; name: string }): Promise<void> {
  await tx.run(
    sql`insert into tenants (id, name, created_at) values (${tenant.id}, ${tenant.name}, ${tx.now})`,
  )
}

export function findTenant(db: Queryable, id: string): Promise<{ id: string; name: string } | undefined> {
  return db.maybe(sql`select id, name from tenants where id = ${id}`)
}

export async function hasTenants(db: Queryable): Promise<boolean> {
  return (await db.maybe(sql`select 1 from tenants limit 1`)) !== undefined
}
