/**
 * Combines provider failures (refusals, resets, hangs), lost, duplicate, late and reordered callbacks, and kills of the
 * service. Afterwards every accepted message is at the provider once and in order, and a realtime client has received
 * every event once. Larger: CHAOS=middle or CHAOS=full npx vitest run test/chaos/exactly-once.test.ts
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sandboxSecrets } from '../../src/inboxes/channels.ts'
import { createKeys } from '../../src/platform/encryption/keys.ts'
import { connectSandbox } from '../../src/sandbox/control/client.ts'
import type { SandboxControl, SentItem } from '../../src/sandbox/control/control.ts'
import { watch } from '../harness/realtime-watcher.ts'
import { within } from '../harness/wait.ts'
import { eventually, freePort, fresh, query, type Service, scratch, start } from '../system/program.ts'

/** Conversations, outbound messages of each, inbound messages of each, kills. */
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
  timeoutMs: isLong ? 30 * 60_000 : 400_000,
}

const faults = {
  seed: 7,
  requests: [
    { answer: 'rateLimited', probability: 0.04 },
    { answer: 'acceptThenReset', probability: 0.02 },
    { answer: 'acceptThenError', probability: 0.01 },
    { answer: 'serverError', count: Math.ceil(size.conversations / 20) },
    // Each of these blocks its conversation for a while.
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

interface Installation {
  /** The current process. */
  service: Service
  inboxId: string
  token: string
  /** Set when the service exits without being killed by the test. */
  crash?: Error
}

function describeExit(service: Service, reason: string): string {
  const tail = (text: string) => text.split('\n').slice(-60).join('\n')
  return `${reason}\n--- errors\n${tail(service.errors())}\n--- output\n${tail(service.output())}`
}

/** Records an exit of the service as a crash until it is released. */
function watchForCrash(installation: Installation, service: Service): { release(): void } {
  let released = false
  void service.ended.then(({ code, signal }) => {
    if (released) return
    installation.crash = new Error(
      describeExit(service, `the service exited: code ${code}, signal ${signal}`),
    )
    process.stderr.write(`${installation.crash.message}\n`)
  })
  return {
    release: () => {
      released = true
    },
  }
}

/** Retries a request until it succeeds, also while the service restarts. */
async function callUntilSuccess(
  installation: Installation,
  method: string,
  at: string,
  content?: unknown,
): Promise<Record<string, never>> {
  for (;;) {
    if (installation.crash) throw installation.crash
    const response = await fetch(`${installation.service.url}/v1${at}`, {
      method,
      headers: { authorization: `Bearer ${installation.token}`, 'content-type': 'application/json' },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined)
    if (response && response.status < 300) return (await response.json()) as Record<string, never>
    if (response && response.status < 500 && response.status !== 429)
      throw new Error(`${method} ${at}: ${response.status} ${await response.text()}`)
    await sleep(100)
  }
}

/** Prints progress in the long variants. */
function logProgress(text: string): void {
  if (isLong) process.stderr.write(`${new Date().toISOString()} ${text}\n`)
}

interface TestSetup {
  installation: Installation
  control: SandboxControl
  restart(): Promise<void>
  /** Allows the service to exit. */
  release(): void
}

async function startInstallation(): Promise<TestSetup> {
  const root = scratch()
  const dataDir = fresh(root, 'data')
  const port = await freePort()
  const env = {
    SANDBOX_URL: `http://127.0.0.1:${port}`,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'info',
    // Longer than a restart: the provider retries its callbacks at growing intervals while the service is down.
    SEND_RECONCILE_SECONDS: String(Math.ceil(within(10))),
  }
  const sandbox = await start({ dataDir, command: ['sandbox', '--port', String(port)] })
  await eventually(() => sandbox.output().includes('sandbox ready'), 120_000)
  const installation: Installation = { service: await start({ dataDir, env }), inboxId: '', token: '' }
  let watched = watchForCrash(installation, installation.service)
  await installation.service.ready()
  const servicePort = Number(new URL(installation.service.url).port)
  const secret = readFileSync(path.join(dataDir, 'secret.key'), 'utf8').trim()
  const { controlToken } = sandboxSecrets(createKeys(secret))
  const restart = async () => {
    // A busy machine may not start it in time: retried twice. A crash fails the test.
    for (let attempt = 1; ; attempt++) {
      watched.release()
      await installation.service.kill()
      installation.service = await start({ dataDir, env, port: servicePort })
      watched = watchForCrash(installation, installation.service)
      const result = await installation.service.ready(120_000).catch(error => error as Error)
      if (typeof result === 'number') return logProgress(`restarted in ${Math.round(result)} ms`)
      if (installation.crash) throw installation.crash
      process.stderr.write(`${describeExit(installation.service, 'not ready after two minutes')}\n`)
      if (attempt === 3) throw result
    }
  }
  const { email, password } = installation.service.credentials().owner
  const login = await callUntilSuccess(installation, 'POST', '/auth/login', { email, password })
  installation.token = String(login.accessToken)
  const { inboxes } = await callUntilSuccess(installation, 'POST', '/inboxes', {
    chatapp: { resourceIds: ['4040'], phoneNumberIds: ['4040001'] },
  })
  installation.inboxId = (inboxes as unknown as { id: string }[])[0]!.id
  const control = connectSandbox({ url: env.SANDBOX_URL, token: controlToken })
  return { installation, control, restart, release: () => watched.release() }
}

/** Sends the messages of one recipient one after the other. */
async function sendAll(installation: Installation, person: number, onAccepted: () => void): Promise<void> {
  for (let n = 0; n < size.messages; n++) {
    await callUntilSuccess(installation, 'POST', '/messages', {
      recipient: { type: 'phone', phoneNumber: people[person] },
      inboxId: installation.inboxId,
      content: { type: 'text', text: { body: body(person, n) } },
      clientMessageId: `${person}-${n}`,
    })
    onAccepted()
  }
}

async function receiveAll(control: SandboxControl, person: number): Promise<void> {
  for (let n = 0; n < size.inbound; n++) {
    await control.inbound(account, {
      from: people[person]!,
      content: { type: 'text', text: { body: `in ${body(person, n)}` } },
    })
    await sleep(Math.random() * 500)
  }
}

async function runConcurrently(concurrency: number, work: (() => Promise<void>)[]): Promise<void> {
  const queue = work.values()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const task of queue) await task()
    }),
  )
}

