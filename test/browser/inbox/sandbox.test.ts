/** Tests the sandbox in the console: a customer is played on any screen, and not where no sandbox runs. */
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshots,
} from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('sandbox', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('a new and a known customer are played from another screen', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550196', 'hello', 'Bo Customer')
    const list = async () => (await api.get('/conversations')).body.conversations
    const [{ id }] = await until(list, found => found.length === 1)
    const rows = [{ id: 'a', title: 'Apple' }]
    const actions = [{ type: 'list', title: 'Fruit', sections: [{ title: 'Fresh', rows }] }]
    const content = { type: 'rich', rich: { body: { text: 'Please choose' }, actions } }
    expect((await api.post(`/conversations/${id}/messages`, { content })).status).toBe(202)
    const { page } = await openTab()
    await signIn(page, service, office.owner, '/campaigns')
    await page.getByText('No campaigns yet.').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    const dialog = page.getByRole('dialog', { name: 'Play a customer' })
    const customer = dialog.getByLabel('Customer')
    await customer.fill('+14155550197')
    await dialog.getByLabel('Write as +14155550197').fill('I am new')
    await page.keyboard.press('Enter')
    await dialog.getByRole('link', { name: 'Open the conversation' }).waitFor()
    expect((await list()).map((item: { lastMessagePreview: string }) => item.lastMessagePreview)).toContain(
      'I am new',
    )
    await customer.fill('+14155550196')
    await dialog.getByLabel('Write as Bo Customer').waitFor()
    await dialog.getByRole('button', { name: 'Press “Apple”' }).click()
    await expectAccessible(page, 'play a customer')
    await screenshots(page, 'sandbox-dialog')
    await page.setViewportSize({ width: 320, height: 700 })
    await expectNoSidewaysScroll(page)
    await dialog.getByRole('link', { name: 'Open the conversation' }).click()
    await expect.poll(() => page.url()).toContain(`/inbox/${id}`)
    await page.getByRole('log').getByText('Apple', { exact: true }).last().waitFor()
  })

  test('the key goes to the field beside the thread, Esc leaves it, and an advanced clock is confirmed', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550199', 'hello', 'Bo Customer')
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /Bo Customer/ }).click()
    await page.getByRole('log').getByText('hello').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    const isFocused = () =>
      page.getByLabel('Write as Bo Customer').evaluate(field => field === document.activeElement)
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.press('Escape')
    expect(await isFocused()).toBe(false)
    await page.getByRole('button', { name: 'Advance the clock by 24 h' }).click()
    await page.getByText('Clock advanced by 24 h').waitFor()
  })

  test('agents, and everybody in a service without a sandbox, see nothing of it', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550198', 'hello', 'Bo Customer')
    const agent = await office.hire('Kim Lee')
    for (const person of [agent, office.owner]) {
      const { page } = await openTab()
      let isAsked = false
      await page.route(/\/v1\/sandbox$/, route => {
        isAsked = true
        return route.fulfill({ json: { channels: [] } })
      })
      await signIn(page, service, person)
      await page.getByRole('link', { name: /Bo Customer/ }).click()
      await page.getByRole('log').getByText('hello').waitFor()
      await page.getByRole('heading', { name: 'Conversation', exact: true }).waitFor()
      expect(isAsked).toBe(person !== agent)
      expect(await page.getByRole('heading', { name: 'Sandbox' }).count()).toBe(0)
      await page.getByRole('button', { name: 'More actions' }).first().click()
      await page.getByRole('menuitem', { name: 'Close' }).or(page.getByRole('menuitem').first()).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Play the customer' }).count()).toBe(0)
    }
  })
})
