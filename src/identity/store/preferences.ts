import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

type PreferencesRow = Record<string, unknown>

/** Returns an empty object for a user who has stored nothing. */
export async function findPreferences(
  db: Queryable,
  tenantId: string,
  userId: string,
): Promise<PreferencesRow> {
  const data = await db.value<PreferencesRow>(
    sql`select data from user_preferences where tenant_id = ${tenantId} and user_id = ${userId}`,
  )
  return data ?? {}
}

/** Returns whether the preferences are others than before. */
export async function replacePreferences(
  tx: Tx,
  tenantId: string,
  userId: string,
  data: PreferencesRow,
): Promise<boolean> {
  const count = await tx.run(sql`
    insert into user_preferences as p (tenant_id, user_id, data, updated_at)
    values (${tenantId}, ${userId}, ${JSON.stringify(data)}::jsonb, ${tx.now})
    on conflict (tenant_id, user_id) do update set data = excluded.data, updated_at = excluded.updated_at
    where p.data <> excluded.data`)
  return count > 0
}
