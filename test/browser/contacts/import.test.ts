/** Tests the import of contacts: file, columns, check, progress and result. */
import type { Download, Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  type OpenOptions,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { openOffice, type Person, signIn } from '../support/people.ts'

async function readDownload(download: Download): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe.skipIf(!hasBrowser)('import', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function open(person: Person, options: OpenOptions = {}) {
    const { page } = await openTab(options)
    await signIn(page, service, person, '/contacts/import')
    await page.getByRole('heading', { level: 1, name: 'Import contacts' }).waitFor()
    const choose = (name: string, text: string | Buffer) =>
      page
        .getByLabel('Choose a CSV file')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text as string) })
    const figure = (label: string) =>
      page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).getByRole('definition')
    return { page, choose, figure }
  }

  test('the focus goes on to the columns of a chosen file, and back to the file', async () => {
    const office = await openOffice(service)
    const { page, choose } = await open(office.owner)
    const input = page.getByLabel('Choose a CSV file')
    await input.focus()
    await choose('people.csv', 'Name;Phone\nAda;+14155550106\n')
    const step = page.getByRole('region', { name: 'Preview' })
    await step.waitFor()
    const isFocused = (part: Locator) => part.evaluate(element => element.contains(document.activeElement))
    await expect.poll(() => isFocused(step)).toBe(true)
    await page.getByRole('button', { name: 'Choose another file' }).press('Enter')
    await input.waitFor()
    await expect.poll(() => isFocused(page.getByRole('main'))).toBe(true)
  })

  test('columns are suggested and changed, the file is checked, then imported', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { page, choose, figure } = await open(office.owner)
    await page.getByText('No imports yet.').waitFor()
    await expectAccessible(page, 'import')
    await choose('people.csv', 'Name;Phone;Shoe size;Junk\nAda;+14155550101;38;x\nBob;not a number;41;y\n')
    await page.getByText('Separated by semicolons, encoded as utf-8').waitFor()
    const column = (name: string) => page.getByRole('combobox', { name: `“${name}” becomes` })
    const chosen = (name: string) =>
      column(name).evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text)
    expect(await chosen('Name')).toBe('Name')
    expect(await chosen('Phone')).toBe('Phone')
    await column('Shoe size').selectOption('New field “Shoe size”')
    await column('Junk').selectOption('Phone')
    await page.getByText('Two columns become “Phone”. Change one of them.').waitFor()
    await column('Junk').selectOption('Ignore')
    await expectAccessible(page, 'columns')
    await screenshot(page, 'import-columns')
    await page.getByRole('button', { name: 'Check the file' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing has been imported yet.').waitFor()
    expect(await figure('Rows that can be imported').innerText()).toBe('1')
    expect(await figure('Rows with errors').innerText()).toBe('1')
    expect(await figure('New contacts').innerText()).toBe('1')
    expect((await api.get('/contacts/count')).body.totalSize).toBe(0)
    await page.getByRole('cell', { name: '2', exact: true }).waitFor()
    await expectAccessible(page, 'checked')
    await screenshot(page, 'import-checked')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the errors' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/-errors\.csv$/)
    expect(await readDownload(download)).toBe(
      '\uFEFF"Row","Column","Message"\r\n' +
        '"2","Phone","must be a phone number in E.164 form, such as +14155550100"\r\n',
    )
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('Rows imported').waitFor()
    expect(await figure('Rows imported').innerText()).toBe('1')
    const { contacts } = (await api.get('/contacts')).body
    expect(contacts).toMatchObject([{ name: 'Ada', customFields: { 'Shoe size': '38' } }])
    await page.reload()
    await page.getByText('Rows not imported').waitFor()
    expect(await figure('Rows not imported').innerText()).toBe('1')
    await page.getByRole('link', { name: 'Show the contacts that it has created' }).click()
    await page.getByRole('table').getByRole('link', { name: 'Ada' }).waitFor()
    await page.getByRole('link', { name: 'Created by this import' }).waitFor()
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    const rows = page.getByRole('list', { name: 'Earlier imports' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)
    await expectAccessible(page, 'imports')
    await choose(
      'kunden.csv',
      'Name;Telefonnummer;E-Mail-Adresse;Kundennr.;Schlagwörter\nBo;+4930901820;bo@example.com;K1;neu\nAda L;+14155550101;;;\n',
    )
    const targets = page.getByRole('region', { name: 'Columns' }).getByRole('combobox')
    const readTargets = () =>
      targets.evaluateAll(all => all.map(item => (item as HTMLSelectElement).selectedOptions[0]?.text))
    await expect.poll(readTargets).toEqual(['Name', 'Phone', 'E-mail', 'External ref', 'Tags'])
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByText('The file was checked.').waitFor()
    expect(await figure('New contacts').innerText()).toBe('1')
    expect(await figure('Rows that update contacts').innerText()).toBe('1')
    await page.getByRole('link', { name: 'Change the columns' }).click()
    await targets.first().waitFor()
    await page.getByRole('button', { name: 'Import without checking' }).click()
    await page.getByText('Rows imported').waitFor()
    expect(await figure('Contacts created').innerText()).toBe('1')
    expect(await figure('Rows that updated contacts').innerText()).toBe('1')
    expect(await figure('Rows not imported').innerText()).toBe('0')

    // In German, predefined fields have German titles: as columns, in filters and on the page of a contact.
    await page.evaluate(() => localStorage.setItem('parley.language', 'de'))
    await page.goto(`${service.url}/contacts/import`)
    const buffer = Buffer.from('name,phone,email,externalRef,tags\nCy,+14155550102,cy@example.com,K2,neu\n')
    await page
      .getByLabel('CSV-Datei wählen')
      .setInputFiles({ name: 'german.csv', mimeType: 'text/csv', buffer })
    const germanTargets = page.getByRole('region', { name: 'Spalten' }).getByRole('combobox')
    const readOptions = (select: Locator) =>
      select.evaluate((element: HTMLSelectElement) => [...element.options].map(({ text }) => text))
    await expect
      .poll(() =>
        germanTargets.evaluateAll(all =>
          all.map(item => (item as HTMLSelectElement).selectedOptions[0]?.text),
        ),
      )
      .toEqual(['Name', 'Telefon', 'E-Mail', 'Externe Kennung', 'Tags'])
    const german = ['E-Mail', 'Telefon', 'Externe Kennung']
    await screenshots(page, 'import-columns-german')
    expect(await readOptions(germanTargets.first())).toEqual(expect.arrayContaining(german))
    await page.goto(`${service.url}/contacts`)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Bedingung hinzufügen' }).click()
    const fields = page.getByRole('combobox', { name: 'Feld', exact: true })
    expect(await readOptions(fields)).toEqual(expect.arrayContaining(german))
    await fields.selectOption('Externe Kennung')
    await page.getByRole('textbox', { name: 'Wert' }).fill('K1')
    await page.getByText('Kontakte, für die gilt: „Externe Kennung“ ist „K1“.').waitFor()
    await screenshots(page, 'contacts-filter-german')
    await page.getByRole('table').getByRole('link', { name: 'Bo' }).click()
    await page.getByRole('button', { name: 'Externe Kennung: K1. Bearbeiten' }).waitFor()
    await page.getByRole('button', { name: 'E-Mail: bo@example.com. Bearbeiten' }).waitFor()
    await screenshots(page, 'contact-german')
  })

  test('files in other forms are read; broken rows are listed, and the others imported', async () => {
    const office = await openOffice(service)
    const { page, choose, figure } = await open(office.owner)
    /** Imports the file; returns the errors of its rows. */
    const importRows = async (name: string, content: string | Buffer, imported: number) => {
      await page.goto(`${service.url}/contacts/import`)
      await choose(name, content)
      await page.getByRole('button', { name: 'Import without checking' }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.getByText('Rows imported').waitFor()
      expect(await figure('Rows imported').innerText(), name).toBe(String(imported))
      const rows = page.getByRole('group', { name: 'Errors' }).locator('tbody tr')
      return rows.evaluateAll(all =>
        all.map(row => [...row.querySelectorAll('td')].map(cell => cell.innerText).join(' | ')),
      )
    }
    const windows = Buffer.from('name;phone\nJos\xe9;+14155550301\n', 'latin1')
    expect(await importRows('windows.csv', windows, 1)).toEqual([
      expect.stringMatching(/^File \| {2}\| .*Windows-1252/),
    ])
    const tabs = '\ufeffname\tphone\r\n"Ta ""b"""\t+14155550302\r\n'
    expect(await importRows('tabs.csv', tabs, 1)).toEqual([])
    const quotes = 'name,phone\nBefore,+14155550303\nBroken,"x\nAfter,+14155550304\n'
    expect(await importRows('quotes.csv', quotes, 2)).toEqual([expect.stringMatching(/^2 \| {2}\| .*quote/)])
    const cells = 'name,phone\nMany,+14155550305,x,y\nFine,+14155550306\n'
    expect(await importRows('cells.csv', cells, 1)).toEqual(['1 |  | the row has 4 cells, the header has 2'])
    const { contacts } = (await office.owner.api.get('/contacts?pageSize=50')).body
    const names = contacts.map((contact: { name: string }) => contact.name).toSorted()
    expect(names).toEqual(['After', 'Before', 'Fine', 'José', 'Ta "b"'])
  })

  test('10,000 rows with 37 invalid ones: the progress survives a reload, and the counts add up', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const lines = Array.from({ length: 10_000 }, (_, n) =>
      n % 270 === 5 && n / 270 < 37 ? `Bad ${n},nonsense` : `Person ${n},+1415${String(6_000_000 + n)}`,
    )
    const invalid = lines.filter(line => line.startsWith('Bad')).length
    expect(invalid).toBe(37)
    const { page, choose, figure } = await open(office.owner, { expected: /ERR_FAILED/ })
    await choose('many.csv', ['name,phone', ...lines].join('\n'))
    await page.getByText('The first 20 rows').waitFor()
    await page.getByRole('button', { name: 'Import without checking' }).click()
    await page.getByRole('heading', { level: 1, name: 'many.csv' }).waitFor()
    await page.route(/\/v1\/contacts\/imports/, route => route.abort())
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.unroute(/\/v1\/contacts\/imports/)
    // The page can be left; the list of imports leads back to it.
    await page.getByRole('main').getByRole('link', { name: 'Import contacts' }).click()
    await page.getByRole('list', { name: 'Earlier imports' }).getByRole('link', { name: 'many.csv' }).click()
    await page.getByText('Rows imported').waitFor()
    expect(await figure('Rows imported').innerText()).toBe('9,963')
    expect(await figure('Rows not imported').innerText()).toBe('37')
    expect(await figure('Contacts created').innerText()).toBe('9,963')
    expect(await figure('Rows that updated contacts').innerText()).toBe('0')
    expect(await page.getByRole('table').getByRole('row').count()).toBe(38)
    expect((await api.get('/contacts/count')).body.totalSize).toBe(9_963)
  })

  test('unreadable files are refused in words; on a phone in the dark nothing scrolls sideways', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    const phone = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const
    const { page, choose } = await open(agent, { ...phone, expected: /4(00|15)|404/ })
    await choose('photo.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]))
    await page.getByText('The file cannot be read.').waitFor()
    for (const content of [
      '',
      Buffer.from('PK\u0003\u0004\u0014\0'),
      Buffer.from('\ufeffname\n', 'utf16le'),
    ]) {
      await choose('other.csv', content)
      await page.getByText('The file cannot be read.').waitFor()
    }
    await expectAccessible(page, 'unreadable file')
    await choose('good.csv', 'name,phone,a very long column without a known name\nAda,+14155550101,x\n')
    await page.getByRole('button', { name: 'Check the file' }).waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'columns on a phone')
    await screenshot(page, 'import-phone-dark')
    await page.goto(`${service.url}/contacts/import/import_missing`)
    await page.getByText('Not found, or you do not have access.').waitFor()
    await expectAccessible(page, 'no such import')
  })
})
