/** Tests the details panel: what is known about the contact is changed where it is shown. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { expectFocus } from '../support/keys.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('details', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('name, field, tag and opt-out of the contact are changed by keyboard and pointer', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await api.post('/contacts/custom-fields', { name: 'City', type: 'text' })
    const tag = (await api.post('/tags', { name: 'VIP' })).body
    await office.receive('+14155550170', 'who am I?', 'Bo Customer')
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /who am I.*1 unread message/s }).click()
    await page.getByRole('log').getByText('New messages').waitFor()
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.getByRole('button', { name: 'Name of the contact: Bo Customer. Edit' }).click()
    await page.keyboard.press('Escape')
    await expectFocus(panel.getByRole('button', { name: 'Name of the contact: Bo Customer. Edit' }))
    await panel.getByRole('button', { name: /^Name of the contact/ }).click()
    await panel.getByRole('textbox', { name: 'Name of the contact' }).fill('Bo Harbor')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'Name of the contact: Bo Harbor. Edit' }).waitFor()
    await panel.getByRole('button', { name: 'City: empty. Edit' }).click()
    await panel.getByRole('textbox', { name: 'City' }).fill('Lisbon')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'City: Lisbon. Edit' }).waitFor()
    await expectFocus(panel.getByRole('button', { name: 'City: Lisbon. Edit' }))
    await panel.getByRole('button', { name: 'Change the tags' }).click()
    await page.getByRole('option', { name: 'VIP' }).click()
    await page.keyboard.press('Escape')
    await panel.getByText('VIP').waitFor()
    const { contactId } = (await api.get('/conversations')).body.conversations[0]
    const read = async () => (await api.get(`/contacts/${contactId}`)).body
    const expected = { name: 'Bo Harbor', customFields: { City: 'Lisbon' }, tagIds: [tag.id] }
    await expect.poll(read).toMatchObject(expected)
    await expectAccessible(page, 'details')
    // An event about another change arrives while the request is in flight: it has the old opt-outs.
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/opt-outs/chatapp', async route => {
      await released
      await route.continue()
    })
    const chat = panel.getByRole('checkbox', { name: 'Chat' })
    await chat.check()
    expect((await api.patch(`/contacts/${contactId}`, { name: 'Bo Lake' })).status).toBe(200)
    await panel.getByRole('button', { name: /Bo Lake/ }).waitFor()
    expect(await chat.isChecked()).toBe(true)
    release()
    await panel.getByText('Opted out of Chat').waitFor()
    await expect.poll(read).toMatchObject({ optOuts: ['chatapp'] })
    await page.unrouteAll()
    await page.getByText('The customer does not want messages on this channel.').waitFor()
    await screenshot(page, 'details')
    await panel.getByRole('checkbox', { name: 'Chat' }).uncheck()
    await expect.poll(read).toMatchObject({ optOuts: [] })
  })

  test('an opt-out of someone else blocks the composer with the reason, and its end unblocks it', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550174', 'stop writing', 'Ed Customer')
    const { page } = await openTab()
    // Without the regular check: only the event may change the composer.
    await page.addInitScript(() => {
      const { setTimeout } = window
      const isRegular = (ms?: number) => ms !== undefined && ms >= 5_000 && ms <= 20_000
      Object.assign(window, {
        setTimeout: (run: () => void, ms?: number) => (isRegular(ms) ? 0 : setTimeout(run, ms)),
      })
    })
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /stop writing/ }).click()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await expect.poll(() => reply.isEditable()).toBe(true)
    const { contactId } = (await api.get('/conversations')).body.conversations[0]
    expect((await api.put(`/contacts/${contactId}/opt-outs/chatapp`)).status).toBe(204)
    const reason = page.getByText('The customer does not want messages on this channel.')
    await reason.waitFor()
    expect(await reply.isEditable()).toBe(false)
    expect(await reply.getAttribute('placeholder')).toBe('Nothing can be sent now.')
    const composer = page.getByRole('region', { name: 'Conversation', exact: true })
    for (const name of ['Send', 'Templates'])
      expect(await composer.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true)
    await expectAccessible(page, 'composer after an opt-out')
    await screenshots(page, 'composer-opted-out')
    expect((await api.delete(`/contacts/${contactId}/opt-outs/chatapp`)).status).toBe(204)
    await reason.waitFor({ state: 'hidden' })
    await expect.poll(() => reply.isEditable()).toBe(true)
  })

  test('a change that arrives before the contact is loaded is not lost', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550173', 'rename me early', 'Di Customer')
    const find = async () => (await office.owner.api.get('/conversations')).body.conversations[0]
    await expect.poll(find).toBeDefined()
    const { id, contactId } = await find()
    const { page } = await openTab()
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(/\/v1\/contacts\/con_/, async route => {
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
    })
    const requested = page.waitForRequest(/\/v1\/contacts\/con_/)
    await signIn(page, service, office.owner, `/inbox/${id}`)
    await requested
    await page.getByRole('link', { name: /Di Customer/ }).waitFor()
    await office.owner.api.patch(`/contacts/${contactId}`, { name: 'Di Renamed' })
    await page.getByRole('link', { name: /Di Renamed/ }).waitFor()
    release()
    await page.getByRole('button', { name: /^Name of the contact: Di Renamed/ }).waitFor()
  })

  test('a change by a colleague appears; a narrow window shows a sheet only when asked', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550171', 'rename me', 'Cy Customer')
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /rename me/ }).click()
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.getByRole('button', { name: /^Name of the contact: Cy Customer/ }).waitFor()
    const { contactId } = (await api.get('/conversations')).body.conversations[0]
    await api.patch(`/contacts/${contactId}`, { name: 'Cy Renamed' })
    await panel.getByRole('button', { name: /^Name of the contact: Cy Renamed/ }).waitFor()
    await page.setViewportSize({ width: 768, height: 1024 })
    await panel.waitFor({ state: 'hidden' })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'thread-768')
    await page.keyboard.press(']')
    await page.getByRole('dialog', { name: 'Details' }).waitFor()
    await expectAccessible(page, 'details in a sheet')
  })
})
