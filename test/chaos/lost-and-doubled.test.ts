/**
 * Everything goes wrong at once: the provider refuses, breaks off and stays silent, callbacks get lost, doubled, late
 * and out of order, and our process is killed. In the end every message that was accepted is at the provider once and
 * in order, and everybody who watched saw everything once. Larger: CHAOS=middle or CHAOS=full npx vitest run test/chaos/lost-and-doubled.test.ts
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sandboxSecrets } from '../../src/inboxes/channels.ts'
import { createKeys } from '../../src/platform/keys.ts'
import { connectSandbox } from '../../src/sandbox/control/client.ts'
import type { SandboxControl, SentItem } from '../../src/sandbox/control/control.ts'
import { watch } from '../e2e/watching.ts'
import { eventually, freePort, fresh, query, type Service, scratch, start } from '../system/program.ts'

/** Conversations, messages to each, messages from each, kills. */
const [conversations, messages, inbound, kills] = {
  full: [500, 20, 4, 5],
  middle: [100, 10, 3, 3],
}[process.env.CHAOS ?? ''] ?? [20, 5, 2, 1]
const isLong = process.env.CHAOS !== undefined
const size = {
  conversations: conversations!,
  messages: messages!,
  inbound: inbound!,
  kills: kills!,
  patienceMs: isLong ? 30 * 60_000 : 400_000,
}

const faults = {
  seed: 7,
  requests: [
    { answer: 'rateLimited', probability: 0.04 },
    { answer: 'acceptThenReset', probability: 0.02 },
    { answer: 'acceptThenError', probability: 0.01 },
    { answer: 'serverError', count: Math.ceil(size.conversations / 20) },
    // Each of these holds its conversation for a while.
    ...(isLong
      ? [
          { answer: 'acceptThenHang', count: 5 },
          { answer: 'reset', count: 10 },
        ]
      : []),
  ],
  callbacks: {
    drop: { probability: 0.1 },
    duplicate: { probability: 0.1 },
    reorder: { probability: 0.3 },
    delay: { probability: 0.1, ms: 700 },
    statuses: ['sent', 'delivered', 'read'],
    ...(isLong ? {} : { batch: 3 }),
  },
} as Parameters<SandboxControl['setFaults']>[0]

const account = { channel: 'chatapp', account: '4040001' } as const
const people = Array.from({ length: size.conversations }, (_, i) => `+1415${5_550_000 + i}`)
const body = (person: number, n: number) => `${person}: ${n}`

/** The service, whichever process it is just now. */
interface Desk {
  service: Service
  inboxId: string
  token: string
  /** Set when the service ended and it was not us who ended it. */
  gone?: Error
}

/** What somebody needs who wants to know why it is gone: how it ended and what it said last. */
function lastWords(service: Service, how: string): string {
  const tail = (text: string) => text.split('\n').slice(-60).join('\n')
  return `${how}\n--- its errors\n${tail(service.errors())}\n--- its output\n${tail(service.output())}`
}

/** From here on it may end only by our hand. */
function guard(desk: Desk, service: Service): { release(): void } {
  let ours = false
  void service.ended.then(({ code, signal }) => {
    if (ours) return
    desk.gone = new Error(lastWords(service, `the service ended by itself: code ${code}, signal ${signal}`))
    process.stderr.write(`${desk.gone.message}\n`)
  })
  return {
    release: () => {
      ours = true
    },
  }
}

/** Until the service says yes: while it is away it cannot say anything. */
async function insist(
  desk: Desk,
  method: string,
  at: string,
  content?: unknown,
): Promise<Record<string, never>> {
  for (;;) {
    if (desk.gone) throw desk.gone
    const answer = await fetch(`${desk.service.url}/v1${at}`, {
      method,
      headers: { authorization: `Bearer ${desk.token}`, 'content-type': 'application/json' },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined)
    if (answer && answer.status < 300) return (await answer.json()) as Record<string, never>
    if (answer && answer.status < 500 && answer.status !== 429)
      throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`)
    await sleep(100)
  }
}

/** In the large forms, so that whoever waits sees that it goes on. */
function say(what: string): void {
  if (isLong) process.stderr.write(`${new Date().toISOString()} ${what}\n`)
}

interface Opened {
  desk: Desk
  control: SandboxControl
  restart(): Promise<void>
  /** From here on it may end. */
  release(): void
}

async function open(): Promise<Opened> {
  const root = scratch()
  const dataDir = fresh(root, 'data')
  const port = await freePort()
  const env = { SANDBOX_URL: `http://127.0.0.1:${port}`, RATE_LIMIT: '0', LOG_LEVEL: 'info' }
  const sandbox = await start({ dataDir, command: ['sandbox', '--port', String(port)] })
  await eventually(() => sandbox.output().includes('the sandbox is ready'), 120_000)
  const desk: Desk = { service: await start({ dataDir, env }), inboxId: '', token: '' }
  let guarded = guard(desk, desk.service)
  await desk.service.ready()
  const own = Number(new URL(desk.service.url).port)
  const secret = readFileSync(path.join(dataDir, 'secret.key'), 'utf8').trim()
  const { controlToken } = sandboxSecrets(createKeys(secret))
  const restart = async () => {
    // On a machine that is too busy to start it in time, it is killed and started again; one that ends fails the test.
    for (let attempt = 1; ; attempt++) {
      guarded.release()
      await desk.service.kill()
      desk.service = await start({ dataDir, env, port: own })
      guarded = guard(desk, desk.service)
      const up = await desk.service.ready(120_000).catch(error => error as Error)
      if (typeof up === 'number') return say(`started again in ${Math.round(up)} ms`)
      if (desk.gone) throw desk.gone
      process.stderr.write(`${lastWords(desk.service, 'not ready after two minutes')}\n`)
      if (attempt === 3) throw up
    }
  }
  const { email, password } = desk.service.credentials().owner
  const login = await insist(desk, 'POST', '/auth/login', { email, password })
  desk.token = String(login.accessToken)
  const made = await insist(desk, 'POST', '/inboxes', {
    chatapp: { resourceIds: ['4040'], phoneNumberIds: ['4040001'] },
  })
  desk.inboxId = (made.inboxes as unknown as { id: string }[])[0]!.id
  const control = connectSandbox({ url: env.SANDBOX_URL, token: controlToken })
  return { desk, control, restart, release: () => guarded.release() }
}

/** One after the other to each person, as somebody would who wants them in order. */
async function writeTo(desk: Desk, person: number, accepted: () => void): Promise<void> {
  for (let n = 0; n < size.messages; n++) {
    await insist(desk, 'POST', '/messages', {
      recipient: { type: 'phone', phoneNumber: people[person] },
      inboxId: desk.inboxId,
      content: { type: 'text', text: { body: body(person, n) } },
      clientMessageId: `${person}-${n}`,
    })
    accepted()
  }
}

async function hearFrom(control: SandboxControl, person: number): Promise<void> {
  for (let n = 0; n < size.inbound; n++) {
    await control.inbound(account, {
      from: people[person]!,
      content: { type: 'text', text: { body: `in ${body(person, n)}` } },
    })
    await sleep(Math.random() * 500)
  }
}

async function atMost(count: number, work: (() => Promise<void>)[]): Promise<void> {
  const left = [...work]
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (let next = left.shift(); next; next = left.shift()) await next()
    }),
  )
}

