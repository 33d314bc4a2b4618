import { describe, expect, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import { sql } from '../platform/db/sql.ts'
import { transact } from '../platform/db/transact.ts'
import { linkConversations } from './activity.ts'
import { ContactId } from './schemas.ts'

const api = await testApi()

let phones = 0
const phone = () => `+1415${5_550_000 + phones++}`

/** The events of a workspace that wait for the sequencer or are in its log, oldest first. */
async function events(tenantId: string) {
  return api.deps.db.rows<{ type: string; data: { contact: Record<string, unknown> } }>(
    sql`select type, data from outbox where tenant_id = ${tenantId} and type <> 'changed' order by id`,
  )
}

test('a list returns each contact as it was written, whatever characters it has', async () => {
  const { owner, tenantId } = await api.workspace()
  const odd = 'A "quoted" \\ name\u2028, é, 王, 😀 and \u0001'
  const define = async (name: string) =>
    (await owner.post('/contacts/custom-fields', { name, type: 'text' })).body.id as string
  const [, deleted] = [await define('A "field" \\'), await define('Deleted')]
  const tagIds: string[] = []
  for (const name of ['Deleted', 'First', 'Second'])
    tagIds.push((await owner.post('/tags', { name })).body.id)
  const customFields = {
    cf_email: 'a"b\\@example.com',
    cf_external_ref: odd,
    'A "field" \\': odd,
  }
  const { body: one } = await owner.post('/contacts', {
    name: 'A "quoted" \\ name',
    phone: phone(),
    customFields: { ...customFields, Deleted: 'x' },
  })
  for (const tagId of tagIds) await owner.post(`/contacts/${one.id}/tags/${tagId}`)
  await api.deps.db.run(sql`
    update tags set deleted_at = now() where tenant_id = ${tenantId} and id = ${tagIds[0]}`)
  await api.deps.db.run(sql`
    update custom_fields set deleted_at = now() where tenant_id = ${tenantId} and id = ${deleted}`)
  await owner.put(`/contacts/${one.id}/opt-outs/sms`)
  await api.deps.db.run(sql`
    insert into contact_identities (tenant_id, contact_id, id, channel, external_id, username, created_at)
    values (${tenantId}, ${one.id}, 'idn_odd', 'socialapp', ${odd}, ${odd}, now() + interval '1 s')`)
  const { body: empty } = await owner.post('/contacts', {})
  const { contacts } = (await owner.get('/contacts')).body
  const { updatedAt } = contacts[1]
  const metadata = one.identities[0].metadata
  expect(contacts).toEqual([
    empty,
    {
      ...one,
      updatedAt,
      customFields,
      tagIds: tagIds.slice(1).sort(),
      optOuts: ['sms'],
      identities: [
        one.identities[0],
        { id: 'idn_odd', channel: 'socialapp', externalId: odd, username: odd, metadata },
      ],
    },
  ])
  expect(Object.keys(contacts[0])).toEqual(Object.keys(contacts[1]))
  expect((await owner.get(`/contacts/${one.id}`)).body).toEqual(contacts[1])
  expect((await owner.get('/contacts?search=quoted')).body.contacts).toEqual([contacts[1]])
  await owner.post(`/contacts/${one.id}/archive`)
  const [archived] = (await owner.get('/contacts?archived=true')).body.contacts
  expect(archived).toEqual((await owner.get(`/contacts/${one.id}`)).body)
  expect(archived.archivedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

describe('POST /contacts', () => {
  test('201 with all given properties', async () => {
    const { owner, tenantId } = await api.workspace()
    const answer = await owner.post('/contacts', {
      name: 'Ada',
      phone: '+1 (415) 555-0100',
      customFields: { cf_email: 'ada@example.com' },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      tenantId,
      name: 'Ada',
      tagIds: [],
      customFields: { cf_email: 'ada@example.com' },
      archivedAt: null,
      identities: [{ channel: 'chatapp', metadata: { phoneNumber: '+14155550100' } }],
    })
    expect(answer.body.id).toMatch(ContactId.pattern)
    expect((await owner.get(`/contacts/${answer.body.id}`)).body).toEqual(answer.body)
    expect((await owner.get('/contacts')).body).toEqual({ contacts: [answer.body], nextPageToken: null })
  })

  test('201 without any property', async () => {
    const { owner } = await api.workspace()
    const answer = await owner.post('/contacts', {})
    expect(answer).toMatchObject({ status: 201, body: { name: null, identities: [], customFields: {} } })
  })

  test('201 without a body', async () => {
    const { owner } = await api.workspace()
    expect(await owner.post('/contacts')).toMatchObject({ status: 201, body: { name: null } })
    expect(await owner.post('/contacts', '')).toMatchObject({ status: 201, body: { name: null } })
  })

  test('201 with one identity per number, in every notation', async () => {
    const { owner } = await api.workspace()
    const pairs = [
      ['+5511987654321', '+551187654321'],
      ['+541123456789', '+54 9 11 2345-6789'],
      ['+5215512345678', '+52 55 1234 5678'],
    ]
    for (const [one, other] of pairs) {
      const first = await owner.post('/contacts', { phone: one })
      expect(first.status).toBe(201)
      const second = await owner.post('/contacts', { phone: other })
      expect(second.body).toMatchObject({
        status: 409,
        code: 'contact_phone_taken',
        contactId: first.body.id,
      })
    }
  })

  test.each(['12345', '+1202', '+999123456789', 'call me', '', '+1415555010012345'])(
    '400 when the phone is %s',
    async given => {
      const { owner } = await api.workspace()
      const answer = await owner.post('/contacts', { phone: given })
      expect(answer.body).toMatchObject({ status: 400, violations: [{ field: 'phone' }] })
    },
  )

  test('400 with the name of an undefined custom field', async () => {
    const { owner } = await api.workspace()
    const answer = await owner.post('/contacts', { customFields: { plan: 'gold' } })
    expect(answer.body).toMatchObject({
      status: 400,
      violations: [{ field: 'customFields.plan', code: 'unknown_custom_field' }],
    })
  })

  test('400 for a name of 201 characters or blanks, and a value of 1 MB is refused', async () => {
    const { owner } = await api.workspace()
    for (const name of ['x'.repeat(201), '   ', ''])
      expect((await owner.post('/contacts', { name })).body).toMatchObject({
        status: 400,
        violations: [{ field: 'name' }],
      })
    expect((await owner.post('/contacts', { name: 'x'.repeat(200) })).status).toBe(201)
    const large = await owner.post('/contacts', { customFields: { cf_email: 'x'.repeat(900_000) } })
    expect(large.body).toMatchObject({ status: 400, violations: [{ field: 'customFields.cf_email' }] })
  })

  test('one 201 and 409s with its id for twenty concurrent creations of one number', async () => {
    const { owner } = await api.workspace()
    const number = phone()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => owner.post('/contacts', { phone: number })),
    )
    const made = answers.filter(answer => answer.status === 201)
    expect(made).toHaveLength(1)
    const refused = answers.filter(answer => answer.status === 409)
    expect(refused).toHaveLength(19)
    for (const answer of refused) expect(answer.body.contactId).toBe(made[0]!.body.id)
    expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: 1 })
  })

  test('409 without the id if the caller cannot see the other contact', async () => {
    const { owner, user, tenantId } = await api.workspace()
    const number = phone()
    const { body } = await owner.post('/contacts', { phone: number })
    const agent = await user('agent')
    const link = {
      contactId: body.id,
      conversationId: 'cnv_1',
      channel: 'chatapp',
      phone: number,
      ownerId: null,
    }
    await transact(api.deps.db, tx => linkConversations(tx, tenantId, [{ ...link, teamId: 'team_other' }]))
    const answer = await agent.post('/contacts', { phone: number })
    expect(answer).toMatchObject({ status: 409, body: { code: 'contact_phone_taken' } })
    expect(answer.body).not.toHaveProperty('contactId')
  })
})

