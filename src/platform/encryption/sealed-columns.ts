/**
 * Columns with values that `Keys` encrypted. They are re-encrypted after a rotation, and a process refuses to start with
 * keys that do not decrypt them.
 */
import { ConfigError } from '../config.ts'
import type { Db } from '../db/db.ts'
import { raw, sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import { DecryptionError, type Keys, sealHeaderLength } from './keys.ts'

export interface SealedColumn {
  table: string
  /** The column that identifies a row within its tenant. */
  id: string
  column: string
  purpose: string
}

const batchSize = 500
const header = (column: string) => raw(`substring(${column} from 1 for ${sealHeaderLength})`)

export async function hasSealedValues(db: Db, columns: readonly SealedColumn[]): Promise<boolean> {
  for (const { table, column } of columns)
    if (await db.maybe(sql`select from ${raw(table)} where ${raw(column)} is not null limit 1`)) return true
  return false
}

/** Throws a ConfigError if a stored value was encrypted with a key that is not in the ring. */
export async function assertDecryptable(db: Db, keys: Keys, columns: readonly SealedColumn[]): Promise<void> {
  for (const { table, column, purpose } of columns) {
    // Values of unknown keys sort before values of the first format, which does not name its key.
    const suspect = await db.maybe<{ sealed: Buffer }>(sql`
      select ${raw(column)} as sealed from ${raw(table)}
      where ${header(column)} <> all(${keys.headers}::bytea[]) order by ${header(column)} desc limit 1`)
    try {
      if (suspect) keys.decrypt(purpose, suspect.sealed)
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error
      throw new ConfigError(
        `the database has values that the installation key does not decrypt (${table}.${column}): set SECRET_KEY, or secret.key in DATA_DIR, to the key they were encrypted with, or add it to OLD_SECRET_KEYS`,
      )
    }
  }
}

/**
 * Encrypts all values of a column with the current key, in batches; returns their number. Skips values that already are,
 * so an interrupted run continues where it stopped, and leaves values alone that change at the same time.
 */
export async function resealColumn(db: Db, keys: Keys, target: SealedColumn): Promise<number> {
  const [table, column, id] = [raw(target.table), raw(target.column), raw(target.id)]
  let total = 0
  for (let after = { tenantId: '', id: '' }; ; ) {
    const rows = await db.rows<{ tenantId: string; id: string; sealed: Buffer }>(sql`
      select tenant_id as "tenantId", ${id} as id, ${column} as sealed from ${table}
      where (tenant_id, ${id}) > (${after.tenantId}, ${after.id}) and ${header(target.column)} <> ${keys.headers[0]}
      order by tenant_id, ${id} limit ${batchSize}`)
    if (rows.length === 0) return total
    const resealed = rows.map(row => keys.encrypt(target.purpose, keys.decrypt(target.purpose, row.sealed)))
    total += await transact(db, tx =>
      tx.run(sql`
        update ${table} t set ${column} = v.resealed
        from unnest(${rows.map(row => row.tenantId)}::text[], ${rows.map(row => row.id)}::text[],
          ${rows.map(row => row.sealed)}::bytea[], ${resealed}::bytea[]) as v(tenant_id, id, sealed, resealed)
        where t.tenant_id = v.tenant_id and t.${id} = v.id and t.${column} = v.sealed`),
    )
    after = rows.at(-1)!
  }
}
