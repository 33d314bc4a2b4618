/** Tests the list of conversations: filters, saved views, selection and bulk actions. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { insertConversations } from '../support/many-conversations.ts'
import { type Office, openOffice, signIn } from '../support/people.ts'

/** Chooses an entry of the open list by typing a part of it. */
async function choose(page: Page, list: string, text: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: list })
  await dialog.getByRole('combobox').fill(text)
  await dialog.getByRole('option', { name: text }).first().waitFor()
  await page.keyboard.press('Enter')
}

const rows = (page: Page) =>
  page.getByRole('region', { name: 'Conversations' }).getByRole('listitem').getByRole('link')
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true })
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages about your actions' }).getByText(text)

async function listConversations(office: Office): Promise<{ id: string; name: string }[]> {
  return (await office.owner.api.get('/conversations?pageSize=200')).body.conversations
}

/** One after the other: the order of the list is that of the names. */
async function receiveFrom(office: Office, names: readonly string[]): Promise<Map<string, string>> {
  for (const [n, name] of names.entries()) {
    await office.receive(`+1415555${3000 + n}`, `hello from ${name}`, name)
    await expect.poll(async () => (await listConversations(office)).length).toBe(n + 1)
  }
  return new Map((await listConversations(office)).map(({ id, name }) => [name, id]))
}

