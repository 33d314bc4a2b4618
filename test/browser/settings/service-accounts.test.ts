/** Tests the settings of service accounts: scopes as a tree, keys that are shown once, rotation and revocation. */
import { describe, expect, test } from 'vitest'
import { client } from '../../harness/api.ts'
import { testService } from '../../harness/service.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'
import { expectEmptyList, expectGoodScreen, requestAs } from '../support/settings.ts'

describe.skipIf(!hasBrowser)('settings of service accounts', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const path = '/settings/service-accounts'

  test('an account with chosen scopes gets a key, which is shown once, rotated and revoked', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ permissions: ['clipboard-read', 'clipboard-write'] })
    await signIn(page, service, office.owner, path)
    await expectEmptyList(
      page,
      'No service accounts yet.',
      'New service account',
      'A service account belongs to a program that calls the API. Its keys stay valid when their creator leaves.',
    )
    await expectAccessible(page, 'no service accounts')
    // By keyboard alone.
    await page.getByRole('button', { name: 'New service account' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New service account' })
    await dialog.waitFor()
    await page.keyboard.type('Shop sync')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Copies orders')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Chosen')
    await dialog.getByText('Choose at least one scope.').waitFor()
    const group = dialog.getByText(/^contact: 0 of/)
    await group.waitFor()
    for (let i = 0; i < 60 && !(await group.evaluate(element => element === document.activeElement)); i++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('contact:list', { exact: true }).focus()
    await page.keyboard.press('Space')
    await dialog.getByText(/^contact: 1 of/).waitFor()
    const { scopes } = (await office.owner.api.get('/scopes')).body
    const { description } = scopes.find(({ name }: { name: string }) => name === 'contact:list')
    await dialog.getByText(description).waitFor()
    await expectAccessible(page, 'scopes')
    await screenshot(page, 'settings-scopes')
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    const card = page.getByRole('region', { name: 'Shop sync' })
    await card.getByText('1 scope', { exact: true }).waitFor()

    await card.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name of the key').fill('production')
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
    const shown = page.getByRole('dialog', { name: 'Key production' })
    const key = await shown.getByLabel('Key', { exact: true }).innerText()
    await expectAccessible(page, 'key')
    await screenshot(page, 'settings-key')
    await page.keyboard.press('Escape')
    expect(await shown.isVisible()).toBe(true)
    await shown.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    await page.keyboard.press('Escape')
    await shown.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)

    const api = client(service.url, office.tenantId, 'sa', key)
    expect((await api.get('/contacts')).status).toBe(200)
    expect((await api.get('/inboxes')).status).toBe(403)
    const lastUse = async () => {
      await page.reload()
      await card.getByRole('listitem').waitFor()
      return card.getByText(/Last used .* from 127\.0\.0\.1/).count()
    }
    await expect.poll(lastUse).toBe(1)

    await card.getByRole('button', { name: 'Rotate the key production' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create the new key' }).click()
    const second = await shown.getByLabel('Key', { exact: true }).innerText()
    expect(second).not.toBe(key)
    await shown.getByLabel('I have stored it').check()
    await shown.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => card.getByRole('listitem').count()).toBe(2)
    await card
      .getByRole('listitem')
      .filter({ hasText: 'Last used' })
      .getByRole('button', { name: /^Revoke/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(() => card.getByRole('listitem').count()).toBe(1)
    expect((await api.get('/contacts')).status).toBe(401)
    const renewed = client(service.url, office.tenantId, 'sa', second)
    expect((await renewed.get('/contacts')).status).toBe(200)
    await card.getByRole('button', { name: 'Deactivate' }).click()
    await card.getByText('Inactive', { exact: true }).waitFor()
    expect((await renewed.get('/contacts')).status).toBe(401)
    await expectGoodScreen(page, 'settings-service-accounts')
  })

  test('the page names the scope that an agent lacks, and the service refuses the requests', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    const { page } = await openTab({ expected: /403/ })
    await signIn(page, service, agent, path)
    await page.getByText('You need the scope api_key:list. Owners and admins have it.').waitFor()
    expect(await page.getByRole('link', { name: 'Service accounts' }).count()).toBe(0)
    expect(await page.getByRole('region', { name: 'Settings' }).getByRole('button').count()).toBe(0)
    await expectAccessible(page, 'service accounts without the scope')
    expect(await requestAs(page, 'GET', '/service-accounts')).toBe(403)
    expect(await requestAs(page, 'POST', '/service-accounts', { name: 'x' })).toBe(403)
  })
})
