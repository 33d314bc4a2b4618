/**
 * Kills the server at random moments while a campaign is sent: each recipient gets exactly one message and the counts
 * add up. `FULL=1` runs 100,000 recipients and twenty kills; `RECIPIENTS` and `KILLS` set other numbers.
 */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  eventually,
  freePort,
  fresh,
  query,
  type Service,
  scratch,
  start,
} from '../../../test/system/program.ts'

const full = process.env.FULL === '1'
const recipients = Number(process.env.RECIPIENTS ?? (full ? 100_000 : 200))
const kills = Number(process.env.KILLS ?? (full ? 20 : 2))
const timeoutMs = full ? 2 * 3_600_000 : 300_000 + recipients * 100
const root = scratch()

async function call<T>(service: Service, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await service.call(method, path, body)
  const text = await answer.text()
  expect(answer.status, `${method} ${path}: ${text}`).toBeLessThan(300)
  return (text ? JSON.parse(text) : undefined) as T
}

async function importPeople(service: Service): Promise<void> {
  const lines = Array.from({ length: recipients }, (_, i) => `Person ${i},+1415${String(2_000_000 + i)}`)
  const form = new FormData()
  form.set('file', new Blob([['name,phone', ...lines].join('\n')], { type: 'text/csv' }), 'people.csv')
  const answer = await fetch(`${service.url}/v1/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.credentials().apiKey}` },
    body: form,
  })
  const { importId } = (await answer.json()) as { importId: string }
  const done = async () =>
    (await call<{ status: string }>(service, 'GET', `/contacts/imports/${importId}`)).status === 'completed'
  expect(await eventually(done, timeoutMs)).toBe(true)
}

async function begin(service: Service): Promise<{ id: string; inboxId: string }> {
  await importPeople(service)
  const { inboxes } = await call<{ inboxes: { id: string; channel: string }[] }>(service, 'GET', '/inboxes')
  const inboxId = inboxes.find(one => one.channel === 'chatapp')!.id
  // Before that, the provider does not send webhooks.
  const isRegistered = async () =>
    (await query(service.dataDir, `select 1 from inboxes where channel = 'chatapp' and registration is null`))
      .length === 0
  expect(await eventually(isRegistered)).toBe(true)
  const requests = [
    { answer: 'rateLimited', probability: 0.05 },
    { answer: 'error', code: 131026, status: 400, probability: 0.05 },
  ]
  await call(service, 'PUT', '/sandbox/faults', { seed: 7, requests })
  const filter = { match: 'all', conditions: [] }
  const segment = await call<{ id: string }>(service, 'POST', '/segments', { name: 'All', filter })
  const { id } = await call<{ id: string }>(service, 'POST', '/campaigns', { name: 'Spring' })
  const content = { type: 'text', text: { body: 'Hi {{contact.name}}' } }
  await call(service, 'PATCH', `/campaigns/${id}`, { segmentId: segment.id, inboxId, content })
  await call(service, 'POST', `/campaigns/${id}/schedule`, { sendAt: 'now' })
  return { id, inboxId }
}

test(`${recipients} recipients, ${kills} kills: each exactly once`, {
  timeout: timeoutMs * 2,
  retry: 0,
}, async () => {
  const dataDir = fresh(root, 'campaign')
  const port = await freePort()
  let service = await start({ dataDir, port })
  await service.ready()
  const { id, inboxId } = await begin(service)
  const messages = async () =>
    Number(
      (await query<{ n: string }>(dataDir, `select count(*) as n from messages where direction = 'out'`))[0]!
        .n,
    )
  const share = Math.floor((recipients * 0.9) / kills)
  for (let kill = 0; kill < kills; kill++) {
    const target = kill * share + randomInt(Math.ceil(share / 4), share)
    await eventually(async () => (await messages()) >= target, timeoutMs)
    await service.kill()
    service = await start({ dataDir, port })
    await service.ready()
  }
  const state = async () =>
    (
      await query<{ status: string; pending: number }>(
        dataDir,
        `select c.status, p.pending from campaigns c join campaign_progress p on p.campaign_id = c.id`,
      )
    )[0]!
  const isSent = async () => {
    const { status, pending } = await state()
    expect(status === 'sent' && pending > 0).toBe(false)
    return status === 'sent'
  }
  expect(await eventually(isSent, timeoutMs), JSON.stringify(await state())).toBe(true)

  type Row = { status: string; phone: string }
  const rows = await query<Row>(
    dataDir,
    `select r.status, i.phone from campaign_recipients r
     join contact_identities i on i.contact_id = r.contact_id and i.channel = 'chatapp'`,
  )
  expect(rows).toHaveLength(recipients)
  const { items } = await call<{ items: { to: string }[] }>(
    service,
    'GET',
    `/sandbox/sent?inboxId=${inboxId}`,
  )
  const seen = new Map<string, number>()
  for (const { to } of items) seen.set(to, (seen.get(to) ?? 0) + 1)
  const wrong = rows.filter(({ status, phone }) => (seen.get(phone) ?? 0) !== (status === 'failed' ? 0 : 1))
  expect(wrong).toEqual([])
  const counted = async () => {
    const found = await query<{ status: string; n: string }>(
      dataDir,
      'select status, count(*) as n from campaign_recipients group by status',
    )
    return Object.fromEntries(found.map(row => [row.status, Number(row.n)]))
  }
  const analytics = () =>
    call<{ audienceCount: number; counts: Record<string, number> }>(
      service,
      'GET',
      `/campaigns/${id}/analytics`,
    )
  const agree = async () => {
    const [{ counts, audienceCount }, persisted] = [await analytics(), await counted()]
    const { replied: _, ...exclusive } = counts
    const total = Object.values(exclusive).reduce((sum, n) => sum + n, 0)
    return (
      total === audienceCount && Object.entries(exclusive).every(([key, n]) => n === (persisted[key] ?? 0))
    )
  }
  expect(await eventually(agree)).toBe(true)
  expect((await counted()).failed).toBeGreaterThan(0)
  expect(await eventually(async () => ((await counted()).sent ?? 0) === 0, timeoutMs)).toBe(true)
})
