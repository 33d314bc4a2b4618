/**
 * Measures what keeping the indexes and counters of a help desk adds to accepting replies over HTTP: rate and CPU time of the
 * service and PostgreSQL for each message, with all of them and in a copy of the database without, in alternating rounds with
 * the same statements. The additional time of the statement alone, on one connection, is steady also on a busy machine. The search is written in the background and not part of accepting. BENCH_CONVERSATIONS sets the size
 * (100,000; FULL=1: 1,000,000), BENCH_ROUNDS the pairs of rounds, and BENCH_ONLY=owner,team removes these structures alone.
 */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { routes } from '../src/app.ts'
import { createAuthenticator } from '../src/identity/auth/authenticate.ts'
import { systemClock } from '../src/platform/clock.ts'
import { type ConnectionConfig, connectDb, connectionConfig } from '../src/platform/db/db.ts'
import { toStatement } from '../src/platform/db/sql.ts'
import type { Deps } from '../src/platform/deps.ts'
import { buildServer } from '../src/platform/http/server.ts'
import { type Desk, fillDesk, removeHelpDesk, structures, toAssignment } from './help-desk/desk.ts'
import { accepting, toReply } from './messages/accept.ts'
import { openAccounts } from './messages/accounts.ts'
import { run } from './messages/run.ts'
import { type BenchServer, connectDeps, report, startBenchServer } from './support/environment.ts'
import { median } from './support/statistics.ts'
import { cpuMs } from './workflows/cpu.ts'

const conversations = Number(
  process.env.BENCH_CONVERSATIONS ?? (process.env.FULL === '1' ? 1_000_000 : 100_000),
)
const rounds = Number(process.env.BENCH_ROUNDS ?? 8)
const removed = process.env.BENCH_ONLY?.split(',') ?? structures
const secondsPerRound = 4
const connections = 64
/** Concurrent replies share a statement. */
const messagesPerStatement = 16
const leanDatabase = 'parley_without_help_desk'

const server = await startBenchServer()
const desk = await fill(server)
const withoutHelpDesk = await copyWithout(server)
const [kept, lean] = [await serve(server.connection), await serve(withoutHelpDesk)]

