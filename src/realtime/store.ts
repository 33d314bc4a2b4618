import type { Db, Tx } from '../platform/db/db.ts'
import { notMoving } from '../platform/db/moving.ts'
import { sql } from '../platform/db/sql.ts'

export async function insertTicket(
  tx: Tx,
  tenantId: string,
  ticket: { hash: Buffer; token: Buffer; expiresAt: string },
): Promise<void> {
  await tx.run(sql`
    insert into realtime_tickets (hash, tenant_id, token, expires_at)
    values (${ticket.hash}, ${tenantId}, ${ticket.token}, ${ticket.expiresAt})`)
}

/** Deletes and returns the ticket. Of two concurrent calls one returns undefined. */
export function redeemTicketRow(
  db: Db,
  hash: Buffer,
): Promise<{ token: Buffer; expiresAt: string } | undefined> {
  return db.maybe(
    sql`delete from realtime_tickets where hash = ${hash} returning token, expires_at as "expiresAt"`,
  )
}

export function deleteExpiredTickets(db: Db, now: string): Promise<number> {
  return db.run(
    sql`delete from realtime_tickets where expires_at < ${now} and ${notMoving('realtime_tickets.tenant_id')}`,
  )
}
