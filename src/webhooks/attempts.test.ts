import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { Client } from '../../test/harness/api.ts'
import { sql } from '../platform/db/sql.ts'
import { dropOldPartitions, ensurePartitions } from './partitions.ts'
import { AttemptId } from './schemas.ts'
import { attemptPartitions } from './store/partitions.ts'
import { eventually, startHarness, type TestWorkspace } from './testing/harness.ts'

const harness = await startHarness()
const { deps } = harness.api
const day = 24 * 3_600_000

async function pages(client: Client, query: string): Promise<string[][]> {
  const found: string[][] = []
  let token: string | undefined
  do {
    const { status, body } = await client.get(
      `/webhooks/attempts?${query}${token ? `&pageToken=${encodeURIComponent(token)}` : ''}`,
    )
    expect(status).toBe(200)
    found.push(body.attempts.map((attempt: { id: string }) => attempt.id))
    token = body.nextPageToken
  } while (token)
  return found
}

/** Creates twenty attempts: contact.created fails, message.created and conversation.closed succeed. */
async function withAttempts(): Promise<TestWorkspace> {
  const workspace = await harness.createWorkspace((response, { event }) =>
    response.writeHead(event.type === 'contact.created' ? 400 : 200).end(),
  )
  const { tenantId, client } = workspace
  await harness.emit(tenantId, 6, 'message.created')
  await harness.emit(tenantId, 6, 'contact.created')
  await harness.emit(tenantId, 8, 'conversation.closed')
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(20))
  return workspace
}

test('200 with pages, newest first, each attempt once despite new attempts', async () => {
  const { client, tenantId } = await withAttempts()
  const all = await harness.attempts(client)
  const times = all.map(attempt => attempt.attemptedAt)
  expect(times).toEqual(times.toSorted().reverse())
  expect((await pages(client, 'limit=7')).map(page => page.length)).toEqual([7, 7, 6])
  expect((await pages(client, 'limit=10')).map(page => page.length)).toEqual([10, 10])
  const first = await client.get('/webhooks/attempts?limit=7')
  await harness.emit(tenantId, 3, 'message.created')
  await eventually(async () => expect(await harness.attempts(client)).toHaveLength(23))
  const second = await client.get(`/webhooks/attempts?limit=7&pageToken=${first.body.nextPageToken}`)
  expect([...first.body.attempts, ...second.body.attempts]).toEqual(all.slice(0, 14))
})

test('200 filtered by event type, status and both, in pages', async () => {
  const { client } = await withAttempts()
  const all = await harness.attempts(client)
  for (const [query, wanted] of [
    ['status=failed', all.filter(attempt => attempt.status === 'failed')],
    ['status=succeeded', all.filter(attempt => attempt.status === 'succeeded')],
    ['eventType=conversation.closed', all.filter(attempt => attempt.eventType === 'conversation.closed')],
    [
      'eventType=contact.created&status=failed',
      all.filter(attempt => attempt.eventType === 'contact.created'),
    ],
    ['eventType=contact.created&status=succeeded', []],
    ['eventType=webhook.test', []],
  ] as const) {
    expect(await harness.attempts(client, `?${query}`), query).toEqual(wanted)
    expect((await pages(client, `${query}&limit=3`)).flat(), query).toEqual(wanted.map(attempt => attempt.id))
  }
})

test('400 for unknown filters, an invalid limit and a page token of another query', async () => {
  const { client } = await withAttempts()
  const { nextPageToken } = (await client.get('/webhooks/attempts?limit=3')).body
  for (const query of [
    'eventType=contact.exploded',
    'status=pending',
    'limit=0',
    'pageSize=3',
    'cursor=x',
    `limit=3&status=failed&pageToken=${nextPageToken}`,
    `limit=3&pageToken=${nextPageToken}x`,
  ])
    expect((await client.get(`/webhooks/attempts?${query}`)).status, query).toBe(400)
  expect((await client.get('/webhooks/attempts?limit=5000')).status).toBe(200)
})

