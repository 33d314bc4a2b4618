/** Every file, valid or not, has a clear result. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import {
  importFile,
  listStoredContacts,
  startImportWorkers,
  uploadFile,
  waitForImport,
} from '../testing/imports.ts'

const api = await testApi()
startImportWorkers(api)
let owner: Client
let tenantId: string

beforeEach(async () => {
  ;({ owner, tenantId } = await api.workspace())
  await owner.post('/contacts/custom-fields', { name: 'note', type: 'text' })
})

let next = 0
/** A phone number that no other test uses. */
const phone = () => `+1415${6_000_000 + next++}`
const named = async (...names: string[]) => {
  const all = await listStoredContacts(api, tenantId)
  return all.filter(contact => names.includes(contact.name ?? '')).map(contact => contact.name)
}
const noteOf = async (name: string) => {
  const found = (await listStoredContacts(api, tenantId)).find(contact => contact.name === name)
  return Object.values(found?.fields ?? {})[0]
}

test('507 while the files of imports that have not ended exceed the quota', async () => {
  // Without workers no import ends.
  const small = await testApi({ STORAGE_MB_PER_WORKSPACE: '1' })
  const { owner: caller } = await small.workspace()
  const send = (bytes: number) => uploadFile(small, caller, `name,phone\n${'x'.repeat(bytes)},\n`)
  expect(await send(700_000)).toMatchObject({ status: 202 })
  const refused = await send(700_000)
  expect(refused).toMatchObject({ status: 507, body: { code: 'storage_full' } })
  expect((await caller.get('/contacts/imports')).body.imports).toHaveLength(1)
  expect(await send(100)).toMatchObject({ status: 202 })
})

describe('forms of CSV', () => {
  test.each([
    ['a byte order mark', '\ufeffname,phone\nBom,P\n', 'Bom'],
    ['CRLF', 'name,phone\r\nCrlf,P\r\n', 'Crlf'],
    ['CR', 'name,phone\rCr,P\r', 'Cr'],
    ['semicolons', 'name;phone\nSemicolon;P\n', 'Semicolon'],
    ['tabs', 'name\tphone\nTab\tP\n', 'Tab'],
    ['no line end at the end', 'name,phone\nNoEnd,P', 'NoEnd'],
    ['empty lines', '\n\nname,phone\n\nEmptyLines,P\n\n\n', 'EmptyLines'],
    ['lines of blanks and separators', ' \nname,phone\n,\nBlankLines,P\n\t, \n"",\n', 'BlankLines'],
    ['short rows', 'name,phone,note,tags\nShort,P\n', 'Short'],
    ['quotes everywhere', '"name","phone"\n"Quoted","P"\n', 'Quoted'],
    ['blanks around cells', 'name , phone\n Blanks , P \n', 'Blanks'],
    ['columns without a name at the end', 'name,phone,,\nTrailing,P,,\n', 'Trailing'],
    ['emoji', 'name,phone\n👩‍🚀 é ا,P\n', '👩‍🚀 é ا'],
    ['a separator in a semicolon file', 'name;phone\n"Semi;colon";P\n', 'Semi;colon'],
  ])('%s', async (_what, text, name) => {
    expect(await importFile(api, owner, text.replace('P', phone()))).toMatchObject({
      status: 'completed',
      totalRows: 1,
      successCount: 1,
      errors: [],
    })
    expect(await named(name)).toEqual([name])
  })

  test('quoted line ends and quotes', async () => {
    await importFile(api, owner, 'name,note\nLines,"one\r\ntwo, ""three"""\n')
    expect(await noteOf('Lines')).toBe('one\r\ntwo, "three"')
  })

  test('Windows-1252 is converted with a notice', async () => {
    const status = await importFile(api, owner, Buffer.from('name,note\nJos\xe9 1252,5 \x80\n', 'latin1'))
    expect(status).toMatchObject({
      status: 'completed',
      successCount: 1,
      failedCount: 0,
      errors: [{ row: 0, column: '', message: expect.stringContaining('Windows-1252') }],
    })
    expect(await noteOf('José 1252')).toBe('5 €')
  })

  test('an invalid row in UTF-8 rejects only that row', async () => {
    const file = Buffer.concat([
      Buffer.from('name\nZoë U\nJörg U\n'),
      Buffer.from([0x58, 0xe9, 0x0a]),
      Buffer.from('Ana U\n'),
    ])
    const status = await importFile(api, owner, file)
    expect(status).toMatchObject({
      successCount: 3,
      failedCount: 1,
      errors: [{ row: 3, message: expect.stringContaining('UTF-8') }],
    })
    expect(await named('Zoë U', 'Jörg U', 'Ana U')).toHaveLength(3)
  })

  test('an unclosed quote rejects its row, the others are imported', async () => {
    const status = await importFile(api, owner, 'name,note\nBefore,x\nBroken,"x\nAfter,y\nLast,z\n')
    expect(status).toMatchObject({ status: 'completed', totalRows: 4, successCount: 3, failedCount: 1 })
    expect(status.errors).toEqual([{ row: 2, column: '', message: expect.stringContaining('quote') }])
    expect(await named('Before', 'Broken', 'After', 'Last')).toEqual(['Before', 'After', 'Last'])
  })

  test('a NUL rejects only its row', async () => {
    const status = await importFile(api, owner, `name\n${'\n'.repeat(5_000)}I\0van\nNul\n`)
    expect(status).toMatchObject({ successCount: 1, failedCount: 1, errors: [{ row: 1, column: 'name' }] })
  })

  test('texts are stored unchanged', async () => {
    const odd = [
      '%_\\',
      "'; drop table contacts; --",
      '\u202eRTL',
      'e\u0301',
      '{{contact.name}}',
      "'t Hooft",
      '__proto__',
    ]
    for (const text of odd) await importFile(api, owner, `name\n"${text}"\n`)
    expect(await named(...odd)).toEqual(odd)
    await importFile(api, owner, "name,note\nGuarded,'=cmd|calc\n")
    expect(await noteOf('Guarded')).toBe('=cmd|calc')
  })

  test('200 columns', async () => {
    const fields = Array.from({ length: 198 }, (_, i) => `wide ${i}`)
    const file = `name,phone,${fields.join(',')}\nWide,${phone()},${fields.map((_, i) => `v${i}`).join(',')}\n`
    const refused = await importFile(api, owner, file)
    expect(refused).toMatchObject({ status: 'failed', successCount: 0 })
    expect(refused.errors).toHaveLength(198)
    expect(await importFile(api, owner, file, { fields: { createFields: 'true' } })).toMatchObject({
      successCount: 1,
    })
    const wide = (await listStoredContacts(api, tenantId)).find(contact => contact.name === 'Wide')!
    expect(Object.values(wide.fields)).toEqual(fields.map((_, i) => `v${i}`))
  })
})

