/** Tests macros in the inbox: run by a key and from the palette, with the reason when one fails, and new ones without a reload. */
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import {
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('macros', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('run by the key and from the palette; a failed one changes nothing and says why', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550155', 'Thanks for your help', 'Bo Customer')
    const list = async () => (await api.get('/conversations')).body.conversations
    const [{ id }] = await until(list, found => found.length === 1)
    const read = async () => (await api.get(`/conversations/${id}`)).body
    const create = async (name: string, actions: object[]) =>
      expect((await api.post('/macros', { name, scope: 'workspace', actions })).status).toBe(201)
    await create('Thank and close', [{ type: 'reply', text: 'You are welcome!' }, { type: 'close' }])
    const { page } = await openTab()
    await signIn(page, service, office.owner, `/inbox/${id}`)
    await page.getByRole('log').getByText('Thanks for your help').waitFor()
    await page.keyboard.press('y')
    const dialog = page.getByRole('dialog', { name: 'Run a macro' })
    await dialog.getByText('Thank and close').waitFor()
    // Created while the list is open.
    await create('Urgent and mine', [
      { type: 'setPriority', priority: 'urgent' },
      { type: 'assign', owner: { type: 'user', id: 'me' } },
    ])
    await create('Missing value', [{ type: 'reply', text: 'Hello {{contact.email}}' }, { type: 'close' }])
    await dialog.getByText('Missing value').waitFor()
    await dialog.getByText('Urgent and mine').waitFor()
    await expectAccessibleThemes(page, 'macros')
    await screenshots(page, 'macros')
    await page.keyboard.type('urgent')
    await page.keyboard.press('Enter')
    await page.getByText('“Urgent and mine” was run on the conversation with Bo Customer.').waitFor()
    expect(await read()).toMatchObject({
      priority: 'urgent',
      activeOwner: { type: 'user', id: office.owner.id },
    })

    await page.keyboard.press('y')
    await page.keyboard.type('missing')
    await page.keyboard.press('Enter')
    await page.getByText(/“Missing value” changed nothing:/).waitFor()
    expect((await read()).status).toBe('open')

    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('Run a macro')
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.type('thank')
    await page.keyboard.press('Enter')
    await page.getByText('You are welcome!').last().waitFor()
    await expect.poll(async () => (await read()).status).toBe('closed')
    await page.setViewportSize({ width: 360, height: 800 })
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'macros-phone')
  })
})
