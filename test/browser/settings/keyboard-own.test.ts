/** Walks through the own profile and the inboxes by keyboard alone. The focus is never lost on the way. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { showCode } from '../support/authenticator.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { expectFocus, startWalk, tabTo, watchFocus } from '../support/keys.ts'
import { openOffice, password, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('own settings and inboxes by keyboard', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('an owner changes the profile, sets up a second factor, and connects and deletes an inbox', async () => {
    const office = await openOffice(service)
    // The second factor ends the other sessions of the owner.
    const { api } = await office.hire('Abe Admin', 'admin')
    const { page } = await openTab()
    await watchFocus(page)
    await signIn(page, service, office.owner, '/settings/profile')
    const keys = startWalk(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
    const isClosed = () => dialog.waitFor({ state: 'hidden' })

    // Profile.
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await keys.replace('Ana Harbor')
    await keys.press('Enter')
    await page.getByRole('button', { name: /^Account of Ana Harbor/ }).waitFor()
    await expectFocus(page.getByLabel('Name', { exact: true }))

    // Second factor.
    const confirmPassword = async () => {
      await expectFocus(dialog.getByLabel('Confirm with your password'))
      await keys.type(password)
      await keys.press('Enter')
    }
    await keys.activate(button('Set up'))
    await confirmPassword()
    const secret = await dialog.getByLabel('Secret', { exact: true }).innerText()
    await expectFocus(dialog.getByLabel('Code', { exact: true }))
    await keys.type(showCode(secret))
    await keys.press('Enter')
    const codes = page.getByRole('status', { name: 'Recovery codes' })
    expect((await codes.innerText()).split('\n')).toHaveLength(10)
    await expectFocus(page.getByLabel('I have stored it'))
    await keys.press('Space')
    await keys.activate(button('Done'))
    await isClosed()
    await page.getByText('10 of 10 recovery codes are unused').waitFor()
    await expectFocus(button('New recovery codes'))
    await keys.activate(button('Disable'))
    await confirmPassword()
    await isClosed()
    await page.getByText('Not enabled').waitFor()
    await expectFocus(button('Set up'))

    // Inboxes.
    await keys.openSettings('Inboxes')
    await keys.activate(button('Connect an inbox'))
    const channel = dialog.getByLabel('Channel')
    await expectFocus(channel)
    for (const value of ['chatapp', 'socialapp', 'sms']) {
      await keys.press('ArrowDown')
      await expect.poll(() => channel.inputValue()).toBe(value)
      await expectFocus(channel)
    }
    await keys.activate(inDialog('Use a sandbox account'))
    await keys.activate(inDialog('Find the numbers'))
    await keys.activate(dialog.getByRole('group', { name: 'Numbers' }).getByRole('checkbox').first(), 'Space')
    await keys.activate(inDialog('Connect'))
    await page.getByRole('heading', { name: 'Health' }).waitFor()
    const list = async () => (await api.get('/inboxes')).body.inboxes
    expect((await list()).map((inbox: { channel: string }) => inbox.channel)).toContain('sms')
    await keys.activate(button('Delete the inbox'))
    await keys.activate(inDialog('Delete the inbox'))
    await page.getByRole('heading', { level: 1, name: 'Inboxes' }).waitFor()
    await expect.poll(async () => (await list()).length).toBe(1)
    await keys.activate(button('Connect an inbox'))
    await keys.press('Escape')
    await isClosed()
    await expectFocus(button('Connect an inbox'))
  })
})