describe('text', () => {
  const strange = [
    'Zoe\u0308 Ångström',
    '👩‍👩‍👧‍👦 Familie',
    'محمد عبد الله',
    '王小明',
    '100% _sure_ \\ "quoted" \'it\'',
    "Robert'); drop table contacts;--",
    '=cmd|calc',
    'ﬁ ligature İstanbul',
  ]
  test.each(strange)('is stored as it came and found literally: %s', async given => {
    const { owner } = await api.workspace()
    const { body } = await owner.post('/contacts', { name: given, customFields: { cf_email: given } })
    expect(body).toMatchObject({ name: given, customFields: { cf_email: given } })
    await owner.post('/contacts', { name: 'another contact' })
    for (const text of [given, given.toUpperCase(), given.slice(-3)]) {
      const found = await owner.get(`/contacts?search=${encodeURIComponent(text)}`)
      expect(found.body.contacts.map((contact: { id: string }) => contact.id)).toContain(body.id)
      expect(found.body.contacts).toHaveLength(1)
    }
  })

  test('% and _ are not wildcards', async () => {
    const { owner } = await api.workspace()
    await owner.post('/contacts', { name: 'abc' })
    for (const text of ['%', '_', 'a%c', 'a_c', '\\'])
      expect((await owner.get(`/contacts?search=${encodeURIComponent(text)}`)).body.contacts).toEqual([])
  })
})

