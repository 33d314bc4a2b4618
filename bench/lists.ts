/**
 * Reads conversations, messages and unread counts in a large workspace, compared with the same calls in a small one and
 * with plain connections that read the same rows. BENCH_CONVERSATIONS sets the size of the large workspace (100,000 with
 * ten messages each; the small one has 10,000).
 */
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { routes } from '../src/app.ts'
import { createAuthenticator } from '../src/identity/auth/authenticate.ts'
import { sql } from '../src/platform/db/sql.ts'
import { buildServer } from '../src/platform/http/server.ts'
import { type Accounts, addPeople, openAccounts, toConversationId } from './messages/accounts.ts'
import { run } from './messages/run.ts'
import { benchDeps, report } from './support/environment.ts'
import { median } from './support/statistics.ts'

const large = Number(process.env.BENCH_CONVERSATIONS ?? 100_000)
const small = Math.min(10_000, large)
const perStep = 20_000
const rounds = 400

const { deps, connection, close } = await benchDeps()
const app = await buildServer({
  deps,
  routes,
  authenticate: createAuthenticator(deps),
  pageKey: deps.keys.current('page-tokens'),
})
await app.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const pool = new Pool(url, { connections: 4 })

async function createAccounts(account: string, people: number): Promise<Accounts> {
  const accounts = await openAccounts(deps, account)
  for (let from = 0; from < people; from += perStep)
    await addPeople(deps, accounts, { from, to: Math.min(people, from + perStep), messages: 10 })
  return accounts
}

type Kind = 'conversations' | 'messages' | 'unread'
const paths: Record<Kind, (people: number) => string> = {
  conversations: () => '/v1/conversations?pageSize=50',
  messages: people => `/v1/conversations/${toConversationId(Math.floor(Math.random() * people))}/messages`,
  unread: () => '/v1/users/me/unread-summary',
}

async function milliseconds({ token }: Accounts, people: number, kind: Kind): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < rounds; i++) {
    const path = paths[kind](people)
    const startedAt = performance.now()
    const answer = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`the answer was ${answer.statusCode}`)
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

const little = await createAccounts('5550001', small)
const big = await createAccounts('5550002', large)
await deps.db.run(sql`analyze`)
for (const kind of ['conversations', 'messages', 'unread'] as const) {
  await milliseconds(big, large, kind)
  const limit = await milliseconds(little, small, kind)
  const value = await milliseconds(big, large, kind)
  report({
    name: `lists.${kind}_of_${large}`,
    unit: 'ms',
    value,
    limit,
    ratio: value / limit,
    wanted: '<= 2',
  })
}
for (const kind of ['conversations', 'messages'] as const) {
  const read = (mode: string, at: string, who: string) =>
    run<{ rate: number }>('reader.ts', [mode, at, who, large, 4, kind])
  await read('http', url, big.token)
  const { rate: limit } = await read('bare', JSON.stringify(connection), big.tenantId)
  const { rate: value } = await read('http', url, big.token)
  const name = `lists.${kind}_of_${large}, beside plain reads`
  report({ name, unit: '1/s', value, limit, ratio: value / limit, wanted: '>= 0.5' })
}
await pool.close()
await app.close()
await close()
