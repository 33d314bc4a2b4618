import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Lets the next attempt of a job that waits for it be its last one: a test does not wait for all of them. */
export async function exhaustAttempts(db: Db, name: string, tenantId: string): Promise<void> {
  await db.run(sql`
    update job_lanes set attempt = 1000, at = '2000-01-01'
    where name = ${name} and tenant_id = ${tenantId} and state = 'scheduled'`)
}