describe('PATCH /contacts/{id}', () => {
  test('200 clears the name with null', async () => {
    const { owner } = await api.workspace()
    const { id } = (await owner.post('/contacts', { name: 'Ada', phone: '+14155550100' })).body
    expect(await owner.patch(`/contacts/${id}`, { name: null })).toMatchObject({
      status: 200,
      body: { name: null, identities: [{ metadata: { phoneNumber: '+14155550100' } }] },
    })
    expect((await owner.get('/contacts?search=ada')).body.contacts).toEqual([])
    const { updatedAt } = (await owner.get(`/contacts/${id}`)).body
    expect((await owner.patch(`/contacts/${id}`, { name: null })).body.updatedAt).toBe(updatedAt)
  })

  test('200 changes only the given properties', async () => {
    const { owner } = await api.workspace()
    const { body } = await owner.post('/contacts', {
      name: 'Ada',
      phone: phone(),
      customFields: { cf_email: 'a@b.co' },
    })
    api.deps.clock.advance(1000)
    const answer = await owner.patch(`/contacts/${body.id}`, { name: 'Ada L.' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...body, name: 'Ada L.', updatedAt: answer.body.updatedAt })
    expect(answer.body.updatedAt > body.updatedAt).toBe(true)
  })

  test('200 replaces the phone and sets and clears fields', async () => {
    const { owner } = await api.workspace()
    const [before, after] = [phone(), phone()]
    const { body } = await owner.post('/contacts', { phone: before, customFields: { cf_email: 'a@b.co' } })
    const answer = await owner.patch(`/contacts/${body.id}`, {
      phone: after,
      customFields: { cf_email: '', cf_phone: '12' },
    })
    expect(answer.body).toMatchObject({ customFields: { cf_phone: '12' } })
    expect(answer.body.customFields).not.toHaveProperty('cf_email')
    expect(answer.body.identities).toMatchObject([{ metadata: { phoneNumber: after } }])
    expect((await owner.post('/contacts', { phone: before })).status).toBe(201)
    const found = await owner.get(`/contacts?search=${encodeURIComponent(after)}`)
    expect(found.body.contacts).toHaveLength(1)
    expect((await owner.patch(`/contacts/${body.id}`, { phone: null })).body.identities).toEqual([])
  })

  test('409 if another contact has the phone, 200 if it is unchanged', async () => {
    const { owner } = await api.workspace()
    const [one, other] = [phone(), phone()]
    const first = await owner.post('/contacts', { phone: one })
    const second = await owner.post('/contacts', { phone: other })
    const answer = await owner.patch(`/contacts/${second.body.id}`, { phone: one })
    expect(answer.body).toMatchObject({ status: 409, contactId: first.body.id })
    expect((await owner.patch(`/contacts/${second.body.id}`, { phone: other })).status).toBe(200)
  })

  test('404 for another workspace and for unknown ids', async () => {
    const [here, there] = [await api.workspace(), await api.workspace()]
    const { body } = await there.owner.post('/contacts', { name: 'X' })
    for (const id of [body.id, 'con_nothing'])
      expect((await here.owner.patch(`/contacts/${id}`, { name: 'Y' })).body.code).toBe('contact_not_found')
  })

  test('keeps every change of concurrent field updates', async () => {
    const { owner } = await api.workspace()
    const fields = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        owner.post('/contacts/custom-fields', { name: `f${i}`, type: 'text' }),
      ),
    )
    const { body } = await owner.post('/contacts', { name: 'A' })
    await Promise.all(
      fields.map((field, i) =>
        owner.put(`/contacts/${body.id}/custom-fields/${field.body.id}`, { value: `v${i}` }),
      ),
    )
    const { customFields } = (await owner.get(`/contacts/${body.id}`)).body
    expect(customFields).toEqual(Object.fromEntries(fields.map((_, i) => [`f${i}`, `v${i}`])))
  })
})