const rows = <R extends Record<string, unknown>>(desk: Desk, text: string) =>
  query<R>(desk.service.dataDir, text)

function byPerson(items: SentItem[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { to, payload } of items)
    found.set(to, [...(found.get(to) ?? []), String((payload.text as { body: string }).body)])
  return found
}

test('everything that was accepted arrives once and in order, and everybody sees it', {
  timeout: size.patienceMs,
}, async () => {
  const { desk, control, restart, release } = await open()
  const watcher = watch(() => desk.service.url, desk.token)
  await control.setFaults(faults)
  let accepted = 0
  const total = size.conversations * size.messages
  const killing = (async () => {
    for (let kill = 1; kill <= size.kills; kill++) {
      await eventually(() => accepted >= (total * kill) / (size.kills + 1), size.patienceMs)
      say(`kill ${kill} of ${size.kills}, ${accepted} of ${total} accepted`)
      await restart()
    }
  })()
  const writing = people.map((_, i) => () => writeTo(desk, i, () => accepted++))
  await Promise.all([
    killing,
    atMost(50, writing),
    atMost(
      20,
      people.map((_, i) => () => hearFrom(control, i)),
    ),
  ])
  const unsettled = `select count(*)::int as count from messages where direction = 'out' and status <> 'read'`
  const settled = async () => {
    if (desk.gone) throw desk.gone
    const left = (await rows<{ count: number }>(desk, unsettled))[0]!.count
    say(`${left} messages are not read yet`)
    if (isLong && left > 0) await sleep(5_000)
    return left === 0
  }
  await eventually(settled, size.patienceMs)
  await eventually(async () => (await control.pendingCallbacks()) === 0, 60_000)
  await control.clearFaults()
  const told = byPerson(await control.sent(account))
  const wanted = people.map((to, i) => [to, Array.from({ length: size.messages }, (_, n) => body(i, n))])
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(wanted))

  const heard = size.conversations * size.inbound
  const inbound = `select count(*)::int as count, count(distinct content->'text'->>'body')::int as different from messages where direction = 'in'`
  await eventually(async () => (await rows<{ count: number }>(desk, inbound))[0]!.count === heard, 60_000)
  expect(await rows(desk, inbound)).toEqual([{ count: heard, different: heard }])
  expect(await rows(desk, 'select count(*)::int as count from conversations')).toEqual([
    { count: size.conversations },
  ])
  expect(
    await rows(desk, 'select count(*)::int as count from conversation_sessions where closed_at is null'),
  ).toEqual([{ count: size.conversations }])
  const unread = await insist(desk, 'GET', '/users/me/unread-summary')
  expect(unread).toMatchObject({ count: heard, conversations: size.conversations })

  await everybodySaw(desk, watcher, total + heard)
  watcher.stop()
  release()
})

/** The log is without gaps and has each message once; a socket that came and went heard the same. */
async function everybodySaw(desk: Desk, watcher: ReturnType<typeof watch>, messages: number): Promise<void> {
  await eventually(
    async () =>
      (await rows<{ count: number }>(desk, 'select count(*)::int as count from outbox'))[0]!.count === 0,
    60_000,
  )
  const [log] = await rows<{ first: number; last: number; count: number }>(
    desk,
    'select min(seq)::int as first, max(seq)::int as last, count(*)::int as count from event_log',
  )
  expect(log).toEqual({ first: 1, last: log!.count, count: log!.count })
  const created = `select count(*)::int as count, count(distinct data->'message'->>'id')::int as different from event_log where type = 'message.created'`
  expect(await rows(desk, created)).toEqual([{ count: messages, different: messages }])
  const shown = `select seq::int as seq from event_log where type in ('message.created', 'message.updated') order by seq`
  const seqs = (await rows<{ seq: number }>(desk, shown)).map(row => row.seq)
  await eventually(() => watcher.heard().length >= seqs.length, 60_000)
  expect(watcher.heard()).toEqual(seqs)
}
