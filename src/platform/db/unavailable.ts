/** Recognises a database that cannot do work now, as opposed to one that refuses a statement. */
import type pg from 'pg'

const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const lostMessages =
  /Connection terminated|not queryable|Client was closed|timeout exceeded when trying to connect|connection timeout|^timeout expired$/i

const readOnlyCode = '25006'
// 08: connection exception; 57P01-57P05: shutdown, crash, starting up; 53300: too many connections;
// 3D000: database not found, as during a restore; 55000: the database accepts no connections; 28: the server does not
// accept the role at the moment
const refusals = /^(08|57P0|53300|3D000|55000|28|25006)/

/** Whether the database is unreachable, read-only or refuses connections: the request fails with 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: string }).code
  if (code === undefined) return lostMessages.test(error.message)
  return lostCodes.has(code) || refusals.test(code)
}

/** Whether the server is a standby or a former primary. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: string })?.code === readOnlyCode
}

class ReadOnlyServer extends Error {
  readonly code = readOnlyCode
  constructor() {
    super('the database is read-only: a standby, or a primary after a failover')
  }
}

/** Rejects a new connection to a read-only server, whose rows may be old. */
export async function assertWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyServer()
}
