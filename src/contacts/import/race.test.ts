/** An import beside people who work on the same contacts, tags and fields: nothing is lost, doubled or miscounted. */
import { expect, test, vi } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { startImportWorkers, uploadFile, waitForImport } from '../testing/imports.ts'

const api = await testApi()
startImportWorkers(api)

const rows = 8_000
const phoneOf = (n: number) => `+1415${2_000_000 + n}`
const pick = (most: number) => Math.floor(Math.random() * most)

test('creates, edits, deletions and merges during an import', { timeout: 120_000 }, async () => {
  const { owner, tenantId } = await api.workspace()
  await owner.post('/contacts/custom-fields', { name: 'stays', type: 'text' })
  const going = (await owner.post('/contacts/custom-fields', { name: 'goes', type: 'text' })).body.id
  const file = `name,phone,tags,stays,goes\n${Array.from({ length: rows }, (_, n) => `P${n},${phoneOf(n)},t${n % 5},s${n},g${n}`).join('\n')}\n`
  const known: string[] = []
  let over = false
  const doings: (() => Promise<unknown>)[] = [
    async () => {
      const made = await owner.post('/contacts', { name: 'API', phone: phoneOf(pick(rows)) })
      expect([201, 409]).toContain(made.status)
      known.push(made.body.id ?? made.body.contactId)
    },
    async () => {
      const id = known[pick(known.length)]
      if (id)
        expect([200, 404, 409]).toContain(
          (await owner.patch(`/contacts/${id}`, { phone: phoneOf(pick(rows)) })).status,
        )
    },
    async () => {
      const id = known[pick(known.length)]
      if (id) expect([204, 404]).toContain((await owner.delete(`/contacts/${id}`)).status)
    },
    async () => {
      const [a, b] = [known[pick(known.length)], known[pick(known.length)]]
      if (a && b && a !== b)
        expect([200, 404]).toContain((await owner.post(`/contacts/${a}/merge`, { intoContactId: b })).status)
    },
    async () => {
      const { tags } = (await owner.get('/tags')).body
      if (tags.length > 0)
        expect([204, 404]).toContain((await owner.delete(`/tags/${tags[pick(tags.length)].id}`)).status)
    },
  ]
  const { importId } = (await uploadFile(api, owner, file)).body
  const people = Array.from({ length: 4 }, async () => {
    while (!over) await doings[pick(doings.length)]!()
  })
  await vi.waitFor(
    async () => {
      const { body } = await owner.get(`/contacts/imports/${importId}`)
      expect(body.successCount).toBeGreaterThan(0)
    },
    { timeout: 90_000, interval: 5 },
  )
  expect((await owner.delete(`/contacts/custom-fields/${going}`)).status).toBe(204)
  const status = await waitForImport(owner, importId)
  over = true
  await Promise.all(people)

  expect(status.status).toBe('completed')
  expect(status.totalRows).toBe(rows)
  expect(status.successCount + status.failedCount).toBe(rows)
  const { actual, held } = await api.deps.db.one<{ actual: number; held: number }>(sql`
    select (select count(*) from contacts where tenant_id = ${tenantId} and deleted_at is null) as actual,
      (select count(*) from contact_identities i join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
       where i.tenant_id = ${tenantId} and c.deleted_at is not null) as held`)
  expect(held, 'phones of deleted contacts').toBe(0)
  expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: actual })
  const wrong = await api.deps.db.rows(sql`
    select c.id from contacts c where c.tenant_id = ${tenantId} and c.deleted_at is null and (
      not exists (select from contact_activity a where a.tenant_id = c.tenant_id and a.contact_id = c.id)
      or (select count(*) from contact_field_values v where v.tenant_id = c.tenant_id and v.contact_id = c.id)
        <> (select count(*) from jsonb_object_keys(c.search_values)))`)
  expect(wrong).toEqual([])
  for (const tag of (await owner.get('/tags')).body.tags) {
    const { n } = await api.deps.db.one<{ n: number }>(sql`
      select count(*) as n from contact_tags where tenant_id = ${tenantId} and tag_id = ${tag.id}`)
    expect(tag.labeledCount, tag.name).toBe(n)
  }
})
