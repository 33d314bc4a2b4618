/** Walks through the settings of the workspace by keyboard alone. The focus is never lost on the way. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEndpoint } from '../../../src/webhooks/testing/endpoint.ts'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { expectFocus, startWalk, tabTo, watchFocus } from '../support/keys.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('settings of the workspace by keyboard', async () => {
  const service = await testService({ CONSOLE: 'development', OUTBOUND_LOOPBACK: 'on' }, { console: true })

  test('an owner keeps saved replies, people, teams, hours, keys and webhooks without a pointer', async () => {
    const receiver = await startEndpoint()
    onTestFinished(() => receiver.close())
    const office = await openOffice(service)
    const { api } = office.owner
    await office.hire('Kim Lee')
    await api.post('/saved-replies', { shortcut: 'welcome', text: 'Hello', scope: 'workspace' })
    await api.post('/users/invitations', { email: 'first@example.com', role: 'agent' })
    const { page } = await openTab({ permissions: ['clipboard-read', 'clipboard-write'] })
    await watchFocus(page)
    await signIn(page, service, office.owner, '/settings/saved-replies')
    const keys = startWalk(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
    const isClosed = () => dialog.waitFor({ state: 'hidden' })
    const storeSecret = async () => {
      await expectFocus(dialog.getByLabel('I have stored it'))
      await keys.press('Space')
      await keys.activate(inDialog('Done'))
      await isClosed()
    }

    // Saved replies.
    await keys.activate(button('New saved reply'))
    await expectFocus(dialog.getByLabel('Shortcut'))
    await keys.type('hours')
    await keys.press('Tab')
    await keys.type('From nine to five')
    await keys.activate(inDialog('Save'))
    await isClosed()
    await expectFocus(button('New saved reply'))
    await keys.activate(button('Edit /hours'))
    await expectFocus(dialog.getByLabel('Shortcut'))
    await keys.press('Tab')
    await keys.replace('From ten to five')
    await keys.activate(inDialog('Save'))
    await isClosed()
    await page.getByRole('listitem').getByText('From ten to five').waitFor()
    await expectFocus(button('Edit /hours'))
    for (const [shortcut, next] of [
      ['hours', 'Delete /welcome'],
      ['welcome', 'New saved reply'],
    ]) {
      await keys.activate(button(`Delete /${shortcut}`))
      await keys.activate(inDialog('Delete'))
      await isClosed()
      await expectFocus(button(next!))
    }
    expect((await api.get('/saved-replies')).body.savedReplies).toEqual([])

    // Labels.
    await keys.openSettings('Labels')
    for (const name of ['Billing', 'Damaged']) {
      await keys.activate(button('New label'))
      await keys.type(name)
      await keys.press('Enter')
      await isClosed()
      await expectFocus(button('New label'))
    }
    for (const [name, next] of [
      ['Billing', 'Delete Damaged'],
      ['Damaged', 'New label'],
    ]) {
      await keys.activate(button(`Delete ${name}`))
      await keys.activate(inDialog('Delete'))
      await isClosed()
      await expectFocus(button(next!))
    }

    // People and teams.
    await keys.openSettings('People and teams')
    await keys.activate(button('Invite'))
    await expectFocus(dialog.getByLabel('E-mail'))
    await keys.type('second@example.com')
    await keys.press('Enter')
    await dialog.getByLabel('Link of the invitation').waitFor()
    await storeSecret()
    await expectFocus(button('Invite'))
    const revoke = page.getByRole('button', { name: /^Revoke the invitation of/ })
    await expect.poll(() => revoke.count()).toBe(2)
    await keys.activate(page.getByRole('button', { name: /^Renew the invitation of/ }).first())
    await dialog.getByLabel('Link of the invitation').waitFor()
    await storeSecret()
    await expectFocus(page.getByRole('button', { name: /^Renew the invitation of/ }).first())
    await keys.activate(revoke.first())
    await expect.poll(() => revoke.count()).toBe(1)
    await expectFocus(revoke)
    await keys.press('Enter')
    await page.getByText('No invitation is pending.').waitFor()
    await expect.poll(async () => (await api.get('/users/invitations')).body.items).toEqual([])
    await keys.activate(button('New team'))
    await keys.type('Harbor crew')
    await keys.press('Enter')
    await isClosed()
    await expectFocus(button('New team'))
    await keys.activate(button('Members of Harbor crew'), 'Enter', 'Shift+Tab')
    await page.getByRole('option', { name: 'Kim Lee' }).waitFor()
    await keys.type('Kim')
    await keys.press('Enter')
    await page.getByRole('option', { name: 'Kim Lee (chosen)' }).waitFor()
    await keys.press('Escape')
    await isClosed()
    await expectFocus(button('Members of Harbor crew'))
    const member = page.getByRole('button', { name: 'Actions for Kim Lee' })
    await keys.activate(member, 'Enter', 'Shift+Tab')
    await expectFocus(page.getByRole('menuitem', { name: 'Change the teams' }))
    await keys.type('Disable')
    await keys.press('Enter')
    await dialog.waitFor()
    await keys.activate(inDialog('Cancel'))
    await isClosed()
    await expectFocus(member)
    await keys.activate(button('Delete Harbor crew'))
    await keys.activate(inDialog('Delete'))
    await isClosed()
    await expectFocus(button('Delete Support'))

    // Name and hours.
    await keys.openSettings('General')
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await keys.replace('Harbor Works')
    const hours = page.getByLabel('Business hours')
    await tabTo(page, hours)
    await keys.type('Chosen')
    await page.getByRole('group', { name: 'Hours 1' }).waitFor()
    await keys.activate(button('Add hours'))
    await page.getByRole('group', { name: 'Hours 2' }).waitFor()
    await expectFocus(button('Add hours'))
    await keys.activate(button('Remove hours 2'), 'Enter', 'Shift+Tab')
    await page.getByRole('group', { name: 'Hours 2' }).waitFor({ state: 'detached' })
    await expectFocus(page.getByRole('group', { name: 'Hours 1' }).getByLabel('Mon'))
    await keys.activate(button('Add hours'))
    await keys.activate(button('Remove hours 1'), 'Enter', 'Shift+Tab')
    await page.getByRole('group', { name: 'Hours 2' }).waitFor({ state: 'detached' })
    await expectFocus(page.getByRole('group', { name: 'Hours 1' }).getByLabel('Sun'))
    await keys.activate(button('Save'))
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await api.get('/workspace')).body).toMatchObject({
      name: 'Harbor Works',
      businessHours: [{ days: ['sat'], from: '09:00', to: '17:00' }],
    })

    // Service accounts and their keys.
    await keys.openSettings('Service accounts')
    await keys.activate(button('New service account'))
    await keys.type('Shop')
    await keys.press('Enter')
    await isClosed()
    await expectFocus(button('New service account'))
    await keys.activate(button('New key'))
    await keys.type('production')
    await keys.press('Enter')
    const shown = page.getByRole('dialog', { name: 'Key production' })
    const key = await shown.getByLabel('Key', { exact: true }).innerText()
    await keys.activate(inDialog('Copy'))
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    await keys.activate(inDialog('Done'))
    await isClosed()
    await expectFocus(button('New key'))
    await keys.activate(button('Revoke the key production'), 'Enter', 'Shift+Tab')
    await keys.activate(inDialog('Revoke'))
    await isClosed()
    await expectFocus(button('New key'))
    await keys.activate(button('Delete Shop'), 'Enter', 'Shift+Tab')
    await keys.activate(inDialog('Delete'))
    await isClosed()
    await expectFocus(button('New service account'))

    // Webhook endpoints and their keys.
    await keys.openSettings('Webhooks')
    await keys.activate(button('New endpoint'))
    await expectFocus(dialog.getByLabel('URL'))
    await keys.type(receiver.url)
    await keys.activate(dialog.getByLabel('contact.created', { exact: true }), 'Space')
    await keys.activate(inDialog('Save'))
    await isClosed()
    await expectFocus(button('New endpoint'))
    const { endpoints } = (await api.get('/webhooks/endpoints')).body
    expect(endpoints).toHaveLength(1)
    expect(endpoints[0].eventTypes).not.toContain('contact.created')
    await keys.activate(button('Show the keys'))
    await dialog.getByLabel('Signing key', { exact: true }).waitFor()
    await storeSecret()
    await expectFocus(button('Rotate the key'))
    await keys.activate(button(`Delete ${receiver.url}`), 'Enter', 'Shift+Tab')
    await keys.activate(inDialog('Delete'))
    await isClosed()
    await expectFocus(button('New endpoint'))
    expect((await api.get('/webhooks/endpoints')).body.endpoints).toEqual([])
  })
})
