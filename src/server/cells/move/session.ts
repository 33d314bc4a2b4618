/** A connection of a move. Its statements fire no triggers and check no foreign keys: rows arrive as they were. */
import pg from 'pg'
import { type ConnectionConfig, connectionConfig } from '../../../platform/db/db.ts'

export interface Session {
  rows<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  one<R>(text: string, values?: readonly unknown[]): Promise<R>
  /** Returns the number of rows. */
  run(text: string, values?: readonly unknown[]): Promise<number>
  transact<T>(work: () => Promise<T>): Promise<T>
  end(): Promise<void>
}

export class MoveRefused extends Error {}

/** Text of values must be the same in both cells. Rows are found by their keys, whatever the statistics say. */
const settings = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set jit = off; set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off; set application_name = 'parley workspace move'`

export async function openSession(connection: ConnectionConfig): Promise<Session> {
  const client = new pg.Client(connectionConfig(connection))
  client.on('error', () => {}) // the statement in flight, or the next one, fails with it
  await client.connect()
  try {
    await client.query(settings)
    await replicate(client)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  const query = (text: string, values: readonly unknown[] = []) => client.query(text, [...values])
  const rows = async <R>(text: string, values?: readonly unknown[]) => (await query(text, values)).rows as R[]
  return {
    rows,
    one: async <R>(text: string, values?: readonly unknown[]) => {
      const [row] = await rows<R>(text, values)
      if (row === undefined) throw new Error(`expected a row, got none: ${text.slice(0, 80)}`)
      return row
    },
    run: async (text, values) => (await query(text, values)).rowCount ?? 0,
    transact: async work => {
      await client.query('begin')
      try {
        const result = await work()
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      }
    },
    end: () => client.end().catch(() => {}),
  }
}

/** The server ends the session of a process that stalls for this long, so that it keeps no lock; 0 for never. */
export async function limitStalls(session: Session, ms: number): Promise<void> {
  await session.run(`set idle_session_timeout = ${ms}`)
  await session.run(`set idle_in_transaction_session_timeout = ${ms}`)
}

async function replicate(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica').catch((error: { code?: string }) => {
    if (error.code !== '42501') throw error
    throw new MoveRefused(
      'the role of the URL must be allowed to move rows: run `grant set on parameter session_replication_role to …` as superuser in the databases of both cells',
    )
  })
}

/** The name in double quotes. Tables and columns are named by migrations. */
export const quote = (name: string): string => `"${name}"`

/** Session locks of a move: `driver` belongs to the one process that works on it, `fence` to one that pauses it. */
export const lockKey = (kind: 'driver' | 'fence', tenantId: string): string =>
  `hashtextextended('move ${kind} ${tenantId}', 0)`

export function assertTenantId(tenantId: string): void {
  if (!/^tn_[0-9a-z]{26}$/.test(tenantId)) throw new MoveRefused(`${tenantId} is not the id of a workspace`)
}
