/** Tests templates with files, locations and codes: in the composer, in campaigns, and what the customer gets. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshots,
} from '../support/browser.ts'
import { type Office, openOffice, sendImmediately, signIn } from '../support/people.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const files = {
  image: { name: 'sale.png', mimeType: 'image/png', buffer: png },
  document: { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') },
}

const log = (page: Page) => page.getByRole('log')
const dialog = (page: Page) => page.getByRole('dialog')
const send = (page: Page) => dialog(page).getByRole('button', { name: 'Send' })

async function choose(page: Page, button: string, file: (typeof files)['image']): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).press('Enter')
  await (await chooser).setFiles(file)
}

/** Returns the components of the templates that the provider accepted. */
async function listSent({ owner, inboxId }: Office) {
  const { items } = (await owner.api.get(`/sandbox/sent?inboxId=${inboxId}`)).body
  return items.map(
    (item: { payload: { template: { components: object[] } } }) => item.payload.template.components,
  )
}

describe.skipIf(!hasBrowser)('templates', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function openThread(office: Office, expected?: RegExp, locale = 'en-GB'): Promise<Page> {
    await office.receive('+14155550171', 'anything new?')
    const { page } = await openTab({ locale, ...(expected ? { expected } : {}) })
    await sendImmediately(page)
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /anything new/ }).click()
    await log(page).getByText('anything new?').waitFor()
    return page
  }

  async function pick(page: Page, template: RegExp, button = 'Templates'): Promise<void> {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('button', { name: template }).click()
  }

  test('an image is chosen, checked, uploaded and sent with a code, and the thread shows it', async () => {
    const office = await openOffice(service)
    const page = await openThread(office, /415/)
    await pick(page, /^summer_sale/)
    await choose(page, 'Choose a file', files.document)
    await page.getByText('The header is an image: choose a JPEG or PNG.').waitFor()
    const broken = { ...files.image, buffer: Buffer.from('no image at all, whatever its name says') }
    await choose(page, 'Choose a file', broken)
    await page.getByText(/^sale.png was not uploaded/).waitFor()
    await choose(page, 'Choose a file', files.image)
    await dialog(page).getByRole('figure').getByRole('img').waitFor()
    await page.getByLabel('Value of {{1}}').fill('Bo')
    await page.getByLabel('Value of {{2}}').fill('20 %')
    expect(await send(page).getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('Code of “Copy code”').fill('SUMMER20')
    await dialog(page).getByText('Summer sale, Bo: 20 % off until Sunday!').waitFor()
    await expectAccessibleThemes(page, 'template with an image')
    await screenshots(page, 'template-image')
    await send(page).click()
    await log(page).getByText('Delivered').waitFor()
    await log(page).getByRole('img', { name: 'Image sale.png' }).waitFor()
    const [header, , code] = (await listSent(office))[0]
    expect(header).toEqual({
      type: 'header',
      parameters: [{ type: 'image', image: { id: expect.any(String) } }],
    })
    expect(code).toMatchObject({ sub_type: 'copy_code', parameters: [{ coupon_code: 'SUMMER20' }] })
  })

  test('a location is checked while it is written, and both coordinates can be pasted together', async () => {
    const office = await openOffice(service)
    const page = await openThread(office)
    await pick(page, /^store_location/)
    await page.getByLabel('Latitude').fill('152')
    await page.getByText('A number from -90 to 90, such as 52.5219').waitFor()
    await screenshots(page, 'template-location-error')
    await page.getByLabel('Latitude').evaluate(field => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', '52.5219, 13.4132')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    expect(await page.getByLabel('Longitude').inputValue()).toBe('13.4132')
    await page.getByLabel('Name of the place').fill('Harbor Lights')
    await page.getByLabel('Address of the place').fill('Alexanderplatz 1, Berlin')
    await page.getByLabel('Value of {{1}}').fill('Bo')
    await dialog(page).getByText('Harbor Lights · Alexanderplatz 1, Berlin · 52.52190, 13.41320').waitFor()
    await expectAccessibleThemes(page, 'template with a location')
    await screenshots(page, 'template-location')
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await send(page).click()
    await log(page).getByText('Delivered').waitFor()
    await log(page).getByText('Harbor Lights · Alexanderplatz 1, Berlin · 52.52190, 13.41320').waitFor()
    const location = {
      latitude: 52.5219,
      longitude: 13.4132,
      name: 'Harbor Lights',
      address: 'Alexanderplatz 1, Berlin',
    }
    expect((await listSent(office))[0][0]).toEqual({
      type: 'header',
      parameters: [{ type: 'location', location }],
    })
  })

  test('the form is in German', async () => {
    const page = await openThread(await openOffice(service), undefined, 'de-DE')
    await pick(page, /^invoice_ready/, 'Vorlagen')
    await page.getByText('Dokument der Kopfzeile').waitFor()
    await choose(page, 'Datei wählen', files.document)
    await page.getByRole('button', { name: 'Andere Datei wählen' }).waitFor()
    await page.getByLabel('Wert von {{1}}').fill('20 €')
    await screenshots(page, 'template-document-de')
    await page.getByRole('button', { name: 'Zurück' }).click()
    await page.getByRole('button', { name: /^store_location/ }).click()
    await page.getByLabel('Breitengrad').fill('152')
    await page.getByText('Eine Zahl von -90 bis 90, etwa 52,5219').waitFor()
    await expectAccessibleThemes(page, 'template in German')
  })

  test('a refused template keeps its values, shows the reason at its field, and is sent after a change', async () => {
    const office = await openOffice(service)
    const page = await openThread(office, /400/)
    const violation = {
      field: 'content.template.components[0].parameters[1].text',
      code: 'too_long',
      message: 'must not be that long',
    }
    await page.route('**/v1/conversations/*/messages', route => {
      if (route.request().method() !== 'POST') return route.continue()
      const json = {
        status: 400,
        code: 'validation_failed',
        title: 'The request is not valid',
        violations: [violation],
      }
      return route.fulfill({ status: 400, contentType: 'application/problem+json', json })
    })
    await pick(page, /^appointment_reminder/)
    await page.getByLabel('Value of {{1}}').fill('Monday')
    await page.getByLabel('Value of {{2}}').fill('half past ten')
    await send(page).click()
    await log(page).getByText('must not be that long').waitFor()
    await page.unroute('**/v1/conversations/*/messages')
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    await log(page).getByRole('button', { name: 'Change' }).press('Enter')
    const field = page.getByLabel('Value of {{2}}')
    await field.waitFor()
    expect(await field.evaluate(element => element === document.activeElement)).toBe(true)
    expect(await field.inputValue()).toBe('half past ten')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await dialog(page).getByText('must not be that long').waitFor()
    await expectAccessibleThemes(page, 'refused template')
    await screenshots(page, 'template-refused')
    await field.fill('10:30')
    await send(page).click()
    await log(page).getByText('Delivered').waitFor()
    expect((await listSent(office))[0][0].parameters).toMatchObject([{ text: 'Monday' }, { text: '10:30' }])
    await expect.poll(() => log(page).getByText('Not sent').count()).toBe(0)
  })

  test('undo returns the template with its values, and the draft stays', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550172', 'undo a template?')
    const { page } = await openTab()
    await page.addInitScript(() => localStorage.setItem('parley.preferences', '{"undoSendSeconds":600}'))
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /undo a template/ }).click()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill('half a thought')
    await pick(page, /^greeting en_US/)
    await page.keyboard.type('Bo')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.getByLabel('Value of {{1}}').inputValue()).toBe('Bo')
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog(page).count()).toBe(0)
    expect(await reply.inputValue()).toBe('half a thought')
    expect(await listSent(office)).toEqual([])
  })

  test('a refused first message keeps its form open', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ expected: /400/ })
    await signIn(page, service, office.owner)
    await page.keyboard.press('c')
    await page.getByLabel('Name or phone number').waitFor()
    await page.keyboard.type('+14155550178')
    await page.getByRole('button', { name: 'Write to +14155550178' }).click()
    await pick(page, /^greeting en_US/, 'Choose a template')
    await page.getByLabel('Value of {{1}}').fill('\u200b')
    await send(page).click()
    await dialog(page).getByText('must have a visible character').waitFor()
    expect(await page.getByLabel('Value of {{1}}').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Value of {{1}}').fill('Bo')
    await send(page).click()
    await log(page).getByText('Delivered').waitFor()
  })

  test('a campaign has the file of the header, also after a reload, and its violations are at the fields', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { id } = (await api.post('/campaigns', { name: 'Places' })).body
    await api.patch(`/campaigns/${id}`, { inboxId: office.inboxId })
    const { page } = await openTab({ expected: /400/ })
    await signIn(page, service, office.owner, `/campaigns/${id}`)
    const readHeader = async () => (await api.get(`/campaigns/${id}`)).body.content?.template?.components?.[0]
    await page.getByLabel('Kind of message').selectOption('Template')
    const template = page.getByLabel('Template', { exact: true })
    await template.selectOption('invoice_ready · en_US')
    await choose(page, 'Choose a file', files.document)
    await expect.poll(readHeader).toMatchObject({ type: 'header', parameters: [{ type: 'media' }] })
    await page.getByLabel('Value of {{1}}').fill('{{contact.unknown}}')
    await page.getByText('contact.unknown').first().waitFor()
    await page.reload()
    await page.getByText('invoice.pdf').waitFor()
    await screenshots(page, 'campaign-template')
    await template.selectOption('store_location · en_US')
    await page.getByLabel('Latitude').fill('52.5219')
    await page.getByLabel('Longitude').fill('13.4132')
    await page.getByLabel('Name of the place').fill('Harbor Lights')
    await page.getByLabel('Address of the place').fill('Alexanderplatz 1')
    const location = {
      latitude: 52.5219,
      longitude: 13.4132,
      name: 'Harbor Lights',
      address: 'Alexanderplatz 1',
    }
    await expect.poll(readHeader).toEqual({ type: 'header', parameters: [{ type: 'location', location }] })
    await page.reload()
    expect(await page.getByLabel('Latitude').inputValue()).toBe('52.5219')
    await expectAccessibleThemes(page, 'campaign with a location')
  })
})
