import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Availability } from '../schemas.ts'

/** Lists the availability of all users who are not disabled, by user id. */
export function listAvailability(on: Queryable, tenantId: string, now: string): Promise<Availability[]> {
  return on.rows(sql`
    select u.id as "userId", coalesce(a.status, 'online') as status, a.until
    from users u left join user_availability a
      on a.tenant_id = u.tenant_id and a.user_id = u.id and (a.until is null or a.until > ${now})
    where u.tenant_id = ${tenantId} and not u.disabled order by u.id`)
}

export async function replaceAvailability(
  tx: Tx,
  tenantId: string,
  { userId, status, until }: Availability,
): Promise<void> {
  await tx.run(sql`
    insert into user_availability (tenant_id, user_id, status, until)
    values (${tenantId}, ${userId}, ${status}, ${until})
    on conflict (tenant_id, user_id) do update set status = excluded.status, until = excluded.until`)
}
