/** A person who asks to be forgotten is found nowhere afterwards: not in one table, not in one file. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { raw, sql } from '../../src/platform/db/sql.ts'
import { createJourney, listRuns } from '../../src/workflows/testing/fixtures.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService()
const { db, config } = service.deps

/** Marks of the person, each of them found nowhere else. */
const marks = {
  name: 'Zylphandra Quux',
  alias: 'Vexorine Quux',
  phone: '4155550987',
  field: 'likes marzipan-7431',
  said: 'my secret is 90210-blue',
  answered: 'we heard 90210-red',
  file: 'private-file-bytes-5567',
}

async function tablesWith(text: string): Promise<string[]> {
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

async function filesWith(text: string): Promise<string[]> {
  const folder = path.join(config.dataDir, 'blobs')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter(one => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    if ((await readFile(file)).includes(text)) found.push(file)
  }
  return found
}

const text = (body: string) => ({ type: 'text', text: { body } })
let numbers = 0

test('nothing of an erased person remains, and others keep what is theirs', async () => {
  const { owner, tenantId } = await service.workspace()
  const made = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['waba-erasure'], phoneNumberIds: [`number-erasure-${++numbers}`] },
  })
  const inboxId = made.body.inboxes[0].id as string
  // Their number begins with the whole of the other's.
  const longer = `+49301234567`
  const other = (await owner.post('/contacts', { name: 'Somebody Else', phone: longer })).body
  const short = (await owner.post('/contacts', { name: 'Shorter', phone: longer.slice(0, -1) })).body
  await owner.post('/contacts/custom-fields', { name: 'taste', type: 'text' })
  const journeyId = await createJourney(owner, {
    trigger: { type: 'message_received', match: 'any' },
    nodes: {
      keep: ['setVariable', { name: 'heard', value: 'asked: {{message.content.text.body}}' }],
      sleep: ['delay', { for: { days: 9 } }],
    },
    edges: ['start > keep', 'keep > sleep'],
  })
  const alias = (await owner.post('/contacts', { name: marks.alias })).body
  const person = (
    await owner.post(
      '/contacts',
      { name: marks.name, phone: `+1${marks.phone}`, customFields: { taste: marks.field } },
      { 'idempotency-key': 'made-once' },
    )
  ).body
  const tag = (await owner.post('/tags', { name: 'vip' })).body
  expect((await owner.post(`/contacts/${person.id}/tags/${tag.id}`)).status).toBe(204)
  await owner.post(`/contacts/${alias.id}/merge`, { intoContactId: person.id })
  await owner.post('/sandbox/inbound', {
    inboxId,
    from: `+1${marks.phone}`,
    profileName: marks.name,
    content: text(marks.said),
  })
  const conversation = await until(
    async () => (await owner.get('/conversations')).body.conversations?.[0],
    found => found !== undefined,
  )
  const form = new FormData()
  form.append('file', new Blob([marks.file], { type: 'text/plain' }), 'note.txt')
  const upload = await fetch(`${service.url}/v1/media/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
    body: form,
  })
  const { mediaId } = (await upload.json()) as { mediaId: string }
  for (const content of [text(marks.answered), { type: 'media', media: { mediaId } }])
    expect((await owner.post(`/conversations/${conversation.id}/messages`, { content })).status).toBe(202)
  await until(
    async () => (await owner.get(`/conversations/${conversation.id}/messages`)).body.messages,
    messages =>
      messages.length === 3 &&
      messages.every((one: { deliveryStatus: string }) => one.deliveryStatus !== 'pending'),
  )
  await until(
    () => listRuns(owner, journeyId, '?status=waiting'),
    runs => runs.length === 1,
  )
  expect(await tablesWith(marks.said)).toContain('workflow_runs')
  for (const mark of Object.values(marks).filter(mark => mark !== marks.file))
    expect(await tablesWith(mark), mark).not.toEqual([])
  expect(await filesWith(marks.file)).toHaveLength(1)

  expect((await owner.post(`/contacts/${person.id}/erase`)).status).toBe(202)
  expect((await owner.post(`/contacts/${short.id}/erase`)).status).toBe(202)
  expect((await owner.get(`/contacts/${person.id}`)).status).toBe(404)
  for (const mark of Object.values(marks))
    await until(
      () => tablesWith(mark),
      tables => tables.length === 0,
    )
  expect(await filesWith(marks.file)).toEqual([])
  await until(
    () => tablesWith('Shorter'),
    tables => tables.length === 0,
  )
  expect((await owner.get(`/conversations/${conversation.id}`)).status).toBe(404)
  expect((await owner.get(`/media/${mediaId}`)).status).toBe(404)
  expect(await listRuns(owner, journeyId, '')).toEqual([])

  expect((await owner.get(`/contacts/${other.id}`)).body.name).toBe('Somebody Else')
  expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: 1 })
  expect(await tablesWith('Somebody Else')).toContain('event_log')
  expect((await owner.get('/tags')).body.tags).toMatchObject([{ name: 'vip', labeledCount: 0 }])
  // Who is gone may come back, as somebody new.
  await owner.post('/sandbox/inbound', { inboxId, from: `+1${marks.phone}`, content: text('hello again') })
  const again = await until(
    async () => (await owner.get('/contacts')).body.contacts,
    contacts => contacts.length === 2,
  )
  expect(again.map((one: { id: string }) => one.id)).not.toContain(person.id)
  const log = await db.rows(sql`select seq from event_log where tenant_id = ${tenantId} order by seq`)
  expect(log.map(row => Number((row as { seq: number }).seq))).toEqual(log.map((_, n) => n + 1))
})

test('403 for agents, 404 for a stranger’s; one that was deleted before can still be erased', async () => {
  const workspace = await service.workspace()
  const { owner } = workspace
  const { id } = (await owner.post('/contacts', { name: 'Ozymandrel Deleted' })).body
  expect((await (await workspace.user('agent')).post(`/contacts/${id}/erase`)).status).toBe(403)
  expect((await (await service.workspace()).owner.post(`/contacts/${id}/erase`)).status).toBe(404)
  expect((await owner.delete(`/contacts/${id}`)).status).toBe(204)
  expect((await owner.post(`/contacts/${id}/erase`)).status).toBe(202)
  await until(
    () => tablesWith('Ozymandrel'),
    tables => tables.length === 0,
  )
})
