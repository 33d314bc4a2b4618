/** Tests the settings of people and teams: invitations, the role matrix of docs/identity.md, and lost rights. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { openOffice, type Person, password, signIn } from '../support/people.ts'
import { expectGoodScreen, requestAs } from '../support/settings.ts'

describe.skipIf(!hasBrowser)('settings of people', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function openPeople(person: Person, options?: Parameters<typeof openTab>[0]) {
    const tab = await openTab(options)
    await signIn(tab.page, service, person, '/settings/people')
    await tab.page.getByRole('heading', { name: 'Members' }).waitFor()
    return tab
  }

  const rowOf = (page: Page, name: string): Locator =>
    page.getByRole('region', { name: 'Settings' }).getByRole('listitem').filter({ hasText: name }).first()

  test('an invitation is created, copied, renewed, accepted and revoked', async () => {
    const office = await openOffice(service)
    const { page, another } = await openPeople(office.owner, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByRole('button', { name: 'Invite' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Invite a person' })
    await dialog.getByLabel('E-mail').waitFor()
    await expectAccessible(page, 'invite')
    const email = `new-${office.tenantId}@example.com`
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Agent')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    const link = page.getByRole('dialog', { name: `Invitation for ${email}` })
    const first = await link.getByLabel('Link of the invitation').innerText()
    expect(first).toContain(`${service.url}/invitation#`)
    await expectAccessible(page, 'link of an invitation')
    await screenshot(page, 'settings-invitation-link')
    // The link cannot be closed before it was copied or confirmed.
    await page.keyboard.press('Escape')
    await link.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
    await link.getByRole('button', { name: 'Done' }).click()
    await link.waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(first.split('#')[1])
    await page.getByRole('button', { name: `Renew the invitation of ${email}` }).click()
    const second = await link.getByLabel('Link of the invitation').innerText()
    expect(second).not.toBe(first)
    await link.getByLabel('I have stored it').check()
    await link.getByRole('button', { name: 'Done' }).click()
    const guest = (await openTab()).page
    await guest.goto(second)
    await guest.getByLabel('Your name').fill('Nia New')
    await guest.getByLabel('New password', { exact: true }).fill(password)
    await guest.getByRole('button', { name: 'Join' }).click()
    await guest.getByRole('navigation', { name: 'Navigation' }).waitFor()
    await rowOf(page, 'Nia New').getByText('Support').waitFor()
    await rowOf(page, 'Nia New')
      .getByText(/^Last seen \d+ seconds? ago$/)
      .waitFor()
    await page.getByText('No invitation is pending.').waitFor()
    await office.owner.api.post('/users/invitations', { email: 'other@example.com', role: 'admin' })
    const tab = await another()
    await tab.page.goto(`${service.url}/settings/people`)
    await tab.page.getByRole('button', { name: 'Revoke the invitation of other@example.com' }).click()
    await tab.page.getByText('No invitation is pending.').waitFor()
    expect((await office.owner.api.get('/users/invitations')).body.items).toEqual([])
  })

  test('roles: owners change everyone else, admins no owners, and the last owner says why not', async () => {
    const office = await openOffice(service)
    const admin = await office.hire('Abe Admin', 'admin')
    await office.hire('Kim Lee')
    const { page } = await openPeople(office.owner)
    const ana = rowOf(page, 'Ana Lima')
    await ana.getByText('This is the last enabled owner. Make another member an owner first.').waitFor()
    expect(await ana.getByLabel('Role of Ana Lima').isDisabled()).toBe(true)
    await ana.getByRole('button', { name: 'Actions for Ana Lima' }).click()
    expect(await page.getByRole('menuitem', { name: 'Disable' }).getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await page.getByLabel('Role of Kim Lee').selectOption('Owner')
    await page.getByText('Kim Lee now has the role Owner').waitFor()
    await ana.getByText('You cannot change your own role or disable your own account.').waitFor()
    await page.getByLabel('Role of Kim Lee').selectOption('Agent')
    await page.getByText('Kim Lee now has the role Agent').waitFor()
    await expectGoodScreen(page, 'settings-people')
    const other = (await openPeople(admin, { expected: /403/ })).page
    await rowOf(other, 'Ana Lima').getByText('This is the last enabled owner').waitFor()
    const roleOfKim = other.getByLabel('Role of Kim Lee')
    expect(await roleOfKim.getByRole('option', { name: 'Owner' }).isDisabled()).toBe(true)
    await roleOfKim.selectOption('Admin')
    await other.getByText('Kim Lee now has the role Admin').waitFor()
    expect(await requestAs(other, 'PUT', `/users/${office.owner.id}/role`, { role: 'agent' })).toBe(403)
    await rowOf(other, 'Kim Lee').getByRole('button', { name: 'Actions for Kim Lee' }).click()
    await other.getByRole('menuitem', { name: 'Disable' }).click()
    await expectAccessible(other, 'disable a member')
    await other.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await rowOf(other, 'Kim Lee').getByText('Disabled', { exact: true }).waitFor()
  })

  test('a team is created, filled, renamed and deleted; a link for a new password is shown once', async () => {
    const office = await openOffice(service)
    const kim = await office.hire('Kim Lee')
    const { page } = await openPeople(office.owner, { expected: /409/ })
    await page.getByRole('button', { name: 'New team' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Harbor crew')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Members of Harbor crew' }).click()
    await page.getByRole('option', { name: 'Kim Lee' }).click()
    await page.keyboard.press('Escape')
    await rowOf(page, 'Kim Lee').getByText('Harbor crew').waitFor()
    await page.getByRole('button', { name: 'Edit Harbor crew' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('First line')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Members of First line' }).waitFor()
    const { teams } = (await office.owner.api.get('/teams')).body
    const team = teams.find(({ name }: { name: string }) => name === 'First line')
    await office.owner.api.put(`/inboxes/${office.inboxId}/team`, { teamId: team.id })
    await page.getByRole('button', { name: 'Delete First line' }).click()
    const question = page.getByRole('dialog', { name: 'Delete First line?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await question.getByText(/^The team is used by an inbox/).waitFor()
    await office.owner.api.delete(`/inboxes/${office.inboxId}/team`)
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete First line' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for Kim Lee' }).click()
    await page.getByRole('menuitem', { name: 'Create a link for a new password' }).click()
    const link = await page.getByLabel('Link for a new password').innerText()
    expect(link).toContain('/reset-password#')
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.getByText(link).count()).toBe(0)
    // The link works once.
    for (const isFirst of [true, false]) {
      const guest = (await openTab({ expected: /status of 4/ })).page
      await guest.goto(link)
      const field = guest.getByLabel('New password', { exact: true })
      await field.fill('walnut-Comet-77-orchard')
      await field.press('Enter')
      if (!isFirst) {
        await guest.getByText('This link was used or has expired. Ask for a new one.').waitFor()
        continue
      }
      await guest.getByText('Sign in with the new password.').waitFor()
      await guest.getByRole('button', { name: 'Sign in' }).click()
      await guest.getByLabel('E-mail').fill(kim.email)
      await guest.getByLabel('Password', { exact: true }).fill('walnut-Comet-77-orchard')
      await guest.keyboard.press('Enter')
      await guest.getByRole('button', { name: /^Account of Kim Lee/ }).waitFor()
    }
  })

  test('after a demotion in another tab, controls disappear and an open form shows the refusal', async () => {
    const office = await openOffice(service)
    const admin = await office.hire('Abe Admin', 'admin')
    const { page, another } = await openPeople(admin, { expected: /403/ })
    const form = (await another()).page
    await form.goto(`${service.url}/settings/people`)
    await form.getByRole('button', { name: 'New team' }).click()
    await form.getByRole('dialog').getByLabel('Name').fill('Too late')
    const invite = page.getByRole('button', { name: 'Invite' })
    await invite.waitFor()
    const { status } = await office.owner.api.put(`/users/${admin.id}/role`, { role: 'agent' })
    expect(status).toBe(200)
    await form.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await form.getByText('You do not have the right to do this. Owners and admins can grant it.').waitFor()
    await invite.waitFor({ state: 'detached', timeout: within(2_000) })
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .waitFor({ state: 'detached', timeout: within(2_000) })
    expect(await page.getByRole('region', { name: 'Settings' }).getByRole('button').count()).toBe(0)
    await rowOf(page, 'Abe Admin').getByText('Agent', { exact: true }).waitFor()
    expect(
      await requestAs(page, 'POST', '/users/invitations', { email: 'x@example.com', role: 'agent' }),
    ).toBe(403)
    await expectGoodScreen(page, 'settings-people-agent')
  })
})
