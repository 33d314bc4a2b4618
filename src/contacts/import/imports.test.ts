import { Readable } from 'node:stream'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { linkConversations } from '../activity.ts'
import { insertImport } from '../store/imports.ts'
import {
  importFile,
  listStoredContacts,
  listStoredEvents,
  startImportWorkers,
  uploadFile,
  waitForImport,
} from '../testing/imports.ts'
import { importContacts } from './run-import.ts'

const api = await testApi()
startImportWorkers(api)

const ok = (rows: number) => ({
  status: 'completed',
  totalRows: rows,
  successCount: rows,
  failedCount: 0,
  errors: [],
})

describe('imported contacts', () => {
  test('names, phones, e-mail addresses, tags and custom fields', async () => {
    const { owner, tenantId } = await api.workspace()
    const plan = (await owner.post('/contacts/custom-fields', { name: 'Plan', type: 'text' })).body.id
    const due = (await owner.post('/contacts/custom-fields', { name: 'due', type: 'date' })).body.id
    await owner.post('/tags', { name: 'VIP' })
    const status = await importFile(
      api,
      owner,
      'Name,PHONE,email,tags,plan,due,cf_phone\n' +
        'Ada,+1 (415) 555-0100,ada@example.com,"vip; new, old",gold,2026-02-28,0415 555\n' +
        'Grace,,,new,,,\n',
    )
    expect(status).toMatchObject(ok(2))
    expect(await listStoredContacts(api, tenantId)).toEqual([
      {
        name: 'Ada',
        phone: '+14155550100',
        fields: { cf_email: 'ada@example.com', [plan]: 'gold', [due]: '2026-02-28', cf_phone: '0415 555' },
        tags: ['VIP', 'new', 'old'],
      },
      { name: 'Grace', phone: null, fields: {}, tags: ['new'] },
    ])
    const { tags } = (await owner.get('/tags')).body
    expect(
      Object.fromEntries(
        tags.map((tag: { name: string; labeledCount: number }) => [tag.name, tag.labeledCount]),
      ),
    ).toEqual({
      VIP: 1,
      new: 2,
      old: 1,
    })
    expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: 2 })
  })

  test('an event for each contact, equal to the API response, with the import id', async () => {
    const { owner, tenantId } = await api.workspace()
    const { importId } = await importFile(
      api,
      owner,
      'name,phone,email,tags\nAda,+14155550100,a@b.co,x\nBob,,,\n',
    )
    const events = await listStoredEvents(api, tenantId)
    expect(events.map(event => [event.type, event.data.contact.name, event.data.importId])).toEqual([
      ['contact.created', 'Ada', importId],
      ['contact.created', 'Bob', importId],
    ])
    for (const { data } of events) {
      const { identities, ...shown } = (await owner.get(`/contacts/${data.contact.id}`)).body
      const { phoneNumber } = identities[0]?.metadata ?? {}
      const link = { conversationId: null, channel: 'chatapp', metadata: { phoneNumber } }
      expect(data.contact).toEqual({ ...shown, conversations: phoneNumber ? [link] : [] })
    }
  })

  test('an existing phone updates its contact, blank cells change nothing, and only changes emit events', async () => {
    const { owner, tenantId } = await api.workspace()
    const made = await owner.post('/contacts', {
      name: 'Ada',
      phone: '+5511987654321',
      customFields: { cf_email: 'old@example.com', cf_phone: '1' },
    })
    const before = (await listStoredEvents(api, tenantId)).length
    const file = 'phone,name,email,tags,cf_phone\n+55 11 8765-4321,,new@example.com,x,\n'
    const { importId, ...status } = await importFile(api, owner, file)
    expect(status).toMatchObject(ok(1))
    const contact = (await owner.get(`/contacts/${made.body.id}`)).body
    expect(contact).toMatchObject({
      name: 'Ada',
      customFields: { cf_email: 'new@example.com', cf_phone: '1' },
    })
    expect(contact.tagIds).toHaveLength(1)
    expect((await listStoredEvents(api, tenantId)).slice(before)).toMatchObject([
      {
        type: 'contact.updated',
        data: {
          contact: { id: made.body.id },
          importId,
          contactChanges: { fieldIds: ['cf_email'], addedTagIds: contact.tagIds },
        },
      },
    ])
    const count = (await listStoredEvents(api, tenantId)).length
    expect(await importFile(api, owner, file)).toMatchObject(ok(1))
    expect(await listStoredEvents(api, tenantId)).toHaveLength(count)
    const searched = await owner.get('/contacts?search=NEW@example')
    expect(searched.body.contacts.map((one: { id: string }) => one.id)).toEqual([made.body.id])
    expect((await owner.get('/contacts?search=old@example')).body.contacts).toEqual([])
  })

  test('an archived contact is updated and stays archived', async () => {
    const { owner } = await api.workspace()
    const made = await owner.post('/contacts', { name: 'Ada', phone: '+14155550100' })
    await owner.post(`/contacts/${made.body.id}/archive`)
    expect(await importFile(api, owner, 'phone,name\n+14155550100,Ada L\n')).toMatchObject(ok(1))
    const { body } = await owner.get(`/contacts/${made.body.id}`)
    expect(body.name).toBe('Ada L')
    expect(body.archivedAt).not.toBeNull()
  })

  test('a repeated phone updates the same contact, with a notice of its first row', async () => {
    const { owner, tenantId } = await api.workspace()
    const filler = Array.from({ length: 1_200 }, (_, i) => `F${i},+1415555${1000 + i},\n`).join('')
    const status = await importFile(
      api,
      owner,
      `name,phone,email\nAda,+14155550100,a@example.com\nAda L,+1 415 555 0100,\n${filler},+14155550100,b@example.com\n`,
    )
    expect(status).toMatchObject({
      status: 'completed',
      totalRows: 1_203,
      successCount: 1_203,
      failedCount: 0,
    })
    expect(status.errors).toEqual([
      { row: 2, column: 'phone', message: expect.stringContaining('row 1 ') },
      { row: 1_203, column: 'phone', message: expect.stringContaining('row 1 ') },
    ])
    const [ada, ...others] = await listStoredContacts(api, tenantId)
    expect(ada).toMatchObject({ name: 'Ada L', fields: { cf_email: 'b@example.com' } })
    expect(others).toHaveLength(1_200)
  })

  test('createFields creates a field for each unknown column', async () => {
    const { owner, tenantId } = await api.workspace()
    const file = 'name,Favourite colour\nAda,blue\n'
    expect(await importFile(api, owner, file)).toMatchObject({
      status: 'failed',
      totalRows: 0,
      errors: [{ row: 0, column: 'Favourite colour', message: expect.stringContaining('createFields') }],
    })
    expect(await listStoredContacts(api, tenantId)).toEqual([])
    expect(await importFile(api, owner, file, { fields: { createFields: 'true' } })).toMatchObject(ok(1))
    const { customFields } = (await owner.get('/contacts/custom-fields')).body
    expect(customFields).toContainEqual(
      expect.objectContaining({ name: 'Favourite colour', type: 'text', createdBy: owner.id }),
    )
    const [contact] = (await owner.get('/contacts')).body.contacts
    expect(contact.customFields).toEqual({ 'Favourite colour': 'blue' })
  })

  test('dryRun reports errors and changes nothing', async () => {
    const { owner, tenantId } = await api.workspace()
    const file = 'name,phone,tags,new\nAda,+14155550100,x,1\nBob,nope,,\nAda,+14155550100,,\n'
    const fields = { dryRun: 'true', createFields: 'true' }
    expect(await importFile(api, owner, file, { fields })).toMatchObject({
      status: 'completed',
      totalRows: 3,
      successCount: 2,
      failedCount: 1,
      errors: [
        { row: 2, column: 'phone' },
        { row: 3, column: 'phone' },
      ],
    })
    expect(await listStoredContacts(api, tenantId)).toEqual([])
    expect(await listStoredEvents(api, tenantId)).toEqual([])
    expect((await owner.get('/tags')).body.tags).toEqual([])
    expect((await owner.get('/contacts/custom-fields')).body.customFields).toHaveLength(3)
  })
})

