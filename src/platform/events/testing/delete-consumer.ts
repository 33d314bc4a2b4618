import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Removes a consumer as if it had never been registered. */
export async function deleteConsumer(tx: Tx, name: string): Promise<void> {
  await tx.run(sql`lock table event_heads in share mode`)
  await tx.run(sql`delete from event_consumers where name = ${name}`)
  await tx.run(sql`delete from event_consumer_queue where consumer = ${name}`)
  await tx.run(sql`delete from event_offsets where consumer = ${name}`)
}
