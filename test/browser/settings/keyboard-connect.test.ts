/** Connects an inbox of each channel by keyboard alone. The focus is never lost on the way. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { expectFocus, expectFocusKept, startWalk, tabTo, watchFocus } from '../support/keys.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('connecting inboxes by keyboard', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('an owner connects a web chat, and an account of each provider', async () => {
    const office = await openOffice(service)
    const { page } = await openTab()
    await watchFocus(page)
    await signIn(page, service, office.owner, '/settings/inboxes')
    const keys = startWalk(page)
    const dialog = page.getByRole('dialog', { name: 'Connect an inbox' })
    const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
    const channel = dialog.getByLabel('Channel')
    const open = async () => {
      await keys.activate(page.getByRole('button', { name: 'Connect an inbox' }))
      await expectFocus(channel)
    }
    const expectConnected = async (id: string) => {
      await page.getByRole('heading', { name: 'Health' }).waitFor()
      await expectFocusKept(page)
      const { inboxes } = (await office.owner.api.get('/inboxes')).body
      expect(inboxes.map((inbox: { channel: string }) => inbox.channel)).toContain(id)
      await keys.openSettings('Inboxes')
    }

    await open()
    await tabTo(page, dialog.getByLabel('Name'))
    await keys.type('Shop')
    await tabTo(page, dialog.getByLabel('Websites'))
    await keys.type('https://shop.example')
    await keys.activate(inDialog('Connect'))
    await expectConnected('webchat')
    for (const [steps, id] of ['chatapp', 'socialapp', 'sms'].entries()) {
      await open()
      for (let n = 0; n <= steps; n++) await keys.press('ArrowDown')
      await expect.poll(() => channel.inputValue()).toBe(id)
      await keys.activate(inDialog('Use a sandbox account'))
      if (id !== 'socialapp') {
        await keys.activate(inDialog('Find the numbers'))
        const numbers = dialog.getByRole('group', { name: 'Numbers' }).getByRole('checkbox')
        await keys.activate(numbers.first(), 'Space')
      }
      await keys.activate(inDialog('Connect'))
      await expectConnected(id)
    }
  })
})
