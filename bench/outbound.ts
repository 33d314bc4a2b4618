/**
 * Benchmarks the ways to the provider with the whole program and the sandbox in a process of its own: replies into known
 * conversations, first messages to new people and a campaign, each until the provider has all of them, and a plain loop
 * that posts to the same sandbox. Reports rates, and the CPU time of the service and its database per message until the
 * statuses of the provider are stored. BENCH_SENDS sets the number of messages of each kind (5,000).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { systemClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { connectDb } from '../src/platform/db/db.ts'
import { sql } from '../src/platform/db/sql.ts'
import type { Deps } from '../src/platform/deps.ts'
import { createLog } from '../src/platform/log.ts'
import { sandboxUrls } from '../src/sandbox/sandbox.ts'
import { connectToRunningDatabase } from '../src/server/database/database.ts'
import { addPeople, toConversationId } from './messages/accounts.ts'
import { treeCpuMs } from './outbound/cpu.ts'
import { startProgram } from './outbound/program.ts'
import { report } from './support/environment.ts'

const sends = Number(process.env.BENCH_SENDS ?? 5_000)
const clients = 64
const text = (body: string) => ({ type: 'text', text: { body } })

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'))
const secrets = { DATA_DIR: dataDir, SECRET_KEY: 'a key of the benchmark with enough characters' }
const sandbox = await startProgram(['sandbox', '--port', '0'], { ...secrets })
const service = await startProgram(['serve'], {
  ...secrets,
  port: String(18_000 + Math.floor(Math.random() * 2_000)),
  SANDBOX_URL: sandbox.url,
  RATE_LIMIT: '0',
  CONSOLE: 'off',
})
const { tenantId, apiKey } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8')) as {
  tenantId: string
  apiKey: string
}
const { connection } = await connectToRunningDatabase(readConfig({ DATA_DIR: dataDir }), createLog('silent'))
const db = connectDb({ connection, clock: systemClock, readers: 1, writers: 1 })
const pool = new Pool(service.url, { connections: clients, pipelining: 1 })

async function call<T>(method: 'GET' | 'POST' | 'PATCH', at: string, body?: object): Promise<T> {
  const answer = await pool.request({
    method,
    path: `/v1${at}`,
    headers: { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answerText = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${at}: ${answer.statusCode} ${answerText}`)
  return JSON.parse(answerText) as T
}

async function eachInParallel(count: number, one: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) await one(next++)
    }),
  )
}

const countWhere = async (statuses: readonly string[]) =>
  (
    await db.one<{ count: number }>(
      sql`select count(*)::int as count from messages where tenant_id = ${tenantId} and status = any(${statuses})`,
    )
  ).count

interface Result {
  rate: number
  cpuMs: number
  statements: number
}

let expected = 0

async function statementCount(): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select xact_commit::int as count from pg_stat_database where datname = current_database()`,
  )
  return count
}

/** Runs until the provider has `sends` more messages; the CPU time counts until their last status is stored. */
async function measure(send: () => Promise<unknown>): Promise<Result> {
  await sleep(3_000)
  const cpuBefore = treeCpuMs(service.pid)
  const commitsBefore = await statementCount()
  const startedAt = performance.now()
  expected += sends
  await send()
  while ((await countWhere(['sent', 'delivered'])) < expected) await sleep(50)
  const rate = sends / ((performance.now() - startedAt) / 1_000)
  while ((await countWhere(['delivered'])) < expected) await sleep(200)
  const cpuMs = (treeCpuMs(service.pid) - cpuBefore) / sends
  return { rate, cpuMs, statements: ((await statementCount()) - commitsBefore) / sends }
}

