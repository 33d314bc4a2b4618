/**
 * Measures p50 and p99 of each hot operation while its table grows from 10,000 to 1,000,000 rows in one workspace. A
 * table and curves are written to bench/accepted/growth.md and growth.svg. Other sizes are arguments:
 * `npx tsx bench/growth.ts 10000 100000 1000000 10000000` goes up to ten million and needs hours and tens of GB.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Pool } from 'undici'
import { routes } from '../src/app.ts'
import { createAuthenticator } from '../src/identity/auth/authenticate.ts'
import { createAuthSession } from '../src/identity/auth/sessions.ts'
import { sql } from '../src/platform/db/sql.ts'
import { transact } from '../src/platform/db/transact.ts'
import { buildServer } from '../src/platform/http/server.ts'
import { claimLanes } from '../src/platform/jobs/store/claim.ts'
import { type Curve, toCurves, toTable } from './growth/curve.ts'
import { campaignId, grow, rareTag, waitingJob } from './growth/fill.ts'
import { openAccounts, toConversationId } from './messages/accounts.ts'
import { benchDeps, report } from './support/environment.ts'
import { percentile } from './support/statistics.ts'

const given = process.argv.slice(2).map(Number)
const sizes = given.length > 0 ? given : [10_000, 100_000, 1_000_000]
const rounds = 400
const { deps, filling, close } = await benchDeps()
const app = await buildServer({
  deps,
  routes,
  authenticate: createAuthenticator(deps),
  pageKey: deps.keys.current('page-tokens'),
})
await app.listen({ port: 0, host: '127.0.0.1' })
const pool = new Pool(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, { connections: 1 })
const accounts = await openAccounts(deps)
let { token } = accounts

async function call(method: 'GET' | 'POST', at: string, body?: object): Promise<void> {
  const answer = await pool.request({
    method,
    path: `/v1${at}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const responseText = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${at}: ${answer.statusCode} ${responseText}`)
}

const within = (from: number, to: number) => from + Math.floor(Math.random() * (to - from))
const content = { type: 'text', text: { body: 'A message of ordinary length' } }

/** The working set does not grow with the history: each of these is read once before the measurement. */
const inUse = 100
let used: number[] = []
const conversationAt = (n: number): string => toConversationId(used[n % inUse]!)
/** The hundred messages of a conversation are within the newest hundredth of all messages. */
const talkative = ({ size, before }: Growth) => within(before, before + (size - before) / 100)

interface Growth {
  size: number
  before: number
}

const operations: Record<string, (growth: Growth, n: number) => Promise<unknown>> = {
  'GET /users/me': () => call('GET', '/users/me'),
  'GET /contacts': () => call('GET', '/contacts'),
  'POST /contacts/search, a rare tag': ({ size }) =>
    call('POST', '/contacts/search', {
      filter: { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [rareTag(size)] }] },
    }),
  'GET /conversations': () => call('GET', '/conversations'),
  'GET /conversations/{id}/messages': (_, n) => call('GET', `/conversations/${conversationAt(n)}/messages`),
  'POST /conversations/{id}/messages': (_, n) =>
    call('POST', `/conversations/${conversationAt(n)}/messages`, { content }),
  'GET messages, any conversation': growth =>
    call('GET', `/conversations/${toConversationId(talkative(growth))}/messages`),
  'POST a message, any conversation': ({ size }) =>
    call('POST', `/conversations/${toConversationId(within(0, size))}/messages`, { content }),
  'claim of a job': () =>
    claimLanes(deps.db, [{ name: waitingJob, leaseMs: 60_000, afterTenant: '', readySinceMs: 0 }], 1),
  'GET /webhooks/attempts': () => call('GET', '/webhooks/attempts'),
  'GET /campaigns/{id}/recipients': () => call('GET', `/campaigns/${campaignId}/recipients`),
}

async function timed(once: (n: number) => Promise<unknown>): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  for (let n = 0; n < inUse + rounds; n++) {
    const startedAt = performance.now()
    await once(n)
    if (n >= inUse) times.push(performance.now() - startedAt)
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

const curves: Curve[] = Object.keys(operations).map(name => ({ name, points: [] }))
const results = path.join(import.meta.dirname, 'accepted')
const title = 'Each operation as its table grows'

const bytes: string[] = []
const asGb = (count: number) => `${(count / 1e9).toFixed(1)} GB`

/** Rows that were not read recently come from the disk once the data exceeds memory. */
const aboutMemory = () =>
  `The database took ${bytes.join(', ')}; the machine has ${asGb(os.totalmem())} of memory. Conversations are ${inUse} ` +
  'that are in use, the working set of a help desk; "any conversation" may not have been read since it was written.'

async function note(size: number): Promise<void> {
  const { held } = await deps.db.one<{ held: number }>(
    sql`select pg_database_size(current_database())::float8 as held`,
  )
  bytes.push(`${asGb(held)} at ${size.toLocaleString('en')}`)
}

/** Writes the results after each size, because the largest takes long. */
function write(): void {
  mkdirSync(results, { recursive: true })
  writeFileSync(path.join(results, 'growth.svg'), toCurves(title, curves))
  writeFileSync(
    path.join(results, 'growth.md'),
    `# ${title}\n\n${toTable(curves)}\n\n${aboutMemory()}\n\n![curves](growth.svg)\n`,
  )
}

try {
  for (const [n, size] of sizes.entries()) {
    const before = sizes[n - 1] ?? 0
    const startedAt = performance.now()
    await grow(deps, filling, accounts, { from: before, to: size })
    process.stderr.write(
      `${size} rows inserted after ${Math.round((performance.now() - startedAt) / 1_000)} s\n`,
    )
    // Filling took longer than a session lasts.
    const { tenantId, ownerId: userId } = accounts
    token = (await transact(deps.db, tx => createAuthSession(deps, tx, { tenantId, userId }))).accessToken
    await note(size)
    const growth = { size, before }
    used = Array.from({ length: inUse }, () => talkative(growth))
    for (const { name, points } of curves)
      points.push({ size, ...(await timed(n => operations[name]!(growth, n))) })
    write()
  }
} finally {
  await pool.close()
  await app.close()
  await close()
}

for (const { name, points } of curves) {
  const [small, large] = [points[0]!, points.at(-1)!]
  report({
    name: `growth: ${name}, p50 at ${large.size} rows against ${small.size}`,
    unit: 'ms',
    value: large.p50,
    limit: small.p50,
    ratio: large.p50 / small.p50,
    wanted: name.endsWith('any conversation') ? '' : '<= 2',
  })
}