describe('PUT /contacts/{contactId}/custom-fields/{customFieldId}', () => {
  test('204 sets, and an empty value clears; dates must exist', async () => {
    const { owner } = await api.workspace()
    const field = await owner.post('/contacts/custom-fields', { name: 'Born', type: 'date' })
    const { body } = await owner.post('/contacts', {})
    const path = `/contacts/${body.id}/custom-fields/${field.body.id}`
    for (const value of ['2000-02-29', '2000-02-29T10:00:00+02:00']) {
      expect((await owner.put(path, { value })).status).toBe(204)
      expect((await owner.get(`/contacts/${body.id}`)).body.customFields).toEqual({ Born: value })
    }
    for (const value of ['2001-02-29', '2001-13-01', 'yesterday', '2001-01-01T25:00:00Z'])
      expect((await owner.put(path, { value })).body).toMatchObject({
        status: 400,
        violations: [{ field: 'value', code: 'invalid_date' }],
      })
    expect((await owner.put(path, { value: '' })).status).toBe(204)
    expect((await owner.get(`/contacts/${body.id}`)).body.customFields).toEqual({})
    expect((await owner.put(`/contacts/${body.id}/custom-fields/cf_no`, { value: 'x' })).body.code).toBe(
      'custom_field_not_found',
    )
  })
})

describe('archive, unarchive, delete', () => {
  test('204, then 409 the second time, and lists change', async () => {
    const { owner } = await api.workspace()
    const { id } = (await owner.post('/contacts', { name: 'A' })).body
    const counts = async () => [
      (await owner.get('/contacts/count')).body.totalSize,
      (await owner.get('/contacts/count?archived=true')).body.totalSize,
      (await owner.get('/contacts')).body.contacts.length,
      (await owner.get('/contacts?archived=true')).body.contacts.length,
    ]
    expect((await owner.post(`/contacts/${id}/unarchive`)).body).toMatchObject({
      status: 409,
      code: 'contact_not_archived',
    })
    expect((await owner.post(`/contacts/${id}/archive`)).status).toBe(204)
    expect((await owner.post(`/contacts/${id}/archive`)).body).toMatchObject({
      status: 409,
      code: 'contact_already_archived',
    })
    expect(await counts()).toEqual([0, 1, 0, 1])
    expect((await owner.get(`/contacts/${id}`)).body.archivedAt).toEqual(expect.any(String))
    expect((await owner.post(`/contacts/${id}/unarchive`)).status).toBe(204)
    expect(await counts()).toEqual([1, 0, 1, 0])
  })

  test('204 deletes: listed nowhere, and the phone is free', async () => {
    const { owner } = await api.workspace()
    const number = phone()
    const tag = (await owner.post('/tags', { name: 'vip' })).body
    const { id } = (
      await owner.post('/contacts', { name: 'A', phone: number, customFields: { cf_email: 'x' } })
    ).body
    await owner.post(`/contacts/${id}/tags/${tag.id}`)
    expect((await owner.delete(`/contacts/${id}`)).status).toBe(204)
    for (const answer of [await owner.get(`/contacts/${id}`), await owner.delete(`/contacts/${id}`)])
      expect(answer.status).toBe(404)
    expect((await owner.get('/contacts')).body).toEqual({ contacts: [], nextPageToken: null })
    expect((await owner.get(`/contacts?search=${encodeURIComponent(number)}`)).body.contacts).toEqual([])
    expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: 0 })
    expect((await owner.get('/tags')).body.tags).toMatchObject([{ labeledCount: 0 }])
    expect((await owner.post('/contacts', { phone: number })).status).toBe(201)
  })
})