async function sendCampaign(inboxId: string): Promise<void> {
  const { tags } = await call<{ tags: { id: string; name: string }[] }>('GET', '/tags')
  const conditions = [{ type: 'hasAnyTag', tagIds: [tags.find(one => one.name === 'bulk')!.id] }]
  const segment = await call<{ id: string }>('POST', '/segments', {
    name: 'bulk',
    filter: { match: 'all', conditions },
  })
  const { id } = await call<{ id: string }>('POST', '/campaigns', { name: 'bulk' })
  await call('PATCH', `/campaigns/${id}`, {
    segmentId: segment.id,
    inboxId,
    content: text('Hello {{contact.name}}'),
  })
  await call('POST', `/campaigns/${id}/schedule`, { sendAt: 'now' })
}

async function importPeople(): Promise<void> {
  const lines = Array.from({ length: sends }, (_, n) => `Person ${n},+1415${2_000_000 + n},bulk`)
  const form = new FormData()
  form.set('file', new Blob([['name,phone,tags', ...lines].join('\n')], { type: 'text/csv' }), 'people.csv')
  const headers = { authorization: `Bearer ${apiKey}` }
  const made = await fetch(`${service.url}/v1/contacts/import`, { method: 'POST', headers, body: form })
  const { importId } = (await made.json()) as { importId: string }
  const status = async () => (await call<{ status: string }>('GET', `/contacts/imports/${importId}`)).status
  while ((await status()) !== 'completed') await sleep(100)
}

/** Sends the same request on 64 connections as fast as possible. */
async function measureLoop(account: string, ms: number): Promise<number> {
  const { origin, pathname } = new URL(sandboxUrls(sandbox.url).chatapp)
  const provider = new Pool(origin, { connections: clients, pipelining: 1 })
  const end = performance.now() + ms
  let count = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        const answer = await provider.request({
          method: 'POST',
          path: `${pathname}/v23.0/${account}/messages`,
          headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
          body: JSON.stringify({
            messaging_product: 'whatsapp',
            recipient_type: 'individual',
            to: `+1415${6_000_000 + (count % 1_000)}`,
            biz_opaque_callback_data: `msg_${count}`,
            type: 'text',
            text: { body: 'A message of ordinary length', preview_url: true },
          }),
        })
        await answer.body.dump()
        if (answer.statusCode !== 200) throw new Error(`the sandbox answered ${answer.statusCode}`)
        count++
      }
    }),
  )
  await provider.close()
  return count / (ms / 1_000)
}

try {
  const inbox = await db.one<{ id: string; ownerId: string; account: string }>(sql`
    select i.id, i.created_by as "ownerId", i.config->>'phoneNumberId' as account from inboxes i
    where tenant_id = ${tenantId} and channel = 'chatapp' limit 1`)
  const accounts = { tenantId, ownerId: inbox.ownerId, token: apiKey, inboxId: inbox.id }
  await addPeople({ db } as Deps, accounts, { from: 0, to: sends })
  await importPeople()
  const reply = (n: number) =>
    call('POST', `/conversations/${toConversationId(n % sends)}/messages`, {
      content: text('A message of ordinary length'),
    })
  const first = (n: number) =>
    call('POST', '/messages', {
      recipient: { type: 'phone', phoneNumber: `+1415${3_000_000 + n}` },
      inboxId: inbox.id,
      content: text('A message of ordinary length'),
    })
  const replies = await measure(() => eachInParallel(sends, reply))
  console.error('replies', replies)
  const firsts = await measure(() => eachInParallel(sends, first))
  console.error('first', firsts)
  const campaign = await measure(() => sendCampaign(inbox.id))
  console.error('campaign', campaign)
  const loop = await measureLoop(inbox.account, 4_000)
  const compare = (name: string, unit: string, value: number, limit: number, wanted: string) =>
    report({ name: `outbound.${name}`, unit, value, limit, ratio: value / limit, wanted })
  compare('replies', 'messages/s', replies.rate, loop, '>= 0.50')
  compare('first_messages', 'messages/s', firsts.rate, replies.rate, '>= 0.50')
  compare('campaign', 'messages/s', campaign.rate, replies.rate, '>= 0.70')
  compare('campaign_cpu', 'ms per message', campaign.cpuMs, 3, '<= 1')
} finally {
  await pool.close()
  await db.close()
  await service.stop()
  await sandbox.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