const rows = <R extends Record<string, unknown>>({ service }: Installation, text: string) =>
  query<R>(service.dataDir, text)

function groupByRecipient(items: SentItem[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { to, payload } of items)
    groups.set(to, [...(groups.get(to) ?? []), String((payload.text as { body: string }).body)])
  return groups
}

test('accepted messages arrive once and in order, and realtime clients receive every event once', {
  timeout: size.timeoutMs,
}, async () => {
  const { installation, control, restart, release } = await startInstallation()
  const watcher = watch(() => installation.service.url, installation.token)
  await control.setFaults(faults)
  let accepted = 0
  const total = size.conversations * size.messages
  const killing = (async () => {
    for (let kill = 1; kill <= size.kills; kill++) {
      await eventually(() => accepted >= (total * kill) / (size.kills + 1), size.timeoutMs)
      logProgress(`kill ${kill} of ${size.kills}, ${accepted} of ${total} accepted`)
      await restart()
    }
  })()
  const sending = people.map((_, i) => () => sendAll(installation, i, () => accepted++))
  const receiving = people.map((_, i) => () => receiveAll(control, i))
  await Promise.all([killing, runConcurrently(50, sending), runConcurrently(20, receiving)])
  const unread = `select count(*)::int as count from messages where direction = 'out' and status <> 'read'`
  const isSettled = async () => {
    if (installation.crash) throw installation.crash
    const { count } = (await rows<{ count: number }>(installation, unread))[0]!
    logProgress(`${count} messages are not read yet`)
    if (isLong && count > 0) await sleep(5_000)
    return count === 0
  }
  await eventually(isSettled, size.timeoutMs)
  await eventually(async () => (await control.pendingCallbacks()) === 0, 60_000)
  await control.clearFaults()
  const sent = groupByRecipient(await control.sent(account))
  const expected = people.map((to, i) => [to, Array.from({ length: size.messages }, (_, n) => body(i, n))])
  expect(Object.fromEntries(sent)).toEqual(Object.fromEntries(expected))

  const received = size.conversations * size.inbound
  const inbound = `select count(*)::int as count, count(distinct content->'text'->>'body')::int as different from messages where direction = 'in'`
  await eventually(
    async () => (await rows<{ count: number }>(installation, inbound))[0]!.count === received,
    60_000,
  )
  expect(await rows(installation, inbound)).toEqual([{ count: received, different: received }])
  expect(await rows(installation, 'select count(*)::int as count from conversations')).toEqual([
    { count: size.conversations },
  ])
  expect(
    await rows(
      installation,
      'select count(*)::int as count from conversation_sessions where closed_at is null',
    ),
  ).toEqual([{ count: size.conversations }])
  const summary = await callUntilSuccess(installation, 'GET', '/users/me/unread-summary')
  // The owner sent all messages, and has read what came before the last one.
  const [unreadNow] = await rows<{ count: number; conversations: number }>(
    installation,
    `select count(*)::int as count, count(distinct m.conversation_id)::int as conversations from messages m
     where m.direction = 'in' and m.position > (
       select max(o.position) from messages o where o.conversation_id = m.conversation_id and o.direction = 'out')`,
  )
  expect(summary).toMatchObject(unreadNow!)

  await expectCompleteLog(installation, watcher, total + received)
  watcher.stop()
  release()
})

/** Expects a log without gaps with each message once, and a realtime client that received the same. */
async function expectCompleteLog(
  installation: Installation,
  watcher: ReturnType<typeof watch>,
  messages: number,
): Promise<void> {
  await eventually(
    async () =>
      (await rows<{ count: number }>(installation, 'select count(*)::int as count from outbox'))[0]!.count ===
      0,
    60_000,
  )
  const [log] = await rows<{ first: number; last: number; count: number }>(
    installation,
    'select min(seq)::int as first, max(seq)::int as last, count(*)::int as count from event_log',
  )
  expect(log).toEqual({ first: 1, last: log!.count, count: log!.count })
  const created = `select count(*)::int as count, count(distinct data->'message'->>'id')::int as different from event_log where type = 'message.created'`
  expect(await rows(installation, created)).toEqual([{ count: messages, different: messages }])
  const visible = `select seq::int as seq from event_log where type in ('message.created', 'message.updated') order by seq`
  const seqs = (await rows<{ seq: number }>(installation, visible)).map(row => row.seq)
  await eventually(() => watcher.received().length >= seqs.length, 60_000)
  expect(watcher.received()).toEqual(seqs)
}
