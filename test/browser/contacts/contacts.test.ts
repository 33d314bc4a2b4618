/** Tests the table of contacts: search, filter, columns, order, editing, selection, bulk actions and new contacts. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  holdConnections,
  type OpenOptions,
  openTab,
  screenshot,
} from '../support/browser.ts'
import { chainOf, createJourney } from '../support/builder.ts'
import { expectFocus } from '../support/keys.ts'
import { type Office, openOffice, type Person, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('contacts', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function addContacts({ owner }: Office, count: number) {
    const created = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        owner.api.post('/contacts', {
          name: `Person ${String(n).padStart(3, '0')}`,
          phone: `+1415556${String(1000 + n)}`,
          customFields: { cf_email: `p${n}@example.com` },
        }),
      ),
    )
    expect(created.every(({ status }) => status === 201)).toBe(true)
    return created.map(({ body }) => body.id as string)
  }
  async function open(person: Person, at = '/contacts', options: OpenOptions = {}) {
    const { page } = await openTab(options)
    await signIn(page, service, person, at)
    await page.getByRole('heading', { level: 1, name: /^Contacts/ }).waitFor()
    const names = () => page.getByRole('table').getByRole('link').allInnerTexts()
    return { page, names, table: page.getByRole('table', { name: 'Contacts' }) }
  }
  const readExport = async (page: Page, link: Locator) => {
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString().trim().split(/\r?\n/)
  }
  const count = async ({ owner }: Office, filter: object) =>
    (await owner.api.post('/contacts/search/count', { filter })).body.totalSize as number

  test('a filter finds, is restored from the address, and becomes a segment with the same count', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const ids = await addContacts(office, 6)
    const tag = (await api.post('/tags', { name: 'vip' })).body
    for (const id of ids.slice(0, 2)) await api.post(`/contacts/${id}/tags/${tag.id}`)
    const { page, names, table } = await open(office.owner, '/contacts', { expected: /503/ })
    await page.getByRole('status').getByText('6 contacts').waitFor()
    await expectAccessible(page, 'contacts')
    await screenshot(page, 'contacts')
    await page.keyboard.press('f')
    const panel = page.getByRole('region', { name: 'Filter' })
    await panel.getByRole('button', { name: 'Add a condition' }).click()
    await panel.getByRole('combobox', { name: 'Field' }).selectOption('Tags')
    await panel.getByRole('button', { name: /^Choose tags/ }).click()
    await page.getByRole('option', { name: 'vip' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('status').getByText('2 contacts').waitFor()
    await panel.getByText('Contacts that have the tag “vip”.').waitFor()
    await expect.poll(names).toEqual(['Person 001', 'Person 000'])
    await expectAccessible(page, 'contacts with a filter')
    await screenshot(page, 'contacts-filter')
    await page.reload()
    await page.getByRole('status').getByText('2 contacts').waitFor()
    await expect.poll(names).toEqual(['Person 001', 'Person 000'])
    const lines = await readExport(page, page.getByRole('link', { name: 'Export these contacts' }))
    expect(lines).toHaveLength(3)
    await page.getByRole('button', { name: 'Save as a segment' }).click()
    const segmentName = page.getByRole('dialog').getByLabel('Name of the segment')
    await segmentName.fill('Import')
    // Two responses are lost: the retry has no second effect, and another name is another segment.
    let lost = 0
    await page.route('**/v1/segments', async route => {
      await route.fetch()
      await route.fulfill({ status: 503, json: { code: 'unavailable' } })
      lost++
    })
    for (const n of [1, 2]) {
      await segmentName.press('Enter')
      await expect.poll(() => lost).toBe(n)
      await page.getByRole('dialog').getByRole('button', { name: 'Save', disabled: false }).waitFor()
    }
    await page.unroute('**/v1/segments')
    await segmentName.fill('Important')
    await segmentName.press('Enter')
    await page.getByText('Segment “Important” saved').waitFor()
    const { items } = (await api.get('/segments')).body
    expect(items).toMatchObject([{ name: 'Important' }, { name: 'Import' }])
    expect((await api.get(`/segments/${items[0].id}/count`)).body.totalSize).toBe(2)
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('Person 000')
    await page.getByRole('status').getByText('1 contact', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('nobody')
    await page.getByText('No contact matches.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear the filter' }).last().click()
    await page.getByRole('status').getByText('6 contacts').waitFor()
    await table.getByRole('button', { name: 'Name', exact: true }).click()
    await expect
      .poll(names)
      .toEqual(['Person 000', 'Person 001', 'Person 002', 'Person 003', 'Person 004', 'Person 005'])
    expect(await table.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe(
      'ascending',
    )
    // Each order is that of the service, and the orders differ.
    await office.receive('+14155561002', 'hello')
    await expect.poll(async () => (await api.get('/conversations')).body.conversations).toHaveLength(1)
    await api.patch(`/contacts/${ids[3]}`, { customFields: { cf_email: 'changed@example.com' } })
    const orders = new Set<string>()
    for (const [label, field] of [
      ['Last wrote', 'lastInteractionAt'],
      ['Created', 'createdAt'],
      ['Changed', 'updatedAt'],
      ['Name', 'name'],
    ] as const) {
      await page.getByRole('main').getByRole('button', { name: 'Sort by' }).click()
      await page.getByRole('menuitemcheckbox', { name: label }).click()
      const sort = { field, direction: field === 'name' ? 'asc' : 'desc' }
      const filter = { match: 'all', conditions: [] }
      const found = (await api.post('/contacts/search', { filter, sort })).body.items
      const expected = found.map(({ name }: { name: string }) => name)
      await expect.poll(names, { message: label }).toEqual(expected)
      orders.add(expected.join())
    }
    expect(orders.size).toBe(4)
  })

  test('by keyboard: move, edit a name and a field, preview, select and open', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await api.post('/contacts/custom-fields', { name: 'City', type: 'text' })
    const [first] = await addContacts(office, 3)
    const { page, table } = await open(office.owner, '/contacts?sort=name')
    const link = (name: string) => table.getByRole('link', { name })
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await link('Person 000').waitFor()
    await page.keyboard.press('j')
    await expect.poll(focused).toBe('Person 000')
    await page.keyboard.press('j')
    await expect.poll(focused).toBe('Person 001')
    await page.keyboard.press('k')
    await expect.poll(focused).toBe('Person 000')
    await page.keyboard.press('e')
    await page.keyboard.type('!')
    await page.keyboard.press('Enter')
    const read = async () => (await api.get(`/contacts/${first}`)).body
    await expect.poll(read).toMatchObject({ name: 'Person 000!' })
    await link('Person 000!').waitFor()
    await expectFocus(link('Person 000!'))
    await page.keyboard.press('e')
    await page.keyboard.type('not saved')
    await page.keyboard.press('Escape')
    await expectFocus(link('Person 000!'))
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'City' }).click()
    await table.getByRole('button', { name: 'City: empty. Edit' }).first().click()
    await page.keyboard.type('Lisbon')
    await page.keyboard.press('Enter')
    await expect.poll(read).toMatchObject({ customFields: { City: 'Lisbon' } })
    const city = table.getByRole('button', { name: /^City: (Lisbon|Porto)\. Edit$/ })
    await expectFocus(city)
    await page.keyboard.press('Enter')
    await page.keyboard.type('Rome')
    await page.keyboard.press('Escape')
    await expectFocus(city)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Porto')
    await page.keyboard.press('Tab')
    await expect.poll(read).toMatchObject({ customFields: { City: 'Porto' } })
    await expectFocus(table.getByRole('link', { name: 'Person 001' }))
    await page.keyboard.press('Shift+Tab')
    await expectFocus(city)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Lisbon')
    // A click beside all controls saves too.
    await page.getByRole('heading', { level: 1 }).click()
    await expect.poll(read).toMatchObject({ customFields: { City: 'Lisbon' } })
    expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('body')
    const preferences = async () => (await api.get('/users/me/preferences')).body
    await expect.poll(async () => JSON.stringify(await preferences())).toContain('contactColumns')
    await page.reload()
    await table.getByRole('columnheader', { name: 'City' }).waitFor()
    await page.keyboard.press('j')
    await expect.poll(focused).toBe('Person 000!')
    await page.keyboard.press('Space')
    const preview = page.getByRole('dialog', { name: 'Preview the contact' })
    await preview.getByText('+14155561000').waitFor()
    await expectAccessible(page, 'preview')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Person 000!')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('*')
    await page.keyboard.press('a')
    await page.getByText('3 selected').waitFor()
    await page.keyboard.press('*')
    await page.keyboard.press('*')
    await page.getByText('All 3 that match are selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('All 3 that match are selected').waitFor({ state: 'detached' })
    await link('Person 000!').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain(`/contacts/${first}`)
    await page.goBack()
    await link('Person 000!').waitFor()
    await api.patch(`/contacts/${first}`, { name: 'Renamed elsewhere' })
    await link('Renamed elsewhere').waitFor()
  })

  test('all that match are tagged on the server, with progress and undo; some are deleted', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await addContacts(office, 130)
    const tag = (await api.post('/tags', { name: 'autumn' })).body
    const { page, table } = await open(office.owner)
    await page.getByRole('status').getByText('130 contacts').waitFor()
    await table.getByRole('checkbox', { name: 'Select all loaded contacts' }).check()
    expect(await table.getByRole('row').count()).toBeLessThan(60)
    await page.getByRole('button', { name: 'Select all 130 that match' }).click()
    await page.getByText('All 130 that match are selected').waitFor()
    await expectAccessible(page, 'selection')
    await screenshot(page, 'contacts-selection')
    await page.getByRole('button', { name: 'Add a tag to the selection' }).click()
    await page.getByRole('option', { name: 'autumn' }).click()
    await page.getByText('130 contacts tagged').waitFor()
    const tagged = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] }
    expect(await count(office, tagged)).toBe(130)
    await table.getByText('autumn').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('130 contacts restored').waitFor()
    expect(await count(office, tagged)).toBe(0)
    await table.getByRole('link').first().focus()
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+j')
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Delete the selection' }).click()
    await page
      .getByRole('dialog', { name: 'Delete 2 contacts?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByRole('status').getByText('128 contacts').waitFor()
    expect(await count(office, { match: 'all', conditions: [] })).toBe(128)
    await table.getByRole('link').last().scrollIntoViewIfNeeded()
    for (let n = 0; n < 12; n++) await page.mouse.wheel(0, 2_000)
    await page
      .getByRole('rowgroup')
      .last()
      .evaluate(list => list.scrollTo(0, 100_000))
    await table.getByRole('link', { name: 'Person 000' }).waitFor()
  })

  test('a tag is removed, a field set, and contacts are archived and restored, for everything that matches', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await api.post('/contacts/custom-fields', { name: 'City', type: 'text' })
    const ids = await addContacts(office, 60)
    const tag = (await api.post('/tags', { name: 'autumn' })).body
    for (const id of ids.slice(0, 2)) await api.post(`/contacts/${id}/tags/${tag.id}`)
    const { page, table } = await open(office.owner, '/contacts?q=Person 00')
    const shown = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()
    await shown('10 contacts')
    const selectAll = () => table.getByRole('checkbox', { name: 'Select all loaded contacts' }).check()
    await selectAll()
    await page.getByRole('button', { name: 'Remove a tag from the selection' }).click()
    await page.getByRole('option', { name: 'autumn' }).click()
    await page.getByText('Tag removed from 2 contacts').waitFor()
    const tagged = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] }
    expect(await count(office, tagged)).toBe(0)
    await selectAll()
    await page.getByRole('button', { name: 'Set a field of the selection' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Field').selectOption('City')
    await dialog.getByLabel('Value').fill('Lisbon')
    await expectAccessible(page, 'set a field')
    await page.keyboard.press('Enter')
    await page.getByText('Field of 10 contacts set').waitFor()
    const fields = (await api.get('/contacts/custom-fields')).body.customFields
    const fieldId = fields.find(({ name }: { name: string }) => name === 'City').id
    const inLisbon = { type: 'customFieldText', fieldId, operator: 'equals', value: 'Lisbon' }
    expect(await count(office, { match: 'all', conditions: [inLisbon] })).toBe(10)
    await selectAll()
    await page.getByRole('button', { name: 'Archive the selection' }).click()
    await page.getByText('10 contacts archived').waitFor()
    await page.getByText('No contact matches.').waitFor()
    expect(await count(office, { match: 'all', conditions: [] })).toBe(50)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await shown('10 contacts')
    expect(await count(office, { match: 'all', conditions: [] })).toBe(60)
    for (const id of ids.slice(0, 3)) await api.post(`/contacts/${id}/archive`)
    const archived = { match: 'all', conditions: [{ type: 'archiveStatus', status: 'archived' }] }
    await page.goto(`${service.url}/contacts?filter=${encodeURIComponent(JSON.stringify(archived))}`)
    await shown('3 contacts')
    await selectAll()
    expect(await page.getByRole('button', { name: 'Archive the selection' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Take the selection out of the archive' }).click()
    await page.getByText('3 contacts taken out of the archive').waitFor()
    expect(await count(office, { match: 'all', conditions: [] })).toBe(60)
  })

  test('a journey starts for the selected contacts and for all that match', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await addContacts(office, 3)
    const { page, table } = await open(office.owner)
    await table.getByRole('checkbox', { name: 'Select Person 001' }).check()
    await page.getByRole('button', { name: 'Start a journey with the selection' }).click()
    const none = page.getByRole('dialog', { name: 'Start a journey with the selection' })
    await none.getByText('No journey is active.').waitFor()
    await expectAccessible(page, 'no active journey')
    expect(await none.getByRole('link', { name: 'Open the journeys' }).getAttribute('href')).toBe('/journeys')
    await page.keyboard.press('Escape')
    await table.getByRole('checkbox', { name: 'Select Person 001' }).uncheck()
    const id = await createJourney(office.owner, chainOf(1), 'Follow-up')
    expect((await api.post(`/journeys/${id}/publish`)).status).toBe(200)
    expect((await api.post(`/journeys/${id}/activate`)).status).toBe(200)
    const countRuns = async () => (await api.get(`/journeys/${id}/runs`)).body.runs.length
    const start = async () => {
      await page.getByRole('button', { name: 'Start a journey with the selection' }).click()
      await page.getByRole('option', { name: 'Follow-up' }).click()
      await page.getByText('“Follow-up” starts in the background for contacts that may enter').waitFor()
    }
    await table.getByRole('checkbox', { name: 'Select Person 001' }).check()
    await start()
    await expect.poll(countRuns).toBe(1)
    await page.getByText('1 selected').waitFor({ state: 'detached' })
    // The message stays for seconds, and the second start waits for its own.
    await page.reload()
    await table.getByRole('checkbox', { name: 'Select all loaded contacts' }).check()
    await start()
    // Each contact enters once.
    await expect.poll(countRuns).toBe(3)
  })

  test('a new contact: the number is checked while typing; a number in use opens its contact', async () => {
    const office = await openOffice(service)
    const [first] = await addContacts(office, 1)
    const { page, table } = await open(office.owner, '/contacts', { expected: /409/ })
    await table.waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New contact' })
    await dialog.getByLabel('Name').fill('Zoe')
    const phone = dialog.getByLabel('Phone')
    await phone.fill('415x')
    await dialog.getByText('A phone number has digits only.').waitFor()
    await phone.fill('415')
    await dialog.getByText('Begin with + and the code of the country.').waitFor()
    await phone.fill('+1 415')
    await expect.poll(() => dialog.getByText('Begin with +').count()).toBe(0)
    await phone.fill('+1 415 556-1000')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Another contact has this number.').waitFor()
    await expectAccessible(page, 'new contact')
    await screenshot(page, 'contacts-new')
    await dialog.getByRole('button', { name: 'Open that contact' }).click()
    await expect.poll(() => page.url()).toContain(`/contacts/${first}`)
    await page.goBack()
    await table.waitFor()
    await page.keyboard.press('c')
    await dialog.getByLabel('Name').fill('Zoe')
    await dialog.getByLabel('Phone').fill('+1 415 556-9000')
    await page.keyboard.press('Enter')
    await table.getByRole('link', { name: 'Zoe' }).waitFor()
    await page.getByRole('status').getByText('2 contacts').waitFor()
    const formula = '=HYPERLINK("http://x.example")'
    expect((await office.owner.api.post('/contacts', { name: formula })).status).toBe(201)
    // An apostrophe keeps spreadsheets from running the name.
    const lines = await readExport(page, page.getByRole('link', { name: 'Export all contacts' }))
    expect(lines).toHaveLength(4)
    expect(lines.find(line => line.includes('HYPERLINK'))).toContain(`"'${formula.replaceAll('"', '""')}"`)
  })

  test('an agent on a phone in the dark; errors and the empty list are said', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    const phone = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const
    const { page, table } = await open(agent, '/contacts', { ...phone, expected: /500|DISCONNECTED/ })
    await page.getByText(/^No contacts yet/).waitFor()
    await expectAccessible(page, 'no contacts')
    await addContacts(office, 4)
    await table.getByRole('link', { name: 'Person 003' }).waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'contacts on a phone')
    await screenshot(page, 'contacts-phone-dark')
    expect(await page.getByRole('link', { name: 'Export all contacts' }).count()).toBe(0)
    expect((await agent.api.get('/contacts/export')).status).toBe(403)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Add a condition' }).click()
    expect(await page.getByRole('button', { name: 'Save as a segment' }).count()).toBe(0)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'contacts-filter-phone-dark')
    const fail = { status: 500, json: { code: 'internal_error', title: 'x', requestId: 'req_1' } }
    await page.route(/\/v1\/contacts\/search$/, route => route.fulfill(fail))
    const connect = await holdConnections(page)
    await page.reload()
    await page.getByText('internal_error · req_1').waitFor()
    await expectAccessible(page, 'contacts failed')
    await page.unroute(/\/v1\/contacts\/search$/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await table.getByRole('link', { name: 'Person 003' }).waitFor()
    connect()
    await page.context().setOffline(true)
    await page.getByText(/^Offline: as of/).waitFor()
    await expectAccessible(page, 'contacts offline')
    await office.owner.api.post('/contacts', { name: 'Added meanwhile' })
    await page.context().setOffline(false)
    await table.getByRole('link', { name: 'Added meanwhile' }).waitFor()
  })
})