describe('rows without a phone number', () => {
  test('a row updates the contact with its externalRef or e-mail address', async () => {
    const { owner, tenantId } = await api.workspace()
    const ada = await owner.post('/contacts', { name: 'Ada', customFields: { cf_email: 'Ada@example.com' } })
    const file = 'name,email,externalRef,phone\n'
    const rows = [
      'Ada L,ada@EXAMPLE.com,crm-1',
      'Bob,,crm-2',
      'Cy,,CRM-2',
      'Bobby,bob@example.com,crm-2',
      'Dee,dee@example.com,,+14155550100',
      'Dee D,dee@example.com',
      'Ada Lovelace,,crm-1',
    ]
    expect(await importFile(api, owner, `${file}${rows.join('\n')}\n`)).toMatchObject(ok(7))
    const stored = [
      { name: 'Ada Lovelace', fields: { cf_email: 'ada@EXAMPLE.com', cf_external_ref: 'crm-1' } },
      { name: 'Bobby', fields: { cf_email: 'bob@example.com', cf_external_ref: 'crm-2' } },
      { name: 'Cy', fields: { cf_external_ref: 'CRM-2' } },
      { name: 'Dee D', phone: '+14155550100', fields: { cf_email: 'dee@example.com' } },
    ]
    expect(await listStoredContacts(api, tenantId)).toMatchObject(stored)
    expect((await owner.get(`/contacts/${ada.body.id}`)).body.name).toBe('Ada Lovelace')
    const again = 'email,externalRef\nbob@example.com,\n,crm-2\n'
    expect(await importFile(api, owner, again)).toMatchObject(ok(2))
    expect(await listStoredContacts(api, tenantId)).toMatchObject(stored)
  })

  test('a row that matches several contacts, or one that the agent cannot see, is rejected', async () => {
    const { owner, tenantId, teamId, user } = await api.workspace()
    const create = async (cf_email: string) =>
      (await owner.post('/contacts', { customFields: { cf_email } })).body.id as string
    await create('two@example.com')
    await create('two@example.com')
    const contactId = await create('hidden@example.com')
    const link = { contactId, conversationId: 'cnv_1', channel: 'chatapp' as const, phone: null }
    await transact(api.deps.db, tx => linkConversations(tx, tenantId, [{ ...link, teamId, ownerId: null }]))
    const file = 'email\ntwo@example.com\nhidden@example.com\n'
    expect(await importFile(api, await user('agent'), file)).toMatchObject({
      successCount: 0,
      failedCount: 2,
      errors: [
        { row: 1, column: 'email', message: expect.stringContaining('several contacts') },
        { row: 2, column: 'email', message: expect.stringContaining('cannot access') },
      ],
    })
    expect(await listStoredContacts(api, tenantId)).toHaveLength(3)
  })
})

