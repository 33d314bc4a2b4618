import type { Tx } from './db.ts'
import { sql } from './sql.ts'

/** Runs a part of a transaction. If it throws, its statements are undone and the transaction can continue. */
export async function withSavepoint<T>(tx: Tx, part: () => Promise<T>): Promise<T> {
  await tx.run(sql`savepoint part`)
  try {
    const result = await part()
    await tx.run(sql`release savepoint part`)
    return result
  } catch (error) {
    await tx.run(sql`rollback to savepoint part`)
    throw error
  }
}
