/** Tests the erasure of a contact: no table and no file contains the contact's data afterwards. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Db } from '../../src/platform/db/db.ts'
import { raw, sql } from '../../src/platform/db/sql.ts'
import { transact } from '../../src/platform/db/transact.ts'
import { listDeadJobs } from '../../src/platform/jobs/dead-letters.ts'
import { insertDeadJob } from '../../src/platform/jobs/store/dead-letters.ts'
import { createJourney, listRuns } from '../../src/workflows/testing/fixtures.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService({}, { spread: true })
const { config } = service.deps

let people = 10

/** Creates the data of a contact; each value exists nowhere else. */
function createPersonalData() {
  const n = people++
  return {
    name: `Zylphandra Quux ${n}`,
    alias: `Vexorine Quux ${n}`,
    phone: `41555509${n}`,
    field: `likes marzipan-7431-${n}`,
    inbound: `my secret is 90210-blue-${n}`,
    reply: `we noted 90210-red-${n}`,
    file: `private-file-bytes-5567-${n}`,
    note: `careful, owes 90210-green-${n}`,
  }
}

/** Searches all cells. */
async function findTables(text: string): Promise<string[]> {
  return (await Promise.all(service.cells.map(({ deps }) => findTablesIn(deps.db, text)))).flat()
}

async function findTablesIn(db: Db, text: string): Promise<string[]> {
  const tables = await db.rows<{ name: string }>(sql`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`)
  const found: string[] = []
  for (const { name } of tables) {
    const { hit } = await db.one<{ hit: boolean }>(
      sql`select exists (select from ${raw(name)} t where position(${text} in t::text) > 0) as hit`,
    )
    if (hit) found.push(name)
  }
  return found
}

async function findFiles(text: string): Promise<string[]> {
  const folder = path.join(config.dataDir, 'blobs')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter(item => item.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    if ((await readFile(file)).includes(text)) found.push(file)
  }
  return found
}

const text = (body: string) => ({ type: 'text', text: { body } })
let numbers = 0