describe.skipIf(!hasBrowser)('conversation list', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('the views scroll no further than the chosen one needs, and fade where others are hidden', async () => {
    const office = await openOffice(service)
    await receiveFrom(office, ['Ada'])
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await tab(page, 'All 1').waitFor()
    const views = page.getByRole('navigation', { name: 'Views' })
    const end = async (locator: typeof views) => {
      const { x, width } = (await locator.boundingBox())!
      return x + width
    }
    await expect.poll(async () => Math.round((await end(views)) - (await end(tab(page, 'All 1'))))).toBe(24)
    const { x } = (await views.boundingBox())!
    expect((await tab(page, 'Mentions').boundingBox())!.x).toBeGreaterThan(x)
    const mask = await views.evaluate(element => getComputedStyle(element).maskImage)
    expect(mask.match(/rgba\(0, 0, 0, 0\)/g)).toHaveLength(2)
    await tab(page, 'Mentions').click()
    await page.keyboard.press('1')
    await expect.poll(() => views.evaluate(element => element.scrollLeft)).toBe(0)
  })

  test('a filter is kept in the address, follows events, and becomes a view with a count', async () => {
    const office = await openOffice(service)
    const ids = await receiveFrom(office, ['Ada', 'Bo', 'Cy', 'Di'])
    const { api } = office.owner
    await api.put(`/conversations/${ids.get('Ada')}/priority`, { priority: 'urgent' })
    await api.put(`/conversations/${ids.get('Bo')}/priority`, { priority: 'high' })
    await api.put(`/conversations/${ids.get('Bo')}/owner`, { type: 'user', id: office.owner.id })
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await tab(page, 'All 4').waitFor()
    await page.keyboard.press('f')
    await page.getByRole('dialog', { name: 'Filter by…' }).waitFor()
    await expectAccessible(page, 'filter')
    await choose(page, 'Filter by…', 'Priority')
    await choose(page, 'Priority', 'Urgent')
    await page.getByRole('option', { name: 'Urgent (chosen)' }).waitFor()
    await choose(page, 'Priority', 'High')
    await page.keyboard.press('Escape')
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Change the filter “Priority: Urgent, High”' }).waitFor()
    await screenshot(page, 'filtered')
    await expectAccessible(page, 'filtered list')
    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(2)
    await api.put(`/conversations/${ids.get('Cy')}/priority`, { priority: 'urgent' })
    await expect.poll(() => rows(page).count()).toBe(3)
    await page.keyboard.press('f')
    await choose(page, 'Filter by…', 'Owner')
    await choose(page, 'Owner', 'Nobody')
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Save as a view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('On fire')
    await page.getByLabel('Visible to').selectOption('Everyone')
    await expectAccessible(page, 'save a view')
    await page.keyboard.press('Enter')
    await tab(page, 'On fire 2').and(page.locator('[aria-current="page"]')).waitFor()
    await api.put(`/conversations/${ids.get('Ada')}/owner`, { type: 'user', id: office.owner.id })
    await tab(page, 'On fire 1').waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.getByRole('button', { name: 'Remove the filter “Owner: Nobody”' }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await tab(page, 'On fire 3').waitFor()
    await expect
      .poll(async () => (await api.get('/views')).body.views)
      .toMatchObject([{ name: 'On fire', scope: 'workspace', filter: { priority: ['urgent', 'high'] } }])
  })

  test('views are renamed, arranged and deleted, follow colleagues, and have keys', async () => {
    const office = await openOffice(service)
    await receiveFrom(office, ['Ada', 'Bo'])
    const { api } = office.owner
    for (const name of ['First', 'Second'])
      await api.post('/views', { name, filter: { channel: ['chatapp'] }, scope: 'workspace' })
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await tab(page, 'First 2').waitFor()
    await page.keyboard.press('9')
    await tab(page, 'Second 2').and(page.locator('[aria-current="page"]')).waitFor()
    await page.getByRole('button', { name: 'All views' }).click()
    await page.getByRole('menuitem', { name: 'Manage views' }).click()
    await page.getByRole('button', { name: 'Move “Second” up' }).click()
    await page.getByRole('textbox', { name: 'Name of the view “First”' }).fill('Renamed')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name of the view “Renamed”' }).waitFor()
    await screenshot(page, 'manage-views')
    await expectAccessible(page, 'manage views')
    const names = async () => (await api.get('/views')).body.views.map((view: { name: string }) => view.name)
    await expect.poll(names).toEqual(['Second', 'Renamed'])
    await page.getByRole('button', { name: 'Delete the view “Second”' }).click()
    await expect.poll(names).toEqual(['Renamed'])
    await page.keyboard.press('Escape')
    await toast(page, 'View “Second” deleted').waitFor()
    await page.keyboard.press('z')
    await tab(page, 'Second 2').waitFor()
    await api.post('/views', { name: 'By a colleague', filter: { unread: true }, scope: 'workspace' })
    await tab(page, 'By a colleague 2').waitFor()
  })

  test('the views of mentions and of own teams follow notes and assignments, with counts, as the agent sees them', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Dee Park')
    const ids = await receiveFrom(office, ['Ada', 'Bo', 'Cy'])
    const { api } = office.owner
    const [ours, theirs] = await Promise.all(
      ['First line', 'Second line'].map(async name => (await api.post('/teams', { name })).body.id),
    )
    await api.put(`/teams/${ours}/members/${agent.id}`)
    const path = (name: string) => `/conversations/${ids.get(name)}`
    const mention = (name: string) =>
      api.post(`${path(name)}/notes`, { text: 'please look', mentions: [agent.id] })
    const { id: noteId } = (await mention('Ada')).body
    const { page } = await openTab()
    await signIn(page, service, agent)
    await tab(page, 'Mentions 1').waitFor()
    await page.keyboard.press('3')
    await tab(page, 'Mentions 1').and(page.locator('[aria-current="page"]')).waitFor()
    const expectRows = (...names: string[]) =>
      expect
        .poll(async () => (await rows(page).allInnerTexts()).map(text => text.split('\n')[0]))
        .toEqual(names)
    await expectRows('Ada')
    await mention('Cy')
    await expectRows('Cy', 'Ada')
    await tab(page, 'Mentions 2').waitFor()
    await expectAccessible(page, 'mentions')
    await screenshot(page, 'mentions')
    // A conversation that was never shown here is placed too.
    await page.reload()
    await expectRows('Cy', 'Ada')
    await office.receive('+14155553001', 'mentioned before', 'Bo')
    await mention('Bo')
    await expectRows('Bo', 'Cy', 'Ada')
    await api.patch(`/notes/${noteId}`, { text: 'never mind', mentions: [] })
    await expectRows('Bo', 'Cy')
    await tab(page, 'Mentions 2').waitFor()
    await api.post(`${path('Cy')}/close`)
    await expectRows('Bo')

    await page.keyboard.press('4')
    await page.getByText('No open conversation belongs to one of your teams.').waitFor()
    await api.put(`${path('Ada')}/owner`, { type: 'team', id: ours })
    await expectRows('Ada')
    await tab(page, 'My teams 1').waitFor()
    // The other team's conversations are hidden from the agent, also those with a mention.
    await api.put(`${path('Bo')}/owner`, { type: 'team', id: theirs })
    await tab(page, 'Mentions').waitFor()
    await api.put(`${path('Ada')}/owner`, { type: 'team', id: theirs })
    await page.getByText('No open conversation belongs to one of your teams.').waitFor()
    await tab(page, 'My teams').waitFor()
    await page.keyboard.press('3')
    await page.getByText('No note in an open conversation mentions you.').waitFor()
    await expectAccessible(page, 'no mentions')
  })

  test('a conversation is started by keyboard: with a new number, and with a contact who has one already', async () => {
    const office = await openOffice(service)
    const [first] = await receiveFrom(office, ['Ada']).then(ids => [...ids.values()])
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await tab(page, 'All 1').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New conversation' })
    await dialog.waitFor()
    await page.keyboard.type('+1 415 555 0177')
    await dialog.getByRole('button', { name: 'Write to +1 415 555 0177' }).waitFor()
    await expectAccessible(page, 'recipient of a new conversation')
    await page.keyboard.press('Enter')
    await dialog.getByText('To: +1 415 555 0177').waitFor()
    await page.keyboard.type('Your parcel is here')
    await expectAccessible(page, 'new conversation')
    await screenshot(page, 'new-conversation')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, 'new conversation, phone, dark')
    await screenshot(page, 'new-conversation-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1360, height: 800 })
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByRole('log').getByText('Your parcel is here').waitFor()
    await page.getByRole('log').getByText('Delivered').waitFor()
    await tab(page, 'All 2').waitFor()

    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.keyboard.type('Ada')
    await dialog.getByRole('button', { name: /^Ada/ }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('region', { name: 'Conversations with this contact' }).getByRole('button').click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/inbox/${first}`)
    await dialog.waitFor({ state: 'hidden' })
  })

  test('a selection survives reordering, and its actions have the keys of single ones', async () => {
    const office = await openOffice(service)
    const ids = await receiveFrom(office, ['Ada', 'Bo', 'Cy', 'Di'])
    const label = (await office.owner.api.post('/labels', { name: 'parcel' })).body
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await tab(page, 'All 4').waitFor()
    // The counts may be shown before the rows.
    await expect.poll(() => rows(page).count()).toBe(4)
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    const selected = page.getByRole('region', { name: 'Selection' })
    await selected.getByText('2 selected').waitFor()
    await office.receive('+14155553000', 'Ada again', 'Ada')
    await page.getByRole('link', { name: /Ada again/ }).waitFor()
    const checked = () =>
      page.getByRole('checkbox', { checked: true }).evaluateAll(all => all.map(item => item.ariaLabel))
    expect(await checked()).toEqual(['Di', 'Cy'].map(name => `Select the conversation with ${name}`))
    await expectAccessible(page, 'selection')
    await screenshot(page, 'selection')
    // One tab stop for all actions, and arrow keys between them.
    const tools = page.getByRole('toolbar', { name: 'Actions for the selection' }).getByRole('button')
    expect(await tools.evaluateAll(all => all.filter(item => item.tabIndex === 0).length)).toBe(1)
    await tools.first().focus()
    await page.keyboard.press('ArrowRight')
    expect(await tools.nth(1).evaluate(item => item === document.activeElement)).toBe(true)
    await page.keyboard.press('l')
    await choose(page, 'Add a label to the selection', 'parcel')
    await toast(page, '2 conversations labelled').waitFor()
    const labelled = async () => {
      const { body } = await office.owner.api.get(`/conversations?labelIds=${label.id}`)
      return body.conversations.map((item: { name: string }) => item.name).sort()
    }
    expect(await labelled()).toEqual(['Cy', 'Di'])
    await expect.poll(() => page.getByText('2 selected').count()).toBe(0)
    await page.keyboard.press('z')
    await toast(page, '2 conversations restored').waitFor()
    expect(await labelled()).toEqual([])
    await page.keyboard.press('*')
    await page.keyboard.press('a')
    await selected.getByText('4 selected').waitFor()
    await page.keyboard.press('u')
    await toast(page, '4 conversations marked as unread').waitFor()
    const { unreadCount } = (await office.owner.api.get(`/conversations/${ids.get('Ada')}`)).body
    expect(unreadCount).toBeGreaterThan(0)
    await page.keyboard.press('x')
    await selected.getByText('1 selected').waitFor()
    await page.keyboard.press('Escape')
    await selected.waitFor({ state: 'detached' })
  })

  test('a row has all actions in its menu: by right click, by its button and by the menu key', async () => {
    const office = await openOffice(service)
    const ids = await receiveFrom(office, ['Ada', 'Bo', 'Cy'])
    const { page } = await openTab()
    await signIn(page, service, office.owner, `/inbox/${ids.get('Cy')}`)
    const row = (name: string) => page.getByRole('link', { name: new RegExp(`hello from ${name}`) })
    const item = (name: string) => page.getByRole('menuitem', { name })
    await row('Ada').click({ button: 'right' })
    await page.getByRole('menu', { name: 'Actions for the conversation with Ada' }).waitFor()
    await screenshot(page, 'row-menu')
    await expectAccessible(page, 'menu of a row')
    await item('Priority').click()
    await choose(page, 'Priority', 'Urgent')
    await row('Ada').getByText('Urgent').waitFor()
    await row('Bo').hover()
    await page.getByRole('button', { name: 'Actions for the conversation with Bo' }).click()
    await item('Assign to me').click()
    await row('Bo')
      .getByText(/Me · Chat/)
      .waitFor()
    const marks = [
      row('Ada').getByRole('img', { name: 'Priority: Urgent' }),
      row('Bo').getByRole('img', { name: 'Owner: Me' }),
    ]
    for (const mark of marks) expect(await mark.count()).toBe(0)
    await page.evaluate(() => {
      document.documentElement.dataset.density = 'compact'
    })
    for (const mark of marks) {
      await mark.waitFor()
      expect(await mark.getAttribute('title')).toMatch(/^(Priority: Urgent|Owner: Me)$/)
    }
    await expectAccessible(page, 'compact rows')
    await screenshot(page, 'compact-rows')
    await page.evaluate(() => {
      document.documentElement.dataset.density = 'comfortable'
    })
    await row('Bo').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu', { name: 'Actions for the conversation with Bo' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    const focused = () =>
      page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.conversation)
    await expect.poll(focused).toBe(ids.get('Bo'))
    await page.keyboard.press('Shift+F10')
    await item('Close').click()
    await toast(page, 'Conversation with Bo closed').waitFor()
    await row('Bo').waitFor({ state: 'detached' })
    const { conversations } = (await office.owner.api.get('/conversations?status=closed')).body
    expect(conversations.map(({ id }: { id: string }) => id)).toEqual([ids.get('Bo')])
    expect(new URL(page.url()).pathname).toBe(`/inbox/${ids.get('Cy')}`)
  })

  test('a row says that its last message was not delivered, until another one is', async () => {
    const office = await openOffice(service)
    // The provider accepts no message to this number.
    await office.receive('+15005550001', 'hello from Ada', 'Ada')
    await expect.poll(async () => (await listConversations(office)).length).toBe(1)
    const [conversation] = await listConversations(office)
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    const row = page.getByRole('link', { name: /Ada/ })
    await row.waitFor()
    const content = { type: 'text', text: { body: 'into the void' } }
    await office.owner.api.post(`/conversations/${conversation!.id}/messages`, { content })
    await row.getByText('Not delivered').waitFor()
    await page.reload()
    await row.getByText('Not delivered').waitFor()
    await screenshot(page, 'not-delivered')
    await office.receive('+15005550001', 'are you there?', 'Ada')
    await row.getByText('are you there?').waitFor()
    await expect.poll(() => row.getByText('Not delivered').count()).toBe(0)
  })

  test('closing 500 conversations that match shows the progress and the count; undo restores all', async () => {
    const office = await openOffice(service)
    await insertConversations(service, office, 500)
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await tab(page, 'All 500').waitFor()
    await rows(page).first().waitFor()
    await page.keyboard.press('*')
    await page.keyboard.press('a')
    await page.getByText('50 selected').waitFor()
    await page.getByRole('button', { name: 'Select all 500 that match' }).click()
    await page.getByText('All 500 that match are selected').waitFor()
    await screenshot(page, 'all-selected')
    // The progress is seen also on a fast machine.
    let resolve = () => {}
    const seen = new Promise<void>(done => {
      resolve = done
    })
    await page.route(/\/conversations\/bulk\//, async route => {
      await seen
      await route.continue()
    })
    await page.keyboard.press('e')
    await page.getByRole('progressbar', { name: 'Close the selection' }).waitFor()
    resolve()
    await toast(page, '500 conversations closed').waitFor()
    await tab(page, 'All').waitFor()
    await page.getByText('No open conversations.').waitFor()
    const open = async () =>
      (await office.owner.api.post('/conversations/counts', { filters: [{ status: ['open'] }] })).body
        .counts[0].count
    expect(await open()).toBe(0)
    await page.keyboard.press('z')
    await toast(page, '500 conversations restored').waitFor()
    expect(await open()).toBe(500)
    await tab(page, 'All 500').waitFor()
  })
})