test('attempts of the last seven days are listed; older partitions are dropped', async () => {
  const { client } = await withAttempts()
  harness.advance(6.9 * day)
  expect(await harness.attempts(client)).not.toHaveLength(0)
  expect((await harness.attempts(client)).length).toBeGreaterThanOrEqual(20)
  await client.post('/webhooks/verify')
  harness.advance(0.2 * day)
  expect(await harness.attempts(client, '?status=succeeded')).toMatchObject([{ eventType: 'webhook.test' }])
  harness.advance(day)
  await ensurePartitions(deps)
  await dropOldPartitions(deps)
  const days = await attemptPartitions.list(deps.db)
  const today = deps.clock.now().toISOString().slice(0, 10)
  expect(days).toHaveLength(10)
  expect(days[7]).toBe(today)
  expect(await harness.attempts(client, '?status=succeeded')).toHaveLength(1)
})

test('concurrent processes create partitions once', async () => {
  harness.advance(30 * day)
  await Promise.all(Array.from({ length: 6 }, () => ensurePartitions(deps)))
  await dropOldPartitions(deps)
  expect(await attemptPartitions.list(deps.db)).toHaveLength(10)
})

test('a list reads only its page', async () => {
  const { client, tenantId } = await harness.createWorkspace()
  const at = deps.clock.now()
  await ensurePartitions(deps)
  await deps.db.run(sql`
    insert into webhook_attempts (tenant_id, id, delivery_id, event_id, event_type, status, attempt_number,
      attempted_at, signed_with)
    select ${tenantId}, parts.prefix || lpad(n::text, 12, '0'), 'whd_' || n, 'evt_' || n, 'message.updated', 'succeeded',
      1, ${at.toISOString()}, '{1}'
    from generate_series(1, 20000) n, (select left(min(id), -12) as prefix from (
      select ${AttemptId.firstAt(at)}::text as id) first) parts`)
  await deps.db.run(sql`analyze webhook_attempts`)
  const rows = await deps.db.unprepared<{ 'QUERY PLAN': string }>(sql`
    explain (analyze, timing off) select id from webhook_attempts
    where tenant_id = ${tenantId} and event_type = 'message.updated' and status = 'succeeded'
    order by id desc limit 51`)
  const plan = rows.map(row => row['QUERY PLAN']).join('\n')
  expect(plan).not.toContain('Seq Scan')
  expect(plan).not.toContain('Sort Key')
  expect(await harness.attempts(client, '?status=failed')).toEqual([])
  expect(await harness.attempts(client, '?status=succeeded&limit=200')).toHaveLength(200)
})

/** Answers the first request of each connection; reads the second one and closes. Returns the ids of all requests. */
async function startClosingEndpoint() {
  const ids: string[] = []
  const server = createServer(socket => {
    let text = ''
    let answered = 0
    socket.on('error', () => {})
    socket.on('data', chunk => {
      text += chunk
      const [head, body] = text.split('\r\n\r\n')
      if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head!)![1])) return
      text = ''
      ids.push(/webhook-id: (\S+)/i.exec(head!)![1]!)
      if (answered++ > 0) socket.end()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  return { ids, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

test('a connection that closes after the request was written is a failed attempt and is not repeated', async () => {
  const { client, tenantId } = await harness.createWorkspace()
  const { ids, url } = await startClosingEndpoint()
  await client.patch('/webhooks', { url })
  for (const count of [1, 2]) {
    await harness.emit(tenantId)
    await eventually(async () => expect(await harness.attempts(client)).toHaveLength(count))
  }
  const [failed, succeeded] = await harness.attempts(client)
  expect(ids).toEqual([succeeded.eventId, failed.eventId])
  expect(succeeded).toMatchObject({ status: 'succeeded', attemptNumber: 1 })
  expect(failed).toMatchObject({ status: 'failed', attemptNumber: 1, responseStatus: null })
  expect(failed.errorText).toMatch(/^closed:/)
  harness.advance(7_000)
  await eventually(async () =>
    expect((await harness.attempts(client))[0]).toMatchObject({
      eventId: failed.eventId,
      status: 'succeeded',
      attemptNumber: 2,
    }),
  )
  expect(ids).toEqual([succeeded.eventId, failed.eventId, failed.eventId])
})

test('verify sends one request', async () => {
  const { client } = await harness.createWorkspace()
  const { ids, url } = await startClosingEndpoint()
  expect((await client.post('/webhooks/verify', { url })).body.delivered).toBe(true)
  expect((await client.post('/webhooks/verify', { url })).body).toEqual({
    delivered: false,
    statusCode: null,
    error: expect.stringMatching(/^closed:/),
  })
  expect(new Set(ids).size).toBe(2)
  expect(ids).toHaveLength(2)
})
