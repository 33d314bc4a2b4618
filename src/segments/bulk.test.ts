/** Tests actions on many contacts: by ids and by a filter, their results, and undoing them. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../test/harness/api.ts'
import { testService, until } from '../../test/harness/service.ts'
import { contactBulk } from '../contacts/bulk/bulk-actions.ts'
import { raw, sql } from '../platform/db/sql.ts'
import { transact } from '../platform/db/transact.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { exhaustAttempts } from '../platform/jobs/testing/exhaust.ts'

const service = await testService()
const everyone = { match: 'all', conditions: [] }
let workspace: Workspace
let owner: Client
let tagId: string
let fieldId: string
let ids: string[]

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  tagId = (await owner.post('/tags', { name: 'VIP' })).body.id
  fieldId = (await owner.post('/contacts/custom-fields', { name: 'City', type: 'text' })).body.id
  const created = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      owner.post('/contacts', { name: `Person ${n}`, customFields: n % 2 ? { City: 'Lisbon' } : {} }),
    ),
  )
  ids = created.map(({ body }) => body.id)
})

const finished = (id: string, status = 'completed', client = owner) =>
  until(
    async () => (await client.get(`/contacts/bulk/${id}`)).body,
    bulk => bulk.status === status,
  )

async function run(action: object, target: object = { filter: everyone }, client = owner) {
  const { status, body } = await client.post('/contacts/bulk', { ...target, action })
  expect(status, JSON.stringify(body)).toBe(202)
  return finished(body.id, 'completed', client)
}

async function undo(id: string) {
  const { status, body } = await owner.post(`/contacts/bulk/${id}/undo`)
  expect(status, JSON.stringify(body)).toBe(202)
  return finished(id, 'undone')
}

const read = async (id: string) => (await owner.get(`/contacts/${id}`)).body
const count = async (condition: object) =>
  (await owner.post('/contacts/search/count', { filter: { match: 'all', conditions: [condition] } })).body
    .totalSize as number

test('a tag is added to all that match; undoing removes it from those that got it', async () => {
  await owner.post(`/contacts/${ids[0]}/tags/${tagId}`)
  const bulk = await run({ type: 'addTag', tagId })
  expect(bulk).toMatchObject({ total: 12, changed: 11, unchanged: 1, failed: 0 })
  expect(bulk.undoUntil).not.toBeNull()
  expect(await count({ type: 'hasAnyTag', tagIds: [tagId] })).toBe(12)
  await owner.delete(`/contacts/${ids[1]}/tags/${tagId}`)
  expect(await undo(bulk.id)).toMatchObject({ restored: 10, notRestored: 1 })
  expect(await count({ type: 'hasAnyTag', tagIds: [tagId] })).toBe(1)
})

test('a field is set, and undoing restores each value unless it was changed since', async () => {
  const bulk = await run({ type: 'setField', fieldId, value: 'Porto' }, { ids: ids.slice(0, 4) })
  expect(bulk).toMatchObject({ total: 4, changed: 4 })
  expect((await read(ids[1]!)).customFields).toEqual({ City: 'Porto' })
  await owner.patch(`/contacts/${ids[3]}`, { customFields: { City: 'Faro' } })
  expect(await undo(bulk.id)).toMatchObject({ restored: 3, notRestored: 1 })
  const cities = (await Promise.all(ids.slice(0, 4).map(read))).map(contact => contact.customFields.City)
  expect(cities).toEqual([undefined, 'Lisbon', undefined, 'Faro'])
})

test('contacts are archived and taken back; deleting cannot be undone', async () => {
  const archived = await run({ type: 'archive' }, { ids: ids.slice(0, 3) })
  expect(await count({ type: 'archiveStatus', status: 'archived' })).toBe(3)
  expect(await undo(archived.id)).toMatchObject({ restored: 3, notRestored: 0 })
  expect(await count({ type: 'archiveStatus', status: 'archived' })).toBe(0)
  const deleted = await run({ type: 'delete' }, { ids: [ids[11], 'con_missing'] })
  expect(deleted).toMatchObject({ total: 2, changed: 1, failed: 1, undoUntil: null })
  expect((await owner.get(`/contacts/${ids[11]}`)).status).toBe(404)
  expect(await owner.post(`/contacts/bulk/${deleted.id}/undo`)).toMatchObject({
    status: 409,
    body: { code: 'contact_bulk_undo_expired' },
  })
})

test('400 for a wrong target, tag or value; 404 for the action of another', async () => {
  const start = (body: object) => owner.post('/contacts/bulk', body)
  expect((await start({ action: { type: 'archive' } })).status).toBe(400)
  expect((await start({ ids, action: { type: 'addTag', tagId: 'tag_missing' } })).status).toBe(400)
  const bulk = await run({ type: 'archive' }, { ids: [ids[5]] })
  await undo(bulk.id)
  const agent = await workspace.user('agent')
  expect((await agent.get(`/contacts/bulk/${bulk.id}`)).status).toBe(404)
})

test('403 without the scope of the action', async () => {
  const reader = await workspace.key({ scopes: ['contact:list', 'contact:update'] })
  const denied = await reader.post('/contacts/bulk', { ids, action: { type: 'delete' } })
  expect(denied).toMatchObject({ status: 403 })
})

test('a search includes the members that are asked for', async () => {
  const filter = { match: 'all', conditions: [{ type: 'searchText', text: 'Person 3' }] }
  const plain = await owner.post('/contacts/search', { filter })
  expect(plain.body.items[0]).not.toHaveProperty('customFields')
  const include = ['customFields', 'lastInteractionAt']
  const full = await owner.post('/contacts/search', { filter, include })
  expect(full.body.items[0]).toMatchObject({ customFields: { City: 'Lisbon' }, lastInteractionAt: null })
})

test('an action whose job is given up ends as failed; what it changed can be undone', async () => {
  const { tenantId } = workspace
  const tag = (await owner.post('/tags', { name: 'Interrupted' })).body.id
  const bulk = await run({ type: 'addTag', tagId: tag }, { ids: ids.slice(0, 2) })
  // As if the job had one more contact, which it cannot change.
  const { db } = service.deps
  await db.run(sql`
    create or replace function refuse_item() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$`)
  await db.run(sql`create or replace trigger refuse_item before update on contact_bulk_items for each row
    when (new.bulk_id = ${raw(`'${bulk.id}'`)} and new.n > 2 and new.result = 'changed') execute function refuse_item()`)
  await db.run(sql`
    update contact_bulk_actions set status = 'running', total = 3, finished_at = null
    where tenant_id = ${tenantId} and id = ${bulk.id}`)
  await db.run(sql`
    insert into contact_bulk_items (tenant_id, bulk_id, n, contact_id) values (${tenantId}, ${bulk.id}, 3, ${ids[2]})`)
  await transact(db, tx =>
    enqueue(tx, contactBulk.job, { tenantId, orderingKey: bulk.id, payload: { bulkId: bulk.id } }),
  )
  const failed = await until(
    async () => {
      await exhaustAttempts(db, contactBulk.job.name, tenantId)
      return (await owner.get(`/contacts/bulk/${bulk.id}`)).body
    },
    found => found.status !== 'running',
  )
  expect(failed).toMatchObject({ status: 'failed', error: 'internal_error', changed: 2, failed: 1 })
  await db.run(sql`drop trigger refuse_item on contact_bulk_items`)
  expect(await undo(bulk.id)).toMatchObject({ status: 'undone', error: null, restored: 2 })
  expect(await count({ type: 'hasAnyTag', tagIds: [tag] })).toBe(0)
})