test('erasing a contact removes all of its data, and no data of others', async () => {
  const personalData = createPersonalData()
  const [kept, erased] = [`Another Contact ${people}`, `Shorter ${people}`]
  const { owner, tenantId } = await service.workspace()
  const { db } = await service.depsOf(tenantId)
  const connected = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['waba-erasure'], phoneNumberIds: [`number-erasure-${++numbers}`] },
  })
  const inboxId = connected.body.inboxes[0].id as string
  // The erased number is a prefix of the number that is kept.
  const longer = `+49301234567`
  const other = (await owner.post('/contacts', { name: kept, phone: longer })).body
  const short = (await owner.post('/contacts', { name: erased, phone: longer.slice(0, -1) })).body
  await owner.post('/contacts/custom-fields', { name: 'taste', type: 'text' })
  const journeyId = await createJourney(owner, {
    trigger: { type: 'message_received', match: 'any' },
    nodes: {
      keep: ['setVariable', { name: 'question', value: 'asked: {{message.content.text.body}}' }],
      wait: ['delay', { for: { days: 9 } }],
    },
    edges: ['start > keep', 'keep > wait'],
  })
  const alias = (await owner.post('/contacts', { name: personalData.alias })).body
  const person = (
    await owner.post(
      '/contacts',
      {
        name: personalData.name,
        phone: `+1${personalData.phone}`,
        customFields: { taste: personalData.field },
      },
      { 'idempotency-key': 'created-once' },
    )
  ).body
  const tag = (await owner.post('/tags', { name: 'vip' })).body
  expect((await owner.post(`/contacts/${person.id}/tags/${tag.id}`)).status).toBe(204)
  await owner.post(`/contacts/${alias.id}/merge`, { intoContactId: person.id })
  await owner.post('/sandbox/inbound', {
    inboxId,
    from: `+1${personalData.phone}`,
    profileName: personalData.name,
    content: text(personalData.inbound),
  })
  const conversation = await until(
    async () => (await owner.get('/conversations')).body.conversations?.[0],
    found => found !== undefined,
  )
  const form = new FormData()
  form.append('file', new Blob([personalData.file], { type: 'text/plain' }), 'note.txt')
  const upload = await fetch(`${service.url}/v1/media/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
    body: form,
  })
  const { mediaId } = (await upload.json()) as { mediaId: string }
  for (const content of [text(personalData.reply), { type: 'media', media: { mediaId } }])
    expect((await owner.post(`/conversations/${conversation.id}/messages`, { content })).status).toBe(202)
  const note = await owner.post(
    `/conversations/${conversation.id}/notes`,
    { text: personalData.note },
    { 'idempotency-key': 'noted-once' },
  )
  expect(note.status).toBe(201)
  await until(
    async () => (await owner.get(`/conversations/${conversation.id}/messages`)).body.messages,
    messages =>
      messages.length === 3 &&
      messages.every(({ deliveryStatus }: { deliveryStatus: string }) => deliveryStatus !== 'pending'),
  )
  await until(
    () => listRuns(owner, journeyId, '?status=waiting'),
    runs => runs.length === 1,
  )
  expect(await findTables(personalData.inbound)).toContain('workflow_runs')
  for (const value of Object.values(personalData).filter(item => item !== personalData.file))
    expect(await findTables(value), value).not.toEqual([])
  expect(await findFiles(personalData.file)).toHaveLength(1)

  const job = { name: 'workflows.call_http', tenantId, orderingKey: null, attempts: 10, error: 'no answer' }
  const jobId = Date.now()
  await transact(db, async tx => {
    const payload = { contactId: person.id, body: personalData.inbound }
    await insertDeadJob(tx, { ...job, id: jobId, payload })
    await insertDeadJob(tx, { ...job, id: jobId + 1, payload: { contactId: other.id } })
  })
  expect(await findTables(personalData.inbound)).toContain('dead_jobs')

  expect((await owner.post(`/contacts/${person.id}/erase`)).status).toBe(202)
  expect((await owner.post(`/contacts/${short.id}/erase`)).status).toBe(202)
  expect((await owner.get(`/contacts/${person.id}`)).status).toBe(404)
  for (const value of Object.values(personalData))
    await until(
      () => findTables(value),
      tables => tables.length === 0,
    )
  expect(await findFiles(personalData.file)).toEqual([])
  await until(
    () => findTables(erased),
    tables => tables.length === 0,
  )
  expect((await owner.get(`/conversations/${conversation.id}`)).status).toBe(404)
  expect((await owner.get(`/media/${mediaId}`)).status).toBe(404)
  expect(await listRuns(owner, journeyId, '')).toEqual([])

  expect((await owner.get(`/contacts/${other.id}`)).body.name).toBe(kept)
  expect(await listDeadJobs(db, { tenantId })).toMatchObject([{ id: jobId + 1 }])
  expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: 1 })
  expect(await findTables(kept)).toContain('event_log')
  expect((await owner.get('/tags')).body.tags).toMatchObject([{ name: 'vip', labeledCount: 0 }])
  // A new message from an erased contact creates a new contact.
  await owner.post('/sandbox/inbound', {
    inboxId,
    from: `+1${personalData.phone}`,
    content: text('hello again'),
  })
  const again = await until(
    async () => (await owner.get('/contacts')).body.contacts,
    contacts => contacts.length === 2,
  )
  expect(again.map(({ id }: { id: string }) => id)).not.toContain(person.id)
  const log = await db.rows(sql`select seq from event_log where tenant_id = ${tenantId} order by seq`)
  expect(log.map(row => Number((row as { seq: number }).seq))).toEqual(log.map((_, n) => n + 1))
})

test("403 for agents, 404 for another workspace's contact; a deleted contact can be erased", async () => {
  const workspace = await service.workspace()
  const { owner } = workspace
  const { id } = (await owner.post('/contacts', { name: 'Ozymandrel Deleted' })).body
  expect((await (await workspace.user('agent')).post(`/contacts/${id}/erase`)).status).toBe(403)
  expect((await (await service.workspace()).owner.post(`/contacts/${id}/erase`)).status).toBe(404)
  expect((await owner.delete(`/contacts/${id}`)).status).toBe(204)
  expect((await owner.post(`/contacts/${id}/erase`)).status).toBe(202)
  await until(
    () => findTables('Ozymandrel'),
    tables => tables.length === 0,
  )
})