async function fill(to: BenchServer): Promise<Desk> {
  const deps = await connectDeps(to, to.connection)
  const startedAt = performance.now()
  const filled = { accounts: await openAccounts(deps), conversations, messages: 5 }
  await fillDesk(deps, to.filling, filled)
  process.stderr.write(`filled in ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
  await deps.close()
  return filled
}

/** Copies the database, which nobody may be connected to, and removes the structures from the copy. */
async function copyWithout({ connection, filling }: BenchServer): Promise<ConnectionConfig> {
  const { database, user } = new pg.Client(connection)
  const admin = new pg.Client(toDatabase(filling, 'postgres'))
  await admin.connect()
  await admin.query(`create database ${leanDatabase} template "${database}" owner "${user}"`)
  await admin.end()
  const db = connectDb({
    connection: toDatabase(filling, leanDatabase),
    clock: systemClock,
    readers: 1,
    writers: 1,
  })
  await removeHelpDesk(db, removed)
  await db.close()
  return toDatabase(connection, leanDatabase)
}

function toDatabase(connection: ConnectionConfig, database: string): ConnectionConfig {
  if (!connection.connectionString) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = database
  return { ...connection, connectionString: url.href }
}

interface Served {
  deps: Deps
  url: string
  close(): Promise<void>
}

async function serve(connection: ConnectionConfig): Promise<Served> {
  const deps = await connectDeps(server, connection)
  const authenticate = createAuthenticator(deps)
  const app = await buildServer({ deps, routes, authenticate, pageKey: deps.keys.current('page-tokens') })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const close = async () => {
    await app.close()
    await deps.close()
  }
  return { deps, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, close }
}

interface Round {
  rate: number
  /** CPU time for each message, in ms. */
  cpu: number
}

async function measure({ deps, url }: Served, seconds: number): Promise<Round> {
  const { token, inboxId } = desk.accounts
  const before = await cpuMs(deps.db)
  const args = [url, token, inboxId, conversations, seconds, connections, 'reply', '']
  const { rate } = await run<{ rate: number }>('load.ts', args)
  return { rate, cpu: ((await cpuMs(deps.db)) - before) / (rate * seconds) }
}

interface StatementClient {
  /** Returns the CPU time of the server process for each message, in ms. */
  send(batches: number): Promise<number>
  close(): Promise<void>
}

async function openStatement(connection: ConnectionConfig): Promise<StatementClient> {
  const client = new pg.Client(connectionConfig(connection))
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const cpu = () => Number(readFileSync(`/proc/${rows[0]!.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  const send = async (batches: number) => {
    const before = cpu()
    for (let n = 0; n < batches; n++) {
      const chosen = new Set<number>()
      while (chosen.size < messagesPerStatement) chosen.add(Math.floor(Math.random() * conversations))
      const batch = [...chosen].map(i => toReply(desk.accounts, i, toAssignment(i)))
      const { rowCount } = await client.query(toStatement(accepting(batch)))
      if (rowCount !== batch.length) throw new Error('a message was not accepted')
    }
    return (cpu() - before) / (batches * messagesPerStatement)
  }
  return { send, close: () => client.end() }
}

async function measureStatement(): Promise<{ kept: number; lean: number }> {
  const [ofKept, ofLean] = [await openStatement(server.connection), await openStatement(withoutHelpDesk)]
  const pairs: { kept: number; lean: number }[] = []
  for (let n = 0; n < 40; n++) {
    const first = n % 2 === 0 ? await ofKept.send(50) : undefined
    const without = await ofLean.send(50)
    pairs.push({ kept: first ?? (await ofKept.send(50)), lean: without })
  }
  await Promise.all([ofKept.close(), ofLean.close()])
  const warm = pairs.slice(4)
  return { kept: median(warm.map(pair => pair.kept)), lean: median(warm.map(pair => pair.lean)) }
}

const statement = await measureStatement()
report({
  name: 'help_desk_cost.statement_cpu',
  unit: 'ms/message',
  value: statement.kept,
  limit: statement.lean,
  ratio: statement.lean / statement.kept,
  wanted: '',
})
await measure(kept, 2)
await measure(lean, 2)
const pairs: { kept: Round; lean: Round }[] = []
for (let n = 0; n < rounds; n++) {
  // Each goes first as often as the other.
  const first = n % 2 === 0 ? await measure(kept, secondsPerRound) : undefined
  const without = await measure(lean, secondsPerRound)
  pairs.push({ kept: first ?? (await measure(kept, secondsPerRound)), lean: without })
  const { kept: k, lean: l } = pairs.at(-1)!
  process.stderr.write(
    `${k.rate.toFixed(0)} and ${l.rate.toFixed(0)} messages/s, ${k.cpu.toFixed(3)} and ${l.cpu.toFixed(3)} ms of CPU\n`,
  )
}

const medianOf = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value))
report({
  name: 'help_desk_cost.accept_rate',
  unit: 'messages/s',
  value: medianOf(pair => pair.kept.rate),
  limit: medianOf(pair => pair.lean.rate),
  ratio: medianOf(pair => pair.kept.rate / pair.lean.rate),
  wanted: '>= 0.95',
})
report({
  name: 'help_desk_cost.accept_cpu',
  unit: 'ms/message',
  value: medianOf(pair => pair.kept.cpu),
  limit: medianOf(pair => pair.lean.cpu),
  ratio: medianOf(pair => pair.lean.cpu / pair.kept.cpu),
  wanted: '>= 0.95',
})
const withoutMs = medianOf(pair => pair.lean.cpu)
const withMs = withoutMs + statement.kept - statement.lean
report({
  name: 'help_desk_cost.accept_cpu_of_statement',
  unit: 'ms/message',
  value: withMs,
  limit: withoutMs,
  ratio: withoutMs / withMs,
  wanted: '>= 0.95',
})
await kept.close()
await lean.close()
await server.stop()
