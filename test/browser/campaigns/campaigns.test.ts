/** Tests the list of campaigns and the editor of drafts. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  holdConnections,
  type OpenOptions,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { expectFocus } from '../support/keys.ts'
import { type Office, openOffice, type Person, signIn } from '../support/people.ts'

const phone = { viewport: { width: 320, height: 740 }, colorScheme: 'dark' } as const
const text = (body: string) => ({ type: 'text', text: { body } })

/** Returns the elements of which a part, or a part of the text, is outside of the window. */
const listOutside = (page: Page) =>
  page.evaluate(() => {
    const getRight = (element: Element) => {
      const texts = document.createRange()
      texts.selectNodeContents(element)
      return Math.max(element.getBoundingClientRect().right, texts.getBoundingClientRect().right)
    }
    return [...document.body.querySelectorAll('main *, [role=dialog] *, section[aria-live] *')]
      .filter(element => element.checkVisibility() && getRight(element) > innerWidth + 1)
      .map(element => element.textContent || element.outerHTML)
  })

describe.skipIf(!hasBrowser)('campaigns', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function open(person: Person, at: string, options: OpenOptions = {}): Promise<Page> {
    const { page } = await openTab(options)
    await signIn(page, service, person, at)
    return page
  }

  const createDraft = async ({ owner }: Office, name: string, patch: object = {}) => {
    const { body } = await owner.api.post('/campaigns', { name })
    if (Object.keys(patch).length === 0) return body
    const changed = await owner.api.patch(`/campaigns/${body.id}`, patch)
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    return changed.body
  }

  let phones = 100
  async function createAudience(office: Office, names: readonly string[]) {
    const { api } = office.owner
    const contacts = []
    for (const name of names) {
      const { body, status } = await api.post('/contacts', { name, phone: `+1415557${1000 + phones++}` })
      expect(status, JSON.stringify(body)).toBe(201)
      contacts.push(body)
    }
    const filter = { match: 'all', conditions: [] }
    const segment = (await api.post('/segments', { name: 'Everyone', filter })).body
    return { contacts, segment }
  }

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

  test('the list shows figures of the API, and changes of others without a reload', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const page = await open(office.owner, '/campaigns')
    await page.getByText('No campaigns yet.').waitFor()
    await expectAccessible(page, 'no campaigns')
    const { segment } = await createAudience(office, ['Ada', 'Bo', 'Cy'])
    const content = text('Hello {{contact.name}}')
    const draft = await createDraft(office, 'Spring', {
      segmentId: segment.id,
      inboxId: office.inboxId,
      content,
    })
    await row(page, 'Spring').getByText('Draft').waitFor()
    await api.post(`/campaigns/${draft.id}/schedule`, { sendAt: 'now' })
    const read = async () => (await api.get('/campaigns')).body.items[0]
    const { counts } = await until(read, item => item.status === 'sent' && item.counts.sent === 0)
    expect(counts).toMatchObject({ delivered: 3 })
    await expect
      .poll(() => row(page, 'Spring').getByRole('cell').allInnerTexts())
      .toEqual(['Sent', '3', '100 %', '0', expect.any(String), ''])
    await createDraft(office, 'Summer')
    await row(page, 'Summer').waitFor()
    await expectAccessible(page, 'campaigns')
    await screenshot(page, 'campaigns')
    await page.getByLabel('Status').selectOption('Sent')
    await expect.poll(() => row(page, 'Summer').count()).toBe(0)
    await page.reload()
    await row(page, 'Spring').waitFor()
    expect(await row(page, 'Summer').count()).toBe(0)
    await page.getByLabel('Status').selectOption('Paused')
    await page.getByText('No campaign has this status.').waitFor()
    await page.goBack()
    await row(page, 'Spring').waitFor()
  })

  test('a campaign is created, duplicated and deleted by keyboard', async () => {
    const office = await openOffice(service)
    const page = await open(office.owner, '/inbox')
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New campaign' }).waitFor()
    await expectAccessible(page, 'new campaign')
    await page.keyboard.type('Autumn')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Autumn' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    const menu = row(page, 'Autumn').getByRole('button', { name: 'Actions for Autumn' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter')
    await page.getByRole('heading', { name: 'Autumn (copy)' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Actions for Autumn (copy)' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Delete “Autumn (copy)”?' })
    await expectAccessible(page, 'delete campaign')
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
    await expect.poll(() => row(page, 'Autumn (copy)').count()).toBe(0)
    const listNames = async () =>
      (await office.owner.api.get('/campaigns')).body.items.map(({ name }: { name: string }) => name)
    await expect.poll(listNames).toEqual(['Autumn'])
  })

  test('an agent on a phone sees the list without controls; errors can be retried', async () => {
    const office = await openOffice(service)
    await createDraft(office, 'Spring')
    const agent = await office.hire('Kim Lee')
    const page = await open(agent, '/campaigns', { ...phone, expected: /50[03]/ })
    await row(page, 'Spring').waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'campaigns on a phone')
    await screenshot(page, 'campaigns-phone-dark')
    expect((await agent.api.post('/campaigns', { name: 'Mine' })).status).toBe(403)
    await page.route('**/v1/campaigns?*', route =>
      route.fulfill({ status: 503, json: { code: 'unavailable' } }),
    )
    await holdConnections(page)
    await page.reload()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page, 'failed campaigns')
    await page.unroute('**/v1/campaigns?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await row(page, 'Spring').waitFor()
  })

  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const saved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor()

  test('C5, C6: a draft is written by keyboard, previewed, tested and sent; the preview is what contacts receive', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await api.post('/contacts/custom-fields', { name: 'plan', type: 'text' })
    const { contacts } = await createAudience(office, ['Ada Lovelace', 'Bo Diddley', 'Cy Twombly'])
    const [ada, bo, cy] = contacts
    for (const { id } of [ada, bo])
      await api.patch(`/contacts/${id}`, { customFields: { plan: 'gold & <silver>' } })
    await api.put(`/contacts/${bo.id}/opt-outs/chatapp`)
    const { id } = await createDraft(office, 'Plans')
    const page = await open(office.owner, `/campaigns/${id}`)
    await page.getByText('Still missing: Who, From, What').waitFor()
    await page.getByRole('button', { name: 'Review and send' }).press('Enter')
    await part(page, 'Who').getByText('Choose a segment.').waitFor()
    await part(page, 'From').getByText('Choose an inbox.').waitFor()
    await part(page, 'What').getByText('Write a message, or choose a template.').waitFor()
    await expectAccessible(page, 'incomplete draft')
    await screenshot(page, 'campaign-incomplete')
    // The heading of the first incomplete part has the focus.
    await page.keyboard.press('Tab')
    await page.keyboard.press('E')
    await part(page, 'Who').getByText('3 contacts in this segment now').waitFor()
    const inbox = (await api.get(`/inboxes/${office.inboxId}`)).body
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type(inbox.name)
    await saved(page)
    expect(await part(page, 'From').getByLabel('Inbox').inputValue()).toBe(office.inboxId)
    await expect.poll(() => page.getByText('Choose a segment.').count()).toBe(0)
    await page.getByLabel('Text', { exact: true }).focus()
    await page.keyboard.type('Hello {{nam')
    await page.getByRole('option', { name: 'contact.name' }).waitFor()
    await expectAccessible(page, 'values of the contact')
    await page.keyboard.press('Enter')
    await page.keyboard.type(',')
    await page.keyboard.press('Enter')
    await page.keyboard.type('your plan: {{plan')
    await page.keyboard.press('Tab')
    const content = text('Hello {{contact.name}},\nyour plan: {{contact.customFields.plan}}')
    const read = async () => (await api.get(`/campaigns/${id}`)).body
    await expect.poll(read).toMatchObject({ content, inboxId: office.inboxId })
    await saved(page)

    const estimate = (await api.get(`/campaigns/${id}/estimate`)).body
    expect(estimate).toMatchObject({ sendable: 1, skipped: { opted_out: 1, missing_parameter: 1 } })
    const aside = page.getByRole('complementary', { name: 'Estimate' })
    await expect.poll(() => aside.getByRole('definition').allInnerTexts()).toEqual(['3', '1', '2', '1', '1'])
    await screenshot(page, 'campaign-editor')
    await expectAccessible(page, 'draft')
    const names: string[] = []
    const preview = aside.getByRole('figure')
    for (let i = 0; i < 3; i++) {
      await preview.getByText(/Hello|would be skipped/).waitFor()
      names.push((await preview.innerText()).replaceAll('\n\n', '\n'))
      await aside.getByRole('button', { name: 'Next contact' }).press('Enter')
      if (i < 2) await expect.poll(() => preview.innerText()).not.toBe(names.at(-1))
    }
    const shown = names.find(item => item.includes('Hello'))!
    expect(names).toContain(
      `${cy.name}\nThis contact would be skipped: A value that the message needs is missing`,
    )
    expect(names).toContain(`${bo.name}\nThis contact would be skipped: Opted out of this channel`)

    await page.getByRole('button', { name: 'Choose a contact' }).click()
    await page.getByRole('option', { name: /Ada/ }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expectAccessible(page, 'test send')
    const sent = async () => (await api.get(`/sandbox/sent?inboxId=${office.inboxId}`)).body.items
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Test sent to Ada Lovelace').waitFor()
    await expect.poll(async () => (await sent()).length).toBe(1)

    await page.getByRole('button', { name: 'Review and send' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Send this campaign now?' })
    await expect.poll(() => dialog.getByRole('definition').allInnerTexts()).toEqual(['3', '1', '2', '1', '1'])
    await expectAccessible(page, 'confirmation')
    await screenshot(page, 'campaign-confirm')
    await dialog.getByRole('button', { name: 'Send to 1 contact' }).press('Enter')
    await page.getByText('Sent', { exact: true }).first().waitFor()
    const items = await until(sent, found => found.length === 2)
    for (const { payload } of items) expect(`${ada.name}\n${payload.text.body}`).toBe(shown)
  })

  test('templates, cards and files are written; a time is part of the address', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { segment } = await createAudience(office, ['Ada'])
    const { id } = await createDraft(office, 'Kinds', { segmentId: segment.id, inboxId: office.inboxId })
    // A pause between two fields may save a card that the channel refuses.
    const page = await open(office.owner, `/campaigns/${id}`, { expected: /400/ })
    const read = async () => (await api.get(`/campaigns/${id}`)).body.content
    const preview = page.getByRole('figure')
    const kind = page.getByLabel('Kind of message')
    await kind.selectOption('Template')
    await page.getByLabel('Template', { exact: true }).selectOption('greeting · en_US')
    await page.getByLabel('Value of {{1}}').fill('{{contact.name}}')
    const parameters = [{ type: 'text', text: '{{contact.name}}' }]
    await expect.poll(read).toEqual({
      type: 'template',
      template: { name: 'greeting', language: 'en_US', components: [{ type: 'body', parameters }] },
    })
    await preview.getByText('Hi Ada, thanks for getting in touch.').waitFor()
    await kind.selectOption('Card with buttons')
    await page.getByText('The message is incomplete and not saved yet.').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('Our spring offer, {{contact.name}}')
    await page.getByLabel('Title of button 1').fill('Tell me more')
    await page.getByRole('button', { name: 'Add a button' }).click()
    await page.getByLabel('Kind of button 2').selectOption('Link')
    await page.getByLabel('Title of button 2').fill('Shop')
    await page.getByLabel('Address of button 2').fill('https://shop.example')
    await page.getByRole('button', { name: 'Remove button 1' }).click()
    await expect.poll(read).toMatchObject({
      type: 'rich',
      rich: { actions: [{ type: 'url', title: 'Shop', url: 'https://shop.example' }] },
    })
    await page.reload()
    expect(await page.getByLabel('Title of button 1').inputValue()).toBe('Shop')
    await kind.selectOption('File')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a file' }).click()
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const file = { name: 'offer.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
    await (await chooser).setFiles(file)
    await page.getByText('offer.png').waitFor()
    await page.getByLabel('Caption').fill('For {{contact.name}}')
    await expect.poll(read).toMatchObject({ type: 'media', media: { caption: 'For {{contact.name}}' } })
    await preview.getByText('For Ada').waitFor()
    await page.getByRole('radio', { name: 'At a time' }).check()
    await page.getByText('Time zone: Europe/Berlin').waitFor()
    // A time in the past is reported at its part, which gets the focus, and nothing is sent.
    await page.getByLabel('Date and time').fill('2020-05-01T09:30')
    await part(page, 'When').getByText('Choose a time in the future.').waitFor()
    await page.getByRole('button', { name: 'Review and send' }).click()
    await expectFocus(page.getByRole('heading', { name: 'When' }))
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByLabel('Date and time').fill('2031-05-01T09:30')
    await page.waitForURL(/at=2031-05-01/)
    await page.reload()
    expect(await page.getByLabel('Date and time').inputValue()).toBe('2031-05-01T09:30')
    await page.getByRole('button', { name: 'Review and send' }).click()
    await page.getByRole('button', { name: 'Schedule for 1 contact' }).click()
    const campaign = async () => (await api.get(`/campaigns/${id}`)).body
    await expect
      .poll(campaign)
      .toMatchObject({ status: 'scheduled', scheduledAt: '2031-05-01T07:30:00.000Z' })
  })

  test('a change during a save that is refused is saved next', async () => {
    const office = await openOffice(service)
    const { id } = await createDraft(office, 'Spring')
    const page = await open(office.owner, `/campaigns/${id}`, { expected: /400/ })
    const requests: string[] = []
    await page.route(`**/v1/campaigns/${id}`, async route => {
      if (route.request().method() !== 'PATCH') return route.continue()
      const { name } = route.request().postDataJSON()
      requests.push(name)
      if (requests.length > 1) return route.continue()
      await page.getByLabel('Name', { exact: true }).fill('Summer')
      const problem = { status: 400, code: 'validation_failed', title: 'The request is not valid' }
      return route.fulfill({ status: 400, contentType: 'application/problem+json', json: problem })
    })
    await page.getByLabel('Name', { exact: true }).fill('Refused')
    await until(
      async () => (await office.owner.api.get(`/campaigns/${id}`)).body.name,
      name => name === 'Summer',
    )
    expect(requests).toEqual(['Refused', 'Summer'])
    await page.getByText('Saved', { exact: true }).first().waitFor()
  })

  test('a change of someone else appears; a concurrent one opens a choice', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { id } = await createDraft(office, 'Spring')
    const page = await open(office.owner, `/campaigns/${id}`, { expected: /400|412/ })
    const name = page.getByLabel('Name', { exact: true })
    await name.waitFor()
    await saved(page)
    await api.patch(`/campaigns/${id}`, { name: 'Summer' })
    await expect.poll(() => name.inputValue()).toBe('Summer')
    // Someone else saves at the moment in which this tab does.
    let theirs: object | undefined
    let other = api
    await page.route('**/v1/campaigns/cmp_*', async route => {
      const change = route.request().method() === 'PATCH' ? theirs : undefined
      if (change) {
        theirs = undefined
        await other.patch(`/campaigns/${id}`, change)
      }
      await route.continue()
    })
    const conflict = async (mine: string, change: object) => {
      theirs = change
      await name.fill(mine)
      await page.getByRole('dialog', { name: 'Someone else changed this campaign' }).waitFor()
    }
    await conflict('Mine', { name: 'Theirs', content: text('Hello') })
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Ana Lima saved it \d+ seconds? ago, while you were editing\.$/).waitFor()
    const said = () => dialog.locator('dl').evaluate(list => [...list.children].map(item => item.textContent))
    expect(await said()).toEqual(['Changed by both', 'Name', 'Changed by Ana Lima', 'Message'])
    await expectAccessible(page, 'conflict')
    await screenshot(page, 'campaign-conflict')
    await page.getByRole('button', { name: 'Keep both' }).click()
    const read = async () => (await api.get(`/campaigns/${id}`)).body
    await expect.poll(read).toMatchObject({ name: 'Mine', content: text('Hello') })
    // Mine alone restores what only the colleague changed.
    await conflict('Mine alone', { content: text('Good morning') })
    expect(await said()).toEqual(['Changed by Ana Lima', 'Message', 'Changed by you', 'Name'])
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(read).toMatchObject({ name: 'Mine alone', content: text('Hello') })
    other = await office.addRobot('Shop sync')
    await conflict('Mine again', { name: 'Theirs again' })
    await dialog.getByText(/^Shop sync saved it/).waitFor()
    expect(await page.getByRole('button', { name: 'Keep both' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await expect.poll(() => name.inputValue()).toBe('Theirs again')
    expect(await read()).toMatchObject({ name: 'Theirs again' })
    // A value that contacts do not have is reported at the message, and not saved.
    await page.getByLabel('Text', { exact: true }).fill('Hello {{contact.nope}}')
    await part(page, 'What')
      .getByRole('alert')
      .getByText(/contact\.nope/)
      .waitFor()
    await page.getByRole('status').getByText('Not saved').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('Hello {{contact.name}}')
    await saved(page)
    expect(await read()).toMatchObject({ content: text('Hello {{contact.name}}') })
  })

  test('the editor on a phone in the dark, with a long name; an agent sees the draft without controls', async () => {
    const office = await openOffice(service)
    const { segment } = await createAudience(office, ['Ada'])
    const patch = { segmentId: segment.id, inboxId: office.inboxId, content: text('Hello {{contact.name}}') }
    const { id } = await createDraft(office, 'Spring', patch)
    const page = await open(office.owner, `/campaigns/${id}`, phone)
    await page.getByRole('figure').getByText('Hello Ada').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'draft on a phone')
    await screenshot(page, 'campaign-editor-phone-dark')
    // Contacts join the segment while the page is open.
    await part(page, 'Who').getByText('1 contact in this segment now').waitFor()
    await office.owner.api.post('/contacts', { name: 'Bo', phone: '+14155579999' })
    await part(page, 'Who').getByText('2 contacts in this segment now').waitFor()
    const name = `Winter${'schlussverkauf'.repeat(6)}!`
    expect((await office.owner.api.patch(`/campaigns/${id}`, { name })).status).toBe(200)
    await page.setViewportSize({ width: 360, height: 740 })
    const title = page.getByRole('heading', { level: 1, name })
    await title.waitFor()
    expect(await listOutside(page)).toEqual([])
    await screenshots(page, 'campaign-editor-long-name')
    await page.goto(`${service.url}/campaigns`)
    await row(page, name).waitFor()
    expect(await listOutside(page)).toEqual([])
    await screenshots(page, 'campaigns-long-name')
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByText(/^Campaign “Winter.* created$/).waitFor()
    expect(await listOutside(page)).toEqual([])
    await page.goBack()
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: `Delete “${name}”?` }).waitFor()
    expect(await listOutside(page)).toEqual([])
    await screenshots(page, 'campaign-delete-long-name')
    const agent = await office.hire('Kim Lee')
    const other = await open(agent, `/campaigns/${id}`)
    await other.getByText('Hello {{contact.name}}').waitFor()
    const main = other.getByRole('main')
    for (const role of ['button', 'textbox', 'combobox'] as const)
      expect(await main.getByRole(role).count()).toBe(0)
    await expectAccessible(other, 'draft of an agent')
    expect((await agent.api.patch(`/campaigns/${id}`, { name: 'Mine' })).status).toBe(403)
  })
})
