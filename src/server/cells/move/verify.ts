/**
 * Compares the copied tables of both cells by ranges of keys: number and hash of the rows. Rows that differ were written
 * in between, or are repaired, by applying them again. A row is written later only through a captured change, which is
 * compared when it is applied, so that nothing has to be compared in the pause.
 */

import { hashOf, keyText, type MovedTable } from './catalog.ts'
import { requeue } from './changes.ts'
import { isCopied } from './copy.ts'
import { isAfter, type Key, orderOf, toText } from './rows.ts'
import { quote, type Session } from './session.ts'
import type { MoveSessions, Verified } from './types.ts'

const rangeSize = 5_000

export async function verifyTables(
  move: MoveSessions,
  onVerified: (verified: Verified) => void,
): Promise<void> {
  for (const table of move.tables.filter(isCopied)) onVerified(await verifyTable(move, table))
}

async function verifyTable(move: MoveSessions, table: MovedTable): Promise<Verified> {
  const verified = { table: table.name, rows: 0, different: 0 }
  for (let after: Key | undefined; ; ) {
    const range = await readRange(move.source, table, move.tenantId, after)
    const upTo = range.rows < rangeSize ? undefined : range.last!
    const bounds = { after, upTo }
    const other = await sumRange(move.target, table, move.tenantId, bounds)
    verified.rows += range.rows
    if (other.rows !== range.rows || other.hash !== range.hash)
      verified.different += await requeueDifferent(move, table, bounds)
    if (upTo === undefined) return verified
    after = upTo
  }
}

interface Bounds {
  after: Key | undefined
  upTo: Key | undefined
}

interface Sum {
  rows: number
  hash: string
}

/** The sum of the next rows, and the key of the last one. */
function readRange(on: Session, table: MovedTable, tenantId: string, after: Key | undefined) {
  return on.one<Sum & { last: Key | null }>(
    `with range as materialized (
       select ${keyText(table, 't')} as key, ${hashOf('t::text')} as hash from ${quote(table.name)} t
       where t.tenant_id = $1 ${after ? `and ${isAfter(table, 2)}` : ''} order by ${orderOf(table)} limit ${rangeSize})
     select count(*) as rows, coalesce(sum(hash), 0)::text as hash,
       (select key from range offset ${rangeSize - 1} limit 1) as last from range`,
    [tenantId, ...(after ?? [])],
  )
}

function withBounds(table: MovedTable, tenantId: string, { after, upTo }: Bounds) {
  const conditions = ['t.tenant_id = $1']
  if (after) conditions.push(isAfter(table, 2))
  if (upTo) conditions.push(isAfter(table, 2 + (after?.length ?? 0), '<='))
  return { where: conditions.join(' and '), values: [tenantId, ...(after ?? []), ...(upTo ?? [])] }
}

function sumRange(on: Session, table: MovedTable, tenantId: string, bounds: Bounds): Promise<Sum> {
  const { where, values } = withBounds(table, tenantId, bounds)
  return on.one<Sum>(
    `select count(*) as rows, coalesce(sum(${hashOf('t::text')}), 0)::text as hash
     from ${quote(table.name)} t where ${where}`,
    values,
  )
}

async function requeueDifferent(move: MoveSessions, table: MovedTable, bounds: Bounds): Promise<number> {
  const { where, values } = withBounds(table, move.tenantId, bounds)
  const list = (on: Session) =>
    on.rows<{ key: Key; hash: string }>(
      `select ${keyText(table, 't')} as key, ${hashOf('t::text')}::text as hash from ${quote(table.name)} t where ${where}`,
      values,
    )
  const [source, target] = await Promise.all([list(move.source), list(move.target)])
  const hashes = new Map(source.map(row => [toText(row.key), row]))
  const different = new Map(hashes)
  for (const row of target) {
    const text = toText(row.key)
    if (hashes.get(text)?.hash === row.hash) different.delete(text)
    else different.set(text, row)
  }
  const keys = [...different.values()].map(row => row.key)
  if (keys.length > 0) await requeue(move.source, move.tenantId, table, keys)
  return keys.length
}
