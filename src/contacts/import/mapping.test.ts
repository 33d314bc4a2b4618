/** Tests the preview, the mapping and the list of imports, duplicates, and the conversations and runs of a contact. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, testApi, type Workspace } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { startImportWorkers, uploadFile, waitForImport } from '../testing/imports.ts'

const api = await testApi()
await playProviders(api)
startImportWorkers(api)
let workspace: Workspace
let owner: Client
let numbers = 1000

beforeEach(async () => {
  workspace = await api.workspace()
  owner = workspace.owner
})

async function preview(file: string | Uint8Array) {
  const body = new FormData()
  body.append('file', new Blob([file]), 'contacts.csv')
  const response = await fetch(`${api.url}/v1/contacts/import/preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
    body,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests read any property of responses
  return { status: response.status, body: (await response.json()) as any }
}

describe('preview', () => {
  test('200 with separator, columns, rows and a mapping that the import accepts', async () => {
    const field = (await owner.post('/contacts/custom-fields', { name: 'City', type: 'text' })).body
    const file = `Full Name;Mobile Phone;E-Mail;city;Shoe size;;Phone\nAda;+14155550901;ada@example.com;Bern;38;;1\n`
    const { status, body } = await preview(file)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ separator: ';', encoding: 'utf-8' })
    const mapping = body.columns.map(({ suggestion }: { suggestion: string }) => suggestion)
    const email = mapping[2]
    expect(email).toMatch(/^field:/)
    expect(mapping).toEqual(['name', 'phone', email, `field:${field.id}`, 'new:Shoe size', 'skip', 'skip'])
    expect(body.rows).toEqual([['Ada', '+14155550901', 'ada@example.com', 'Bern', '38', '', '1']])
    const fields = { mapping: JSON.stringify(mapping), createFields: 'true' }
    const started = await uploadFile(api, owner, file, { fields })
    expect(started.status, JSON.stringify(started.body)).toBe(202)
    const done = await waitForImport(owner, started.body.importId)
    expect(done).toMatchObject({ status: 'completed', successCount: 1, errors: [] })
    const [found] = (await owner.get('/contacts?search=ada@example.com')).body.contacts
    expect((await owner.get(`/contacts/${found.id}`)).body).toMatchObject({
      name: 'Ada',
      customFields: { City: 'Bern', 'Shoe size': '38' },
    })
    const { imports } = (await owner.get('/contacts/imports?pageSize=1')).body
    expect(imports).toMatchObject([
      {
        importId: started.body.importId,
        status: 'completed',
        filename: 'contacts.csv',
        successCount: 1,
        createdCount: 1,
      },
    ])
    await owner.post('/contacts', { name: 'Created beside the import' })
    const again = await uploadFile(api, owner, file, { fields })
    await waitForImport(owner, again.body.importId)
    const listCreated = async ({ importId }: { importId: string }) => {
      const filter = { match: 'all', conditions: [{ type: 'createdByImport', importId }] }
      const { items } = (await owner.post('/contacts/search', { filter })).body
      return items.map(({ id }: { id: string }) => id)
    }
    expect(await listCreated(started.body)).toEqual([found.id])
    expect(await listCreated(again.body)).toEqual([])
    expect(await listCreated({ importId: 'import_missing' })).toEqual([])
    const [second] = (await owner.get('/contacts/imports?pageSize=1')).body.imports
    expect(second).toMatchObject({ importId: again.body.importId, successCount: 1, createdCount: 0 })
  })

  test('suggests what the usual German headers mean', async () => {
    const { body } = await preview('Kunde;Handynummer;E-Mail-Adresse;Kundennummer;Gruppe;Gewicht\n')
    const kinds = body.columns.map(({ suggestion }: { suggestion: string }) => suggestion)
    expect(kinds).toEqual(['name', 'phone', 'field:cf_email', 'field:cf_external_ref', 'tags', 'new:Gewicht'])
  })

  test('200 with 20 rows at most; 400 and 415 for files that are not tables', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `Person ${i}\n`).join('')
    expect((await preview(`name\n${rows}`)).body.rows).toHaveLength(20)
    expect((await preview('')).status).toBe(400)
    expect((await preview(new Uint8Array([0, 1, 2, 3, 0, 0, 0]))).status).toBe(415)
    expect((await preview(`name\n${'x'.repeat(3 * 1024 * 1024)}`)).status).toBe(413)
  })
})

describe('mapping', () => {
  test('400 for what is not a mapping; the import fails if it does not fit the file', async () => {
    const upload = (mapping: string) => uploadFile(api, owner, 'a,b\nx,y\n', { fields: { mapping } })
    for (const mapping of ['nonsense', '{}', '[]', '["phones"]', '[1]'])
      expect((await upload(mapping)).status, mapping).toBe(400)
    const unfit = ['["name"]', '["name","field:unknown"]', '["skip","skip"]', '["name","name"]']
    for (const mapping of unfit) {
      const { importId } = (await upload(mapping)).body
      const done = await waitForImport(owner, importId)
      expect(done.status, mapping).toBe('failed')
      expect(done.errors).toHaveLength(1)
    }
  })
})

describe('duplicates', () => {
  test('200 with contacts of the same address or name, only those that the caller sees', async () => {
    const { owner: other } = await api.workspace()
    const create = async (name: string, email?: string) => {
      const { id } = (await other.post('/contacts', { name })).body
      if (email) await other.put(`/contacts/${id}/custom-fields/cf_email`, { value: email })
      return id as string
    }
    const [a, b] = [await create('Ada', 'ada@example.com'), await create('A. Lovelace', 'ADA@example.com')]
    const [c, d] = [await create('Grace Hopper', 'g@example.com'), await create('grace hopper')]
    const [e, f] = [await create('Max', 'max@example.com'), await create('Max', 'max2@example.com')]
    const list = async (by: string) => {
      const { groups } = (await other.get(`/contacts/duplicates?by=${by}`)).body
      return groups.map((group: { contacts: { id: string }[] }) => group.contacts.map(({ id }) => id).sort())
    }
    expect(await list('email')).toEqual([[a, b].sort()])
    const byName = await list('name')
    expect(byName).toContainEqual([c, d].sort())
    expect(byName).not.toContainEqual([e, f].sort())
    await other.delete(`/contacts/${b}`)
    expect(await list('email')).toEqual([])
    expect((await owner.get('/contacts/duplicates?by=email')).body.groups).toEqual([])
  })
})

test('200 with the conversations and runs of a contact, for those who see them', async () => {
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['5551'], phoneNumberIds: [`555${numbers++}`] },
  })
  const inboxId = body.inboxes[0].id
  await owner.put(`/inboxes/${inboxId}/team`, { teamId: workspace.teamId })
  const recipient = { type: 'phone', phoneNumber: '+14155550977' }
  const content = { type: 'text', text: { body: 'Hello' } }
  const { conversation } = (await owner.post('/messages', { recipient, inboxId, content })).body
  const path = `/contacts/${conversation.contactId}`
  const { conversations } = (await owner.get(`${path}/conversations`)).body
  expect(conversations).toMatchObject([{ id: conversation.id }])
  expect((await owner.get(`${path}/runs`)).body).toEqual({ runs: [], nextPageToken: null })
  const outsider = await workspace.user('agent')
  expect((await outsider.get(`${path}/conversations`)).status).toBe(404)
  expect((await outsider.get(`${path}/runs`)).status).toBe(404)
})
