import type { Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'

/** For statements in which `v` is webchat_visitors. A block of the visitor's id holds when it is identified later. */
export const isBlocked = raw(`exists (
  select from webchat_blocks b where b.tenant_id = v.tenant_id
    and (b.address = v.id or b.address = 'user:' || v.subject))`)

/** Returns false when the address is blocked already. */
export async function insertBlock(tx: Tx, tenantId: string, address: string): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into webchat_blocks (tenant_id, address, created_at) values (${tenantId}, ${address}, ${tx.now})
    on conflict do nothing`)
  return inserted > 0
}

/** Deletes the block of an address and those of the visitors who are known by it. Returns false when there was none. */
export async function deleteBlocks(
  tx: Tx,
  tenantId: string,
  { address, subject }: { address: string; subject: string | undefined },
): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from webchat_blocks where tenant_id = ${tenantId} and (address = ${address} or address in (
      select id from webchat_visitors where tenant_id = ${tenantId} and subject = ${subject ?? null}))`)
  return deleted > 0
}

/** Extends the block of a visitor to the id that its site signed. */
export async function copyBlock(
  tx: Tx,
  tenantId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.run(sql`
    insert into webchat_blocks (tenant_id, address, created_at)
    select tenant_id, ${to}, ${tx.now} from webchat_blocks where tenant_id = ${tenantId} and address = ${from}
    on conflict do nothing`)
}

export async function eraseBlocks(tx: Tx, tenantId: string, addresses: readonly string[]): Promise<void> {
  await tx.run(sql`delete from webchat_blocks where tenant_id = ${tenantId} and address = any(${addresses})`)
}
