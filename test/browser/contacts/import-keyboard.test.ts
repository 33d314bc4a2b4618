/** Walks through an import by keyboard alone: file, columns, check, import and result. The focus is never lost on the way. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { expectFocusKept, startWalk, tabTo, watchFocus } from '../support/keys.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('import by keyboard', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('an owner chooses a file, changes a column, reads the errors, and opens what was created', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { page } = await openTab()
    await watchFocus(page)
    await signIn(page, service, office.owner, '/contacts')
    await page.getByRole('heading', { level: 1, name: /^Contacts/ }).waitFor()
    const keys = startWalk(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const link = (name: string) => page.getByRole('link', { name, exact: true })

    // Before the key: the browser must know that the chooser is intercepted.
    const chooser = page.waitForEvent('filechooser')
    await keys.activate(link('Import'))
    await tabTo(page, page.getByLabel('Choose a CSV file'))
    await keys.press('Enter')
    const text = 'Name;Phone;Shoe size\nAda;+14155550101;38\nBob;not a number;41\n'
    await (await chooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    const column = page.getByRole('combobox', { name: '“Shoe size” becomes' })
    await tabTo(page, column)
    await keys.type('New field')
    await expect
      .poll(() => column.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text))
      .toBe('New field “Shoe size”')
    await keys.activate(button('Check the file'))
    await page.getByText('Nothing has been imported yet.').waitFor()
    await expectFocusKept(page)
    const download = page.waitForEvent('download')
    await keys.activate(button('Download the errors'))
    expect((await download).suggestedFilename()).toMatch(/-errors\.csv$/)
    await keys.activate(button('Import 1 row'), 'Enter', 'Shift+Tab')
    await page.getByText('Rows imported').waitFor()
    await expectFocusKept(page)
    await keys.activate(link('Show the contacts that it has created'))
    await page.getByRole('table').getByRole('link', { name: 'Ada' }).waitFor()
    await expectFocusKept(page)
    const { contacts } = (await api.get('/contacts')).body
    expect(contacts).toMatchObject([{ name: 'Ada', customFields: { 'Shoe size': '38' } }])
  })
})