describe('events', () => {
  test('each change emits one event with the current contact', async () => {
    const { owner, tenantId } = await api.workspace()
    const { id } = (await owner.post('/contacts', { name: 'A', phone: phone() })).body
    const tag = (await owner.post('/tags', { name: 'vip' })).body
    await owner.patch(`/contacts/${id}`, { name: 'B' })
    await owner.patch(`/contacts/${id}`, { name: 'B' }) // changes nothing, says nothing
    await owner.post(`/contacts/${id}/tags/${tag.id}`)
    await owner.post(`/contacts/${id}/tags/${tag.id}`)
    await owner.put(`/contacts/${id}/custom-fields/cf_email`, { value: 'a@b.co' })
    await owner.delete(`/contacts/${id}/tags/${tag.id}`)
    await owner.post(`/contacts/${id}/archive`)
    await owner.post(`/contacts/${id}/unarchive`)
    await owner.delete(`/contacts/${id}`)
    const said = await events(tenantId)
    expect(said.map(event => event.type)).toEqual([
      'contact.created',
      'contact.updated',
      'contact.updated',
      'contact.updated',
      'contact.updated',
      'contact.archived',
      'contact.updated',
      'contact.archived',
    ])
    expect(said[1]!.data).toMatchObject({
      contact: { id, name: 'B', conversations: [{ conversationId: null, channel: 'chatapp' }] },
      changes: ['name'],
      contactChanges: { name: true },
    })
    expect(said[1]!.data.contact).not.toHaveProperty('identities')
    expect(said[2]!.data).toMatchObject({
      contact: { tagIds: [tag.id] },
      changes: ['tagIds'],
      contactChanges: { addedTagIds: [tag.id] },
    })
    expect(said[3]!.data).toMatchObject({
      contact: { customFields: { cf_email: 'a@b.co' } },
      changes: ['customFields'],
    })
    const archivedAt = expect.any(String)
    expect(said[5]!.data.contact).toMatchObject({ archivedAt, deletedAt: null, mergedInto: null })
    expect(said[6]!.data).toMatchObject({ changes: ['archivedAt'] })
    expect(said[7]!.data.contact).toMatchObject({
      archivedAt,
      deletedAt: expect.any(String),
      mergedInto: null,
    })
  })
})

describe('opt-outs', () => {
  test('204 sets and removes an opt-out, returned with the contact', async () => {
    const { owner } = await api.workspace()
    const { id } = (await owner.post('/contacts', {})).body
    for (let i = 0; i < 2; i++) expect((await owner.put(`/contacts/${id}/opt-outs/sms`)).status).toBe(204)
    expect((await owner.get(`/contacts/${id}`)).body.optOuts).toEqual(['sms'])
    for (let i = 0; i < 2; i++) expect((await owner.delete(`/contacts/${id}/opt-outs/sms`)).status).toBe(204)
    expect((await owner.get(`/contacts/${id}`)).body.optOuts).toEqual([])
    expect((await owner.put(`/contacts/${id}/opt-outs/fax`)).status).toBe(400)
  })
})
