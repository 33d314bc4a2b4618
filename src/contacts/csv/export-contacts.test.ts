import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import { hasVisibleCharacter } from '../../platform/visible-text.ts'
import { importFile, listStoredContacts, startImportWorkers } from '../testing/imports.ts'

const api = await testApi()
startImportWorkers(api)

async function exported(client: Client, query = ''): Promise<string> {
  const answer = await client.get(`/contacts/export${query}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  return answer.body
}

/** Field ids differ between workspaces; names do not. */
async function people(client: Client) {
  const all = await listStoredContacts(api, client.tenantId)
  const { customFields } = (await client.get('/contacts/custom-fields')).body
  const names = new Map<string, string>(
    customFields.map((field: { id: string; name: string }) => [field.id, field.name]),
  )
  return all.map(({ fields, ...rest }) => ({
    ...rest,
    fields: Object.fromEntries(Object.entries(fields).map(([id, value]) => [names.get(id)!, value])),
  }))
}

describe('GET /contacts/export', () => {
  test('a header, and a line for each contact', async () => {
    const { owner } = await api.workspace()
    await owner.post('/contacts/custom-fields', { name: 'plan', type: 'text' })
    const phone = '+14155550100'
    const customFields = { cf_email: 'a@example.com', plan: '=cmd|calc' }
    const ada = (await owner.post('/contacts', { name: 'Ada "A", L', phone, customFields })).body.id
    const bob = (await owner.post('/contacts', { name: 'Bob' })).body.id
    const vip = (await owner.post('/tags', { name: 'vip' })).body.id
    await owner.post(`/contacts/${ada}/tags/${vip}`)
    const hidden = (await owner.post('/contacts', { name: 'Archived' })).body.id
    await owner.post(`/contacts/${hidden}/archive`)
    expect((await exported(owner)).split('\r\n')).toEqual([
      'name,phone,email,tags,externalRef,cf_phone,plan,contactId',
      `"Ada ""A"", L",${phone},a@example.com,vip,,,'=cmd|calc,${ada}`,
      `Bob,,,,,,,${bob}`,
      '',
    ])
    expect((await exported(owner, '?archived=true')).split('\r\n').slice(1)).toEqual([
      `Archived,,,,,,,${hidden}`,
      '',
    ])
  })

  test('403 for agents', async () => {
    const { user } = await api.workspace()
    expect((await (await user('agent')).get('/contacts/export')).status).toBe(403)
  })

  test('importing it into the same workspace changes nothing', async () => {
    const { owner } = await api.workspace()
    const rows = Array.from(
      { length: 2_300 },
      (_, i) => `P${i},${i % 3 ? `+1415${2_000_000 + i}` : ''},p${i}@example.com,t${i % 5}`,
    )
    await importFile(api, owner, `name,phone,email,tags\n${rows.join('\n')}\n`)
    const file = await exported(owner)
    expect(file.split('\r\n')).toHaveLength(2_302)
    const status = await importFile(api, owner, file)
    expect(status).toMatchObject({ status: 'completed', successCount: 2_300, failedCount: 0, errors: [] })
    expect(await exported(owner)).toBe(file)
    expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: 2_300 })
  })

  test('any contacts are equal after an export and an import into another workspace', {
    timeout: 240_000,
  }, async () => {
    const odd = fc.constantFrom(
      '=cmd|1',
      "'",
      "'=1",
      ' x ',
      '\t',
      '+1',
      '-',
      '@',
      '"',
      'a,b',
      'a;b',
      '\r\n',
      '\n',
      '%',
      '_',
      '\u202e',
      "'t",
    )
    const text = fc
      .oneof(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), odd)
      .filter(value => !value.includes('\0') && value.isWellFormed())
    const label = text.filter(hasVisibleCharacter)
    // Names of fields and tags are trimmed.
    const name = label.map(value => value.trim())
    let phones = 0
    const contact = fc.record(
      {
        name: label,
        phone: fc.constant(null).map(() => `+1415${3_000_000 + phones++}`),
        values: fc.array(fc.option(text, { nil: '' }), { minLength: 5, maxLength: 5 }),
        tags: fc.array(fc.nat(3), { maxLength: 3 }),
      },
      { requiredKeys: ['values', 'tags'] },
    )
    const different = { selector: (name: string) => name.normalize('NFD').toUpperCase().toLowerCase() }
    const names = fc.uniqueArray(name, { minLength: 3, maxLength: 3, ...different })
    const tagNames = fc.uniqueArray(name, { minLength: 4, maxLength: 4, ...different })
    await fc.assert(
      fc.asyncProperty(
        names,
        tagNames,
        fc.array(contact, { maxLength: 5 }),
        async (fieldNames, tags, contacts) => {
          // The import takes rows without a phone number and with the same e-mail for one contact.
          const emails = contacts.flatMap(({ values }) => (values[3] ? [values[3].trim().toLowerCase()] : []))
          fc.pre(new Set(emails).size === emails.length)
          const { owner } = await api.workspace()
          const fields = [...fieldNames, 'cf_email', 'cf_phone', 'cf_external_ref']
          for (const name of fieldNames) {
            const made = await owner.post('/contacts/custom-fields', { name, type: 'text' })
            fc.pre(made.status === 201)
          }
          const tagIds = await Promise.all(
            tags.map(async name => (await owner.post('/tags', { name })).body.id),
          )
          fc.pre(tagIds.every(Boolean))
          for (const { values, tags: chosen, ...rest } of contacts) {
            const customFields = Object.fromEntries(
              fields.map((name, i) => [name, values[i]!]).filter(([, value]) => value !== ''),
            )
            const made = await owner.post('/contacts', { ...rest, customFields })
            expect(made.status, JSON.stringify(made.body)).toBe(201)
            for (const tag of chosen) await owner.post(`/contacts/${made.body.id}/tags/${tagIds[tag]}`)
          }
          const file = await exported(owner)
          for (const line of file.split('\r\n')) expect(line).not.toMatch(/^"?[=+\-@\t]/)
          const other = (await api.workspace()).owner
          const status = await importFile(api, other, file, { fields: { createFields: 'true' } })
          expect(status, `${JSON.stringify(status)} ${file}`).toMatchObject({
            status: 'completed',
            successCount: contacts.length,
            failedCount: 0,
          })
          expect(await people(other)).toEqual(await people(owner))
        },
      ),
      { numRuns: Number(process.env.ROUND_TRIPS ?? 25) },
    )
  })
})
