/** Benchmarks sending with the whole program and its embedded sandbox. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { report } from '../support/environment.ts'
import { percentile } from '../support/statistics.ts'

interface Program {
  child: ChildProcess
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  importPeople(from: number, count: number, tag: string): Promise<void>
  memory(): number
}

const phoneOf = (n: number) => `+1415${2_000_000 + n}`
const text = (body: string) => ({ type: 'text', text: { body } })

async function startProgram(dataDir: string): Promise<Program> {
  const port = 18_000 + Math.floor(Math.random() * 2_000)
  const bin = path.resolve(import.meta.dirname, '../../bin/parley.js')
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error', RATE_LIMIT: '0' }
  const child = spawn(process.execPath, [bin, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    if (ready?.status === 200) break
    await sleep(100)
  }
  const { apiKey } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'))
  const authorization = `Bearer ${apiKey}`
  const call: Program['call'] = async (method, at, body) => {
    const answer = await fetch(`${url}/v1${at}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const responseText = await answer.text()
    if (answer.status >= 300) throw new Error(`${method} ${at}: ${answer.status} ${responseText}`)
    return responseText ? JSON.parse(responseText) : undefined
  }
  return {
    child,
    call,
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024,
    importPeople: async (from, count, tag) => {
      const lines = Array.from({ length: count }, (_, i) => `Person ${from + i},${phoneOf(from + i)},${tag}`)
      const form = new FormData()
      form.set(
        'file',
        new Blob([['name,phone,tags', ...lines].join('\n')], { type: 'text/csv' }),
        'people.csv',
      )
      const made = await fetch(`${url}/v1/contacts/import`, {
        method: 'POST',
        headers: { authorization },
        body: form,
      })
      const { importId } = (await made.json()) as { importId: string }
      while ((await call<{ status: string }>('GET', `/contacts/imports/${importId}`)).status !== 'completed')
        await sleep(100)
    },
  }
}

async function sentSince({ call }: Program, inboxId: string, count: number, before: number): Promise<number> {
  for (;;) {
    const { items } = await call<{ items: { receivedAt: string }[] }>(
      'GET',
      `/sandbox/sent?inboxId=${inboxId}`,
    )
    if (items.length >= before + count) return Date.parse(items.at(-1)!.receivedAt)
    await sleep(1_000)
  }
}

/** Sends single messages to existing contacts with the concurrency of a busy integration. */
async function plain(program: Program, inboxId: string, count: number): Promise<number> {
  const startedAt = Date.now()
  let next = 0
  const one = async () => {
    while (next < count) {
      const recipient = { type: 'phone', phoneNumber: phoneOf(next++) }
      await program.call('POST', '/messages', { recipient, inboxId, content: text('Hello') })
    }
  }
  await Promise.all(Array.from({ length: 32 }, one))
  return count / (((await sentSince(program, inboxId, count, 0)) - startedAt) / 1_000)
}

async function campaignTo(program: Program, inboxId: string, tag: string): Promise<string> {
  const { tags } = await program.call<{ tags: { id: string; name: string }[] }>('GET', '/tags')
  const tagIds = [tags.find(one => one.name === tag)!.id]
  const filter = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds }] }
  const segment = await program.call<{ id: string }>('POST', '/segments', { name: tag, filter })
  const { id } = await program.call<{ id: string }>('POST', '/campaigns', { name: tag })
  const content = text('Hello {{contact.name}}')
  await program.call('PATCH', `/campaigns/${id}`, { segmentId: segment.id, inboxId, content })
  return id
}

/** Sends replies one after the other, each timed from the request to its arrival at the provider. */
async function answersUntil(
  program: Program,
  inboxId: string,
  word: string,
  isOver: () => boolean,
): Promise<number[]> {
  const asked: { to: string; body: string; at: number }[] = []
  for (let n = 0; !isOver(); n++) {
    const to = phoneOf(n % 100)
    const body = `${word} ${n}`
    asked.push({ to, body, at: Date.now() })
    await program.call('POST', '/messages', {
      recipient: { type: 'phone', phoneNumber: to },
      inboxId,
      content: text(body),
    })
    await sleep(20)
  }
  await sleep(2_000)
  type Sent = { items: { payload: { text?: { body: string } }; receivedAt: string }[] }
  const { items } = await program.call<Sent>('GET', `/sandbox/sent?inboxId=${inboxId}`)
  const received = new Map(items.map(one => [one.payload.text?.body, Date.parse(one.receivedAt)]))
  return asked.map(({ body, at }) => (received.get(body) ?? Number.POSITIVE_INFINITY) - at)
}

/** Duration of the measurement; then the campaign is cancelled. */
const watchedMs = 60_000

/** `crowd` is the audience of the campaign that runs during the replies. */
export async function sendingBench(count: number, crowd: number): Promise<void> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'))
  const program = await startProgram(dataDir)
  try {
    await program.importPeople(0, count, 'plain')
    await program.importPeople(count, count, 'bulk')
    await program.importPeople(2 * count, crowd, 'again')
    const { inboxes } = await program.call<{ inboxes: { id: string; channel: string }[] }>('GET', '/inboxes')
    const inboxId = inboxes.find(one => one.channel === 'chatapp')!.id
    const limit = await plain(program, inboxId, count)
    await settled()
    const bulk = await campaignTo(program, inboxId, 'bulk')
    const startedAt = Date.now()
    await program.call('POST', `/campaigns/${bulk}/schedule`, { sendAt: 'now' })
    const value = count / (((await sentSince(program, inboxId, count, count)) - startedAt) / 1_000)
    report({
      name: 'campaign dispatch',
      unit: 'recipients/s',
      value,
      limit,
      ratio: value / limit,
      wanted: '≥ 0.5, or 800/s',
    })
    await untilSent(program, bulk)
    const before = program.memory()
    await settled()
    const end = performance.now() + 5_000
    const alone = await answersUntil(program, inboxId, 'Alone', () => performance.now() > end)
    const again = await campaignTo(program, inboxId, 'again')
    await program.call('POST', `/campaigns/${again}/schedule`, { sendAt: 'now' })
    let over = false
    const stop = performance.now() + watchedMs
    const done = untilSent(program, again).finally(() => {
      over = true
    })
    const times = await answersUntil(program, inboxId, 'Answer', () => over || performance.now() > stop)
    if (!over) await program.call('POST', `/campaigns/${again}/cancel`, {})
    await done
    const p99 = percentile(times, 0.99)
    report({
      name: `answers during a campaign for ${crowd}, p99`,
      unit: 'ms',
      value: p99,
      limit: 200,
      ratio: p99 / 200,
      wanted: '≤ 1',
    })
    const quiet = percentile(alone, 0.99)
    report({
      name: 'the same as a multiple of without one',
      unit: 'ms',
      value: p99,
      limit: quiet,
      ratio: p99 / quiet,
      wanted: 'small',
    })
    const after = program.memory()
    report({
      name: 'memory after another campaign',
      unit: 'MiB',
      value: after,
      limit: before,
      ratio: after / before,
      wanted: '≈ 1',
    })
  } finally {
    program.child.kill('SIGTERM')
    await new Promise(resolve => program.child.once('close', resolve))
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function untilSent({ call }: Program, id: string): Promise<void> {
  const status = async () => (await call<{ status: string }>('GET', `/campaigns/${id}`)).status
  while (!['sent', 'cancelled'].includes(await status())) await sleep(200)
}

/** Waits until earlier messages no longer cause load. */
async function settled(): Promise<void> {
  await sleep(3_000)
}