describe('scopes', () => {
  test('403 for createFields without custom_field:create', async () => {
    const { key } = await api.workspace()
    const robot = await key({ scopes: ['contact:create', 'contact:list'] })
    const answer = await uploadFile(api, robot, 'name,new\nA,1\n', { fields: { createFields: 'true' } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'auth_scope_missing' } })
    expect(answer.body.detail).toContain('custom_field:create')
  })

  test('rows with new tags are rejected without tag:create, also by a dry run', async () => {
    const { owner, key, tenantId } = await api.workspace()
    await owner.post('/tags', { name: 'VIP' })
    const robot = await key({ scopes: ['contact:create', 'contact:list'] })
    const file = 'name,tags\nAda,vip\nBob,"vip,new"\n'
    const expected = { successCount: 1, failedCount: 1, errors: [{ row: 2, column: 'tags' }] }
    expect(await importFile(api, robot, file, { fields: { dryRun: 'true' } })).toMatchObject(expected)
    expect(await importFile(api, robot, file)).toMatchObject(expected)
    expect((await listStoredContacts(api, tenantId)).map(({ name, tags }) => [name, tags])).toEqual([
      ['Ada', ['VIP']],
    ])
    expect((await owner.get('/tags')).body.tags).toHaveLength(1)
  })
})

describe('invalid rows', () => {
  test('bad rows are rejected with reasons, good rows are imported', async () => {
    const { owner, tenantId } = await api.workspace()
    await owner.post('/contacts/custom-fields', { name: 'due', type: 'date' })
    const rows = [
      'Ada,+14155550100,2026-02-28,',
      'Bob,12345,2026-02-30,',
      `${'x'.repeat(201)},,,`,
      'Dan,,2026-02-28T10:00:00+02:00,',
      'Eve,,,',
      'too,few',
      'too,,,,many',
      ',,,',
      `Hal,,,${'t'.repeat(101)}`,
      'Zoe,,,ok,,',
    ]
    const status = await importFile(api, owner, `name,phone,due,tags\n${rows.join('\n')}\n`)
    expect(status).toMatchObject({ status: 'completed', totalRows: 9, successCount: 4, failedCount: 5 })
    expect(status.errors.map(error => [error.row, error.column])).toEqual([
      [2, 'phone'],
      [2, 'due'],
      [3, 'name'],
      [6, 'phone'],
      [7, ''],
      [8, 'tags'],
    ])
    expect((await listStoredContacts(api, tenantId)).map(contact => contact.name)).toEqual([
      'Ada',
      'Dan',
      'Eve',
      'Zoe',
    ])
  })

  test('at most 1,000 errors are stored, and the count is exact', async () => {
    const { owner } = await api.workspace()
    const status = await importFile(api, owner, `name,phone\n${'x,nope\n'.repeat(2_345)}y,\n`)
    expect(status).toMatchObject({ totalRows: 2_346, successCount: 1, failedCount: 2_345 })
    expect(status.errors).toHaveLength(1_000)
    expect(status.errors[999]!.row).toBe(1_000)
  })
})

