/** An installation of two cells with servers of their own, a provider, and load on one workspace. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { sandboxSecrets } from '../../src/inboxes/channels.ts'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { createKeys } from '../../src/platform/encryption/keys.ts'
import { connectSandbox } from '../../src/sandbox/control/client.ts'
import { startTcpProxy } from '../harness/tcp-proxy.ts'
import {
  eventually,
  freePort,
  fresh,
  parley,
  prepareDataDir,
  queryOnce,
  type Service,
  scratch,
  start,
} from '../system/program.ts'

const secret = 'a secret of tests, and of nothing else'
const numbers = ['4040001', '4040002', '4040003', '4040004']
export const accounts = numbers.map(account => ({ channel: 'chatapp', account }) as const)

export type CellName = 'one' | 'two'

async function startServer(root: string, name: CellName) {
  const dataDir = fresh(root, name)
  await prepareDataDir(dataDir)
  const server = await startEmbedded({ dataDir })
  await queryOnce(server.superuser, 'grant set on parameter session_replication_role to parley')
  const socket = path.join(server.connection.host as string, '.s.PGSQL.5432')
  const proxy = await startTcpProxy(() => [{ path: socket }])
  const url = `postgres://parley@127.0.0.1:${proxy.port}/parley`
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  return {
    url,
    rows: async <R extends pg.QueryResultRow>(text: string) => (await pool.query<R>(text)).rows,
    async stop() {
      await pool.end()
      proxy.close()
      await server.stop()
    },
  }
}

export interface MovedWorkspace {
  tenantId: string
  key: string
  inboxIds: string[]
  env: Record<string, string>
  control: ReturnType<typeof connectSandbox>
  cells: Record<CellName, Awaited<ReturnType<typeof startServer>>>
  url(): string
  call(method: string, at: string, body?: unknown): Promise<{ status: number; body: never }>
  /** Kills the service and starts it again. */
  restart(): Promise<void>
  /** Starts `parley workspace move`. */
  startMove(to: CellName): Promise<Service>
}

export async function startMovedWorkspace(): Promise<MovedWorkspace> {
  const root = scratch()
  const cells = { one: await startServer(root, 'one'), two: await startServer(root, 'two') }
  onTestFinished(async () => void (await Promise.all([cells.one.stop(), cells.two.stop()])))
  const dataDir = fresh(root, 'data')
  const sandboxPort = await freePort()
  const env = {
    DATABASE_CELLS: `one=${cells.one.url},two=${cells.two.url}`,
    SECRET_KEY: secret,
    DATA_DIR: dataDir,
    SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
    RATE_LIMIT: '0',
    OUTBOUND_LOOPBACK: 'on',
    LOG_LEVEL: 'info',
    SEND_RECONCILE_SECONDS: '10',
  }
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await parley([...args, '--json'], env)
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const place = ['--name', 'Moving', '--email', 'sam@example.com', '--cell', 'one']
  const { tenantId } = await json('workspace', 'create', ...place)
  const { key } = await json('key', 'create', '--tenant', tenantId, '--name', 'Robot', '--role', 'admin')
  await json(
    'workspace',
    'grant-resource',
    '--tenant',
    tenantId,
    '--channel',
    'chatapp',
    '--resource',
    '4040',
  )
  const sandbox = await start({ dataDir, env, command: ['sandbox', '--port', String(sandboxPort)] })
  await eventually(() => sandbox.output().includes('sandbox ready'), 120_000)
  let service = await start({ dataDir, env, prepared: false })
  await service.ready()
  const port = Number(new URL(service.url).port)
  const call: MovedWorkspace['call'] = async (method, at, body) => {
    const response = await fetch(`${service.url}/v1${at}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    return { status: response.status, body: (await response.json()) as never }
  }
  const connected = await call('POST', '/inboxes', {
    chatapp: { resourceIds: ['4040'], phoneNumberIds: numbers },
  })
  expect(connected.status, JSON.stringify(connected.body)).toBe(200)
  const { inboxes } = connected.body as { inboxes: { id: string }[] }
  const { controlToken } = sandboxSecrets(createKeys(secret))
  return {
    tenantId,
    key,
    inboxIds: inboxes.map(({ id }) => id),
    env,
    cells,
    call,
    control: connectSandbox({ url: env.SANDBOX_URL, token: controlToken }),
    url: () => service.url,
    async restart() {
      await service.kill()
      service = await start({ dataDir, env, port, prepared: false })
      await service.ready()
    },
    startMove: to => start({ dataDir, env, command: ['workspace', 'move', tenantId, '--to', to], port: 1 }),
  }
}

export interface Load {
  accepted: number
  /** Longest time from the first attempt of a request to its success, and when it began. */
  slowest: { ms: number; at: number }
  stop(): Promise<void>
}

/** Sends messages to each person in turn; each is repeated with the same id until it is accepted. */
export function startLoad(
  workspace: MovedWorkspace,
  { people, perSecond }: { people: readonly string[]; perSecond: number },
  sent: Map<string, string[]>,
): Load {
  let stopped = false
  const intervalMs = (1_000 * people.length) / perSecond
  const load: Load = { accepted: 0, slowest: { ms: 0, at: 0 }, stop: async () => {} }
  async function send(person: number, n: number): Promise<void> {
    const text = `${person}: ${n}`
    const content = {
      recipient: { type: 'phone', phoneNumber: people[person] },
      inboxId: workspace.inboxIds[person % workspace.inboxIds.length],
      content: { type: 'text', text: { body: text } },
      clientMessageId: `${person}-${n}`,
    }
    const at = performance.now()
    for (;;) {
      const answer = await workspace.call('POST', '/messages', content).catch(() => undefined)
      if (answer && answer.status < 300) break
      if (answer && answer.status < 500 && answer.status !== 429)
        throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      await sleep(50)
    }
    const ms = performance.now() - at
    if (ms > load.slowest.ms) load.slowest = { ms, at }
    load.accepted++
    sent.get(people[person]!)!.push(text)
  }
  async function follow(person: number): Promise<void> {
    const first = sent.get(people[person]!)!.length
    await sleep((intervalMs * person) / people.length)
    for (let n = first; !stopped; n++) {
      const at = performance.now()
      await send(person, n)
      await sleep(Math.max(0, at + intervalMs - performance.now()))
    }
  }
  for (const person of people) if (!sent.has(person)) sent.set(person, [])
  const running = Promise.all(people.map((_, person) => follow(person)))
  running.catch(() => {})
  load.stop = async () => {
    stopped = true
    await running
  }
  return load
}

/** Multiplies the rows of one conversation: earlier messages of the workspace with their timelines. */
export async function addHistory({ cells, tenantId }: MovedWorkspace, count: number): Promise<void> {
  const copied = `from messages m, generate_series(1, ${count}) as n
    where m.tenant_id = '${tenantId}' and m.id = (select min(id) from messages where tenant_id = m.tenant_id)`
  await cells.one.rows(`
    insert into messages select (json_populate_record(m, json_build_object('id', 'msg_history' || lpad(n::text, 15, '0'),
      'position', 1000000 + n, 'client_message_id', null, 'channel_message_id', null, 'status', 'delivered'))).* ${copied}`)
  await cells.one.rows(`
    insert into message_timeline (tenant_id, message_id, at, type)
    select tenant_id, id, created_at, step from messages, unnest('{accepted,sent,delivered}'::text[]) as step
    where tenant_id = '${tenantId}' and id like 'msg_history%'`)
}
