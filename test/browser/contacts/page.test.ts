/** Tests the contact page: editing, opt-outs, notes, timeline, merging and erasing. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  type OpenOptions,
  openTab,
  screenshot,
} from '../support/browser.ts'
import { expectFocus } from '../support/keys.ts'
import { type Office, openOffice, type Person, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('contact page', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function addContact({ owner }: Office, body: object) {
    const created = await owner.api.post('/contacts', body)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    return created.body.id as string
  }
  async function open(person: Person, id: string, options: OpenOptions = {}) {
    const { page } = await openTab(options)
    await signIn(page, service, person, `/contacts/${id}`)
    await page.getByRole('region', { name: 'Contact', exact: true }).waitFor()
    return page
  }

  test('name, field, tag and opt-out are edited; a segment counts the change within a second', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const field = (await api.post('/contacts/custom-fields', { name: 'City', type: 'text' })).body
    await api.post('/contacts/custom-fields', { name: 'Birthday', type: 'date' })
    await api.post('/tags', { name: 'VIP' })
    const id = await addContact(office, { name: 'Bo Customer', phone: '+14155550170' })
    const condition = { type: 'customFieldText', fieldId: field.id, operator: 'equals', value: 'Lisbon' }
    const filter = { match: 'all', conditions: [condition] }
    const { body: segment } = await api.post('/segments', { name: 'Lisbon', filter })
    const tab = await openTab()
    await signIn(tab.page, service, office.owner, `/segments/${segment.id}`)
    const count = tab.page.getByRole('region', { name: 'Matching contacts' }).getByRole('heading')
    await expect.poll(() => count.innerText()).toBe('No contacts')
    const list = (await tab.another()).page
    await list.goto(`${service.url}/contacts`)
    await list.getByRole('link', { name: 'Bo Customer' }).waitFor()
    const page = await open(office.owner, id)
    await page.getByRole('button', { name: /^Name of the contact: Bo Customer/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name of the contact' }).fill('Bo Harbor')
    await page.keyboard.press('Enter')
    await list.getByRole('link', { name: 'Bo Harbor' }).waitFor({ timeout: within(3_000) })
    await page.getByRole('button', { name: 'City: empty. Edit' }).click()
    await page.getByRole('textbox', { name: 'City' }).fill('Lisbon')
    await page.keyboard.press('Enter')
    await expect.poll(() => count.innerText(), { timeout: within(3_000) }).toBe('1 contact')
    await page.getByRole('button', { name: 'Change the tags' }).click()
    await page.getByRole('option', { name: 'VIP' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Chat' }).check()
    await page.getByText('Opted out of Chat').first().waitFor()
    const read = async () => (await api.get(`/contacts/${id}`)).body
    await expect
      .poll(read)
      .toMatchObject({ name: 'Bo Harbor', customFields: { City: 'Lisbon' }, optOuts: ['chatapp'] })
    const timeline = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
    await expect.poll(() => timeline.count()).toBe(2)
    await expectAccessible(page, 'contact')
    await screenshot(page, 'contact')
    await page.getByRole('button', { name: 'Birthday: empty. Edit' }).click()
    const date = page.getByLabel('Birthday', { exact: true })
    expect(await date.getAttribute('type')).toBe('date')
    await date.fill('1990-05-17')
    await page.keyboard.press('Enter')
    await expect.poll(read).toMatchObject({ customFields: { Birthday: '1990-05-17' } })
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByRole('button', { name: 'Take out of the archive' }).waitFor()
    expect((await read()).archivedAt).not.toBeNull()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Contact taken out of the archive').waitFor()
    expect((await read()).archivedAt).toBeNull()
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor()
  })

  test('notes are written, changed and deleted; the timeline and the conversations equal those of the API', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550171', 'where is my order?', 'Cy Customer')
    const find = async () => (await api.get('/conversations')).body.conversations[0]
    await expect.poll(find).toBeDefined()
    const { id: conversationId, contactId } = await find()
    const { page } = await openTab()
    await signIn(page, service, office.owner, `/inbox/${conversationId}`)
    await page.getByRole('complementary').getByRole('link', { name: 'Open the contact page' }).click()
    await expect.poll(() => page.url()).toContain(`/contacts/${contactId}`)
    await page.getByRole('link', { name: 'Notes' }).click()
    await page.getByLabel('Write a note about this contact').fill('Prefers mornings')
    await page.getByRole('button', { name: 'Add note' }).click()
    const notes = page.getByRole('list', { name: 'Notes' })
    await notes.getByText('Prefers mornings').waitFor()
    await expectAccessible(page, 'notes')
    await notes.getByRole('button', { name: 'Edit the note' }).click()
    await expectFocus(page.getByRole('textbox', { name: 'Edit the note' }))
    await page.getByRole('textbox', { name: 'Edit the note' }).fill('Prefers evenings')
    await page.getByRole('button', { name: 'Save' }).click()
    await notes.getByText('Prefers evenings').waitFor()
    await expectFocus(notes.getByRole('button', { name: 'Edit the note' }))
    await page.reload()
    await notes.getByText('Prefers evenings').waitFor()
    await page.getByRole('link', { name: 'Timeline' }).click()
    const entries = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
    await entries.getByText('Prefers evenings').waitFor()
    const { items } = (await api.get(`/contacts/${contactId}/timeline`)).body
    expect(await entries.count()).toBe(items.length)
    await screenshot(page, 'contact-timeline')
    await page
      .getByRole('navigation', { name: 'Parts of the contact' })
      .getByRole('link', { name: 'Journeys' })
      .click()
    await page.getByText('This contact has been in no journey.').waitFor()
    await page.getByRole('link', { name: 'Conversations', exact: true }).click()
    await page.getByRole('link', { name: 'where is my order?' }).click()
    await expect.poll(() => page.url()).toContain(`/inbox/${conversationId}`)
    await page.goBack()
    await page.getByRole('link', { name: 'Notes' }).click()
    await api.post(`/contacts/${contactId}/notes`, { text: 'Moves in May' })
    await notes.getByText('Moves in May').waitFor()
    const remove = notes.getByRole('button', { name: 'Delete the note' })
    await remove.first().press('Enter')
    await expect.poll(() => remove.count()).toBe(1)
    await expectFocus(remove)
    await page.keyboard.press('Enter')
    await page.getByText(/^No notes yet/).waitFor()
    await expectFocus(page.getByLabel('Write a note about this contact'))
    expect((await api.get(`/contacts/${contactId}/notes`)).body.notes).toEqual([])
  })

  test('after a merge with chosen values, the old address opens the merged contact', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const tag = (await api.post('/tags', { name: 'VIP' })).body
    const email = (name: string) => ({ cf_email: `${name}@example.com` })
    const id = await addContact(office, { name: 'Di Old', phone: '+14155550173', customFields: email('old') })
    const other = await addContact(office, {
      name: 'Di New',
      phone: '+14155550174',
      customFields: email('new'),
    })
    await api.post(`/contacts/${other}/tags/${tag.id}`)
    const page = await open(office.owner, id, { expected: /503/ })
    const elsewhere = await open(office.owner, other)
    await page.getByRole('button', { name: 'Merge…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge a contact into Di Old' })
    await dialog.getByLabel('Name, number or e-mail').fill('Di New')
    await dialog.getByRole('button', { name: /^Di New/ }).click()
    await dialog.getByRole('radio', { name: 'Other contact: Di New' }).check()
    await dialog.getByText('Addresses: +14155550174').waitFor()
    await dialog.getByText('Tags: VIP').waitFor()
    await dialog.getByText('Conversations: 0').waitFor()
    await expectAccessible(page, 'merge')
    await screenshot(page, 'contact-merge')
    // The chosen values are not stored after the merge: the second attempt, with the same key, stores them.
    let failed = 0
    await page.route(`**/v1/contacts/${id}`, async route => {
      if (route.request().method() !== 'PATCH' || failed > 0) return route.continue()
      failed++
      return route.fulfill({ status: 503, json: { code: 'unavailable' } })
    })
    const keys: (string | undefined)[] = []
    page.on('request', request => {
      if (request.url().endsWith('/merge')) keys.push(request.headers()['idempotency-key'])
    })
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
    await expect.poll(() => failed).toBe(1)
    await dialog.getByRole('button', { name: 'Merge', exact: true, disabled: false }).click()
    await page.getByText('Contacts merged').waitFor()
    expect(keys).toEqual([expect.any(String), keys[0]])
    const merged = (await api.get(`/contacts/${id}`)).body
    expect(merged).toMatchObject({ name: 'Di New', customFields: email('old'), tagIds: [tag.id] })
    await expect.poll(() => elsewhere.url()).toContain(`/contacts/${id}`)
    await page.goto(`${service.url}/contacts/${other}`)
    await expect.poll(() => page.url()).toContain(`/contacts/${id}`)
    await page.getByRole('button', { name: /^Name of the contact: Di New/ }).waitFor()
    await page.getByText('Di New was merged into this contact').waitFor()
  })

  test('a contact without a name is called by its address; an address of a tab marks that tab', async () => {
    const office = await openOffice(service)
    const id = await addContact(office, { phone: '+14155550176' })
    const page = await open(office.owner, `${id}?tab=timeline`)
    const heading = page.getByRole('heading', { level: 1 })
    await heading.getByText('+14155550176').waitFor()
    const tab = page.getByRole('link', { name: 'Timeline', exact: true })
    expect(await tab.getAttribute('aria-current')).toBe('page')
    // The number is there once.
    expect(await page.getByRole('term').filter({ hasText: 'Phone' }).count()).toBe(0)
    await heading.getByRole('button', { name: /^Name of the contact: empty/ }).click()
    expect(await heading.getByRole('textbox').inputValue()).toBe('')
    await page.keyboard.type('Flo Named')
    await page.keyboard.press('Enter')
    await heading.getByText('Flo Named').waitFor()
  })

  test('a contact is erased after its name was typed; an agent on a phone cannot', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const agent = await office.hire('Kim Lee')
    const id = await addContact(office, { name: 'Ed Gone', phone: '+14155550175' })
    const phone = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const
    const small = await open(agent, id, { ...phone, expected: /404/ })
    await small.getByText('Contact created').waitFor()
    await expectNoSidewaysScroll(small)
    await expectAccessible(small, 'contact on a phone')
    await screenshot(small, 'contact-phone-dark')
    expect(await small.getByRole('button', { name: 'Erase…' }).count()).toBe(0)
    expect((await agent.api.post(`/contacts/${id}/erase`)).status).toBe(403)
    const page = await open(office.owner, id, { expected: /ERR_FAILED/ })
    // The first attempt does not reach the service; the second one is the same request.
    const keys: (string | undefined)[] = []
    await page.route(/\/erase$/, async route => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length === 1) await route.abort()
      else await route.continue()
    })
    await page.getByRole('button', { name: 'Erase…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase Ed Gone?' })
    await dialog.getByLabel('Type “Ed Gone” to confirm').fill('Ed')
    await page.keyboard.press('Enter')
    expect(await dialog.getByRole('button', { name: 'Erase forever' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
    await expectAccessible(page, 'erase')
    await dialog.getByLabel('Type “Ed Gone” to confirm').fill('Ed Gone')
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page, 'erasing has failed')
    await dialog.getByRole('button', { name: 'Erase forever' }).press('Enter')
    await page.getByText('The contact is being erased').waitFor()
    await page.getByText(/^No contacts yet/).waitFor()
    expect(keys).toEqual([expect.any(String), keys[0]])
    expect((await api.get(`/contacts/${id}`)).status).toBe(404)
    await small.getByText('This contact was deleted.').waitFor()
    await small.reload()
    await small.getByText('Not found, or you do not have access.').waitFor()
    await expectAccessible(small, 'no such contact')
  })
})