describe('agents', () => {
  test('a phone of an invisible contact is a row error and changes nothing', async () => {
    const { owner, tenantId, teamId, user } = await api.workspace()
    const agent = await user('agent')
    const hidden = (await owner.post('/contacts', { name: 'Hidden', phone: '+14155550100' })).body.id
    await owner.post('/contacts', { name: 'Seen', phone: '+14155550101' })
    await transact(api.deps.db, tx =>
      linkConversations(tx, tenantId, [
        {
          contactId: hidden,
          conversationId: 'cnv_1',
          channel: 'chatapp',
          phone: null,
          teamId,
          ownerId: null,
        },
      ]),
    )
    const file = 'name,phone\nA,+14155550100\nB,+14155550101\nC,+14155550102\nD,+14155550100\n'
    const status = await importFile(api, agent, file)
    expect(status).toMatchObject({ status: 'completed', successCount: 2, failedCount: 2 })
    expect(status.errors.map(error => [error.row, error.column])).toEqual([
      [1, 'phone'],
      [4, 'phone'],
    ])
    expect((await listStoredContacts(api, tenantId)).map(contact => contact.name)).toEqual([
      'Hidden',
      'B',
      'C',
    ])
    const byId = await importFile(api, agent, `contactId,name\n${hidden},X\n`)
    expect(byId).toMatchObject({ successCount: 0, failedCount: 1 })
    expect(await importFile(api, owner, 'name,phone\nA,+14155550100\n')).toMatchObject(ok(1))
  })

  test('an import stops when its user is disabled', async () => {
    const { owner, tenantId, user } = await api.workspace()
    const agent = await user('agent')
    await api.deps.blobs.put(`${tenantId}/x`, Readable.from([Buffer.from('name\nA\n')]))
    const caller: Caller = {
      tenantId,
      id: agent.id,
      kind: 'user',
      role: 'agent',
      scopes: new Set(),
      teamIds: [],
    }
    const file = { filename: 'x', blob: `${tenantId}/x`, size: 7, dryRun: false, createFields: false }
    await owner.patch(`/users/${agent.id}`, { disabled: true })
    await transact(api.deps.db, async tx => {
      await insertImport(tx, tenantId, { id: 'import_x', caller, ...file })
      await enqueue(tx, importContacts, { tenantId, payload: { importId: 'import_x' } })
    })
    expect(await waitForImport(owner, 'import_x')).toMatchObject({ status: 'failed', errors: [{ row: 0 }] })
    expect(await listStoredContacts(api, tenantId)).toEqual([])
  })
})

test('imports of one workspace run one at a time, beside those of another', async () => {
  const [one, two] = [await api.workspace(), await api.workspace()]
  const blocker = new pg.Client(api.connection)
  await blocker.connect()
  onTestFinished(() => blocker.end())
  await blocker.query('begin; lock table contacts in share mode')
  const ids: [typeof one.owner, string][] = []
  for (const { owner } of [one, one, one, two])
    ids.push([owner, (await uploadFile(api, owner, 'name\nA\n')).body.importId])
  const countRunning = async (tenantId: string) =>
    (
      await api.deps.db.rows(sql`
        select from job_lanes where name = ${importContacts.name} and tenant_id = ${tenantId} and state = 'leased'`)
    ).length
  await eventually(async () => expect(await countRunning(two.tenantId)).toBe(1))
  expect(await countRunning(one.tenantId)).toBe(1)
  await blocker.query('rollback')
  for (const [owner, id] of ids) expect(await waitForImport(owner, id)).toMatchObject(ok(1))
})

describe('GET /contacts/imports/{id}', () => {
  test('404 for another workspace', async () => {
    const [one, two] = [await api.workspace(), await api.workspace()]
    const { importId } = await importFile(api, one.owner, 'name\nA\n')
    expect(await two.owner.get(`/contacts/imports/${importId}`)).toMatchObject({
      status: 404,
      body: { code: 'contact_import_not_found' },
    })
    expect((await one.owner.get('/contacts/imports/nothing')).status).toBe(404)
  })

  test('agents see their own imports only, owners all', async () => {
    const { owner, user } = await api.workspace()
    const [importer, other] = [await user('agent'), await user('agent')]
    const { importId } = await importFile(api, importer, 'name\nA\n')
    const list = async (client: Client) =>
      (await client.get('/contacts/imports')).body.imports.map((item: { importId: string }) => item.importId)
    for (const client of [importer, owner]) {
      expect(await list(client)).toEqual([importId])
      expect((await client.get(`/contacts/imports/${importId}`)).status).toBe(200)
    }
    expect(await list(other)).toEqual([])
    expect((await other.get(`/contacts/imports/${importId}`)).status).toBe(404)
  })

  test('its file is deleted at the end', async () => {
    const { owner, tenantId } = await api.workspace()
    const answer = await uploadFile(api, owner, 'name\nA\n')
    await waitForImport(owner, answer.body.importId)
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(await api.deps.blobs.stat(`${tenantId}/imports/${answer.body.importId}`)).toBeNull()
  })
})