describe('files that cannot be imported', () => {
  test.each([
    ['an empty file', '', /empty/],
    ['only line ends', '\n\n\n', /empty/],
    ['an unknown column', 'name,what\nx,y\n', /createFields/],
    ['a duplicate column', 'name,Name\nx,y\n', /duplicate/],
    ['email and cf_email', 'name,email,cf_email\nx,y,z\n', /duplicate/],
    ['a column without a name', 'name,,phone\nx,y,+1\n', /has no name/],
    ['no column that identifies contacts', 'cf_phone\n0415\n', /name, phone, email or externalRef/],
    ['data instead of a header', '+14155550100,Ada\n', /createFields/],
    ['an unclosed quote in the header', '"name,phone\nx,y\n', /header/],
    ['too many columns', `${Array.from({ length: 501 }, (_, i) => `c${i}`).join(',')}\n`, /at most 500/],
  ])('%s', async (_what, text, message) => {
    const status = await importFile(api, owner, text)
    expect(status).toMatchObject({ status: 'failed', totalRows: 0, successCount: 0, failedCount: 0 })
    expect(status.errors[0]).toMatchObject({ row: 0, message: expect.stringMatching(message) })
  })

  test('a column that cannot become a field', async () => {
    const status = await importFile(api, owner, 'name,__proto__\nx,y\n', { fields: { createFields: 'true' } })
    expect(status).toMatchObject({ status: 'failed', totalRows: 0 })
    expect(status.errors[0]).toMatchObject({
      row: 0,
      message: expect.stringMatching(/to become a custom field/),
    })
  })

  test('a header without rows completes with no contacts', async () => {
    expect(await importFile(api, owner, 'name,phone\n')).toMatchObject({
      status: 'completed',
      totalRows: 0,
      errors: [],
    })
  })
})

describe('POST /contacts/import', () => {
  test.each([
    ['an Excel workbook', Buffer.from('PK\u0003\u0004\u0014\0'), /workbook/],
    ['UTF-16', Buffer.from('\ufeffname\n', 'utf16le'), /UTF-16/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), /not text/],
  ])('415 for %s', async (_what, file, detail) => {
    const answer = await uploadFile(api, owner, file)
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
    expect(answer.body.detail).toMatch(detail)
  })

  test('400 for a wrong part, no file, a wrong or unknown field', async () => {
    expect(await uploadFile(api, owner, 'name\nA\n', { part: 'upload' })).toMatchObject({
      status: 400,
      body: { violations: [{ field: 'upload', code: 'unknown_property' }] },
    })
    for (const [fields, field] of [
      [{ dryRun: 'yes' }, 'dryRun'],
      [{ dryrun: 'true' }, 'dryrun'],
    ] as const)
      expect(await uploadFile(api, owner, 'name\nA\n', { fields })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', violations: [{ field }] },
      })
    const form = new FormData()
    form.append('dryRun', 'true')
    const headers = { authorization: `Bearer ${owner.token}` }
    const empty = await fetch(`${api.url}/v1/contacts/import`, { method: 'POST', headers, body: form })
    expect(empty.status).toBe(400)
    expect(await empty.json()).toMatchObject({ violations: [{ field: 'file', code: 'required' }] })
  })

  test('4xx for bodies that are not forms', async () => {
    expect((await owner.post('/contacts/import', { file: 'x' })).status).toBe(415)
    expect((await owner.request('POST', '/contacts/import')).status).toBe(415)
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=x', 'nothing like a form'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
      ],
    ] as const) {
      const answer = await owner.request('POST', '/contacts/import', body, { 'content-type': type })
      expect(answer.status, `${type} ${body} ${JSON.stringify(answer.body)}`).toBe(400)
    }
  })

  test('Idempotency-Key: the same file again is the same import, another file is refused', async () => {
    const headers = { 'idempotency-key': 'import-1' }
    const file = `name,phone\nOnce,${phone()}\n`
    const first = await uploadFile(api, owner, file, { headers })
    const again = await uploadFile(api, owner, file, { headers })
    expect(first.status).toBe(202)
    expect(again).toMatchObject({ status: 202, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    await waitForImport(owner, first.body.importId)
    expect(await named('Once')).toEqual(['Once'])
    for (const form of [{ filename: 'other.csv' }, { fields: { dryRun: 'true' } }])
      expect((await uploadFile(api, owner, file, { headers, ...form })).status).toBe(422)
    expect(await uploadFile(api, owner, `${file}x,\n`, { headers })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
  })
})
