/** Tests saved views of contacts: filter, order and columns under a name, for one user or for everyone. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshot,
} from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('views of contacts', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const heading = (page: Page) => page.getByRole('heading', { level: 1, name: /^Contacts/ })
  const names = (page: Page) => page.getByRole('table').getByRole('link').allInnerTexts()
  const columns = async (page: Page) =>
    (await page.getByRole('table').getByRole('columnheader').allInnerTexts()).filter(Boolean)
  const openMenu = async (page: Page, button = 'Views') => {
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).click()
    return page.getByRole('menu', { name: button, exact: true })
  }
  const search = (page: Page) => page.getByRole('searchbox', { name: 'Search contacts' })

  test('what the table shows is saved, found by a colleague, changed, arranged and deleted', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    for (const name of ['Ada Lima', 'Bo Lima', 'Cy Park'])
      expect((await api.post('/contacts', { name })).status).toBe(201)
    const colleague = await office.hire('Dee Park', 'admin')
    const { page } = await openTab()
    await signIn(page, service, office.owner, '/contacts')
    await expect.poll(() => names(page)).toHaveLength(3)
    await search(page).fill('Lima')
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Phone' }).click()
    await expect.poll(() => names(page)).toEqual(['Ada Lima', 'Bo Lima'])
    await (await openMenu(page)).getByRole('menuitem', { name: 'Save as a view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a view' })
    await dialog.getByLabel('Name').fill('Family')
    await dialog.getByLabel('Visible to').selectOption('workspace')
    await expectAccessible(page, 'saving a view of contacts')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('View “Family” saved').waitFor()
    const { views } = (await api.get('/views?kind=contacts')).body
    expect(views).toMatchObject([
      { name: 'Family', scope: 'workspace', sort: { field: 'name', direction: 'asc' } },
    ])
    const [{ id }] = views
    await expect.poll(() => new URL(page.url()).search).toBe(`?view=${id}`)
    await expect.poll(() => names(page)).toEqual(['Ada Lima', 'Bo Lima'])

    const { page: theirs } = await openTab()
    await signIn(theirs, service, colleague, '/contacts')
    await expect.poll(() => names(theirs)).toHaveLength(3)
    expect(await columns(theirs)).toContain('Phone')
    const menu = await openMenu(theirs)
    await expectAccessible(theirs, 'views of contacts')
    await screenshot(theirs, 'contact-views')
    await menu.getByRole('menuitemcheckbox', { name: 'Family' }).click()
    await expect.poll(() => names(theirs)).toEqual(['Ada Lima', 'Bo Lima'])
    expect(await columns(theirs)).not.toContain('Phone')
    await theirs.reload()
    await expect.poll(() => names(theirs)).toEqual(['Ada Lima', 'Bo Lima'])
    // A column of the view is not one of the user's own table.
    await theirs.getByRole('button', { name: 'Columns' }).click()
    await theirs.getByRole('menuitemcheckbox', { name: 'Phone' }).click()
    await (await openMenu(theirs, 'Family')).getByRole('menuitem', { name: 'Save the changes' }).click()
    await theirs.getByText('View “Family” saved').waitFor()
    await expect.poll(() => columns(page)).toContain('Phone')

    await theirs.keyboard.press('1')
    await expect.poll(() => names(theirs)).toHaveLength(3)
    await theirs.keyboard.press('2')
    await expect.poll(() => names(theirs)).toHaveLength(2)
    await (await openMenu(page, 'Family')).getByRole('menuitem', { name: 'Manage views' }).click()
    const managed = page.getByRole('dialog', { name: 'Manage views' })
    await managed.getByLabel('Name of the view “Family”').fill('Relatives')
    await managed.getByLabel('Name of the view “Family”').press('Enter')
    await theirs.getByRole('main').getByRole('button', { name: 'Relatives' }).waitFor()
    await managed.getByRole('button', { name: 'Delete the view “Relatives”' }).click()
    await page.getByText('View “Relatives” deleted').waitFor()
    // Without its view, the address shows all contacts.
    await expect.poll(() => names(theirs)).toHaveLength(3)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await api.get('/views?kind=contacts')).body.views).toHaveLength(1)
  })

  test('a filter is cleared also in a view; an agent on a phone changes own views only', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550190', 'hello', 'Ada Lima')
    await office.receive('+14155550191', 'hello', 'Bo Park')
    const filter = { match: 'all', conditions: [{ type: 'searchText', text: 'Lima' }] }
    const shared = { kind: 'contacts', name: 'Lima', filter, scope: 'workspace' }
    const { id } = (await api.post('/views', shared)).body
    const agent = await office.hire('Kim Lee')
    const { page } = await openTab({ viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
    await signIn(page, service, agent, `/contacts?view=${id}`)
    await heading(page).waitFor()
    await expect.poll(() => names(page)).toEqual(['Ada Lima'])
    await page.getByRole('button', { name: 'Filter (1)', expanded: true }).waitFor()
    await page
      .getByRole('region', { name: 'Filter' })
      .getByRole('button', { name: 'Clear the filter' })
      .click()
    await expect.poll(() => names(page)).toHaveLength(2)
    const menu = await openMenu(page, 'Lima')
    expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual(['Save as a view', 'Manage views'])
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'contact-views-phone-dark')
    await menu.getByRole('menuitem', { name: 'Save as a view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a view' })
    expect(await dialog.getByLabel('Visible to').count()).toBe(0)
    await dialog.getByLabel('Name').fill('Everyone')
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByRole('button', { name: 'Everyone' }).waitFor()
    await expect.poll(() => names(page)).toHaveLength(2)
    expect((await api.get('/views?kind=contacts')).body.views).toHaveLength(1)
  })
})
