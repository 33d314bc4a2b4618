/** Tests signing in and out, and the pages that need no session. */
import { describe, expect, test } from 'vitest'
import { loginClientId, startIssuer } from '../../../src/identity/testing/oidc-issuer.ts'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import {
  expectAccessible,
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { openOffice, password, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('signing in', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('a wrong password is announced without a hint, and the right one opens the address', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ expected: /status of 401/, viewport: { width: 320, height: 640 } })
    await page.goto(`${service.url}/settings`)
    await page.getByLabel('E-mail').fill(office.owner.email)
    const field = page.getByLabel('Password', { exact: true })
    await field.fill('not the password')
    expect(await page.getByLabel('E-mail').getAttribute('autocomplete')).toBe('username')
    expect(await field.getAttribute('autocomplete')).toBe('current-password')
    await page.getByRole('button', { name: 'Show password' }).click()
    expect(await field.getAttribute('type')).toBe('text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    expect(await field.getAttribute('type')).toBe('password')
    await field.press('Enter')
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('name'))
    expect(focused).toBe('password')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'wrong password')
    await screenshot(page, 'sign-in-phone')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Preferences', exact: true }).waitFor()
    await expectNoSidewaysScroll(page)
    const stored = await page.evaluate(() => `${JSON.stringify(localStorage)}${document.cookie}`)
    expect(stored).not.toMatch(/__Host-parley|Bearer|prt_/)
  })

  test('signing out in one tab shows the form in the other', async () => {
    const office = await openOffice(service)
    const first = await openTab()
    await signIn(first.page, service, office.owner)
    const second = await first.another()
    await second.page.goto(`${service.url}/inbox`)
    await second.page.getByRole('button', { name: /Account of Ana Lima/ }).click()
    await second.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await second.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await first.page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: within(1_000) })
  })

  test('a failure to sign out is shown, and the user stays signed in', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ expected: /ERR_FAILED/ })
    await signIn(page, service, office.owner)
    const signOut = async () => {
      await page.getByRole('button', { name: /Account of Ana Lima/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await page.route(/auth\/sessions\/current/, route => route.abort())
    await signOut()
    await page.getByText('You are still signed in.').waitFor()
    await page.unroute(/auth\/sessions\/current/)
    await signOut()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('preferences follow the user into another browser', async () => {
    const office = await openOffice(service)
    const { page } = await openTab()
    await signIn(page, service, office.owner, '/settings')
    await page.getByLabel('Send with').selectOption('mod+enter')
    const stored = async () => (await office.owner.api.get('/users/me/preferences')).body.console?.sendWith
    await expect.poll(stored).toBe('mod+enter')
    const other = await openTab()
    await signIn(other.page, service, office.owner, '/settings')
    await expect.poll(() => other.page.getByLabel('Send with').inputValue()).toBe('mod+enter')
  })

  test('every part of the design system is accessible, in light and dark', async () => {
    const { page } = await openTab()
    await page.goto(`${service.url}/console/kit`)
    await page.getByRole('heading', { name: 'States' }).waitFor()
    await expectAccessibleThemes(page, 'kit')
    await page.getByRole('button', { name: 'Open dialog' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessibleThemes(page, 'dialog')
    await screenshots(page, 'kit')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('menuitem', { name: 'Assign to me' }).waitFor()
    await expectAccessibleThemes(page, 'menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open list' }).click()
    await page.getByRole('option', { name: 'Assign to me' }).waitFor()
    await expectAccessibleThemes(page, 'list')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Density: comfortable' }).click()
    await page.getByRole('button', { name: 'Contrast: system' }).click()
    await page.getByRole('button', { name: 'Contrast: more' }).waitFor()
    await expectAccessibleThemes(page, 'compact with high contrast')
    await screenshots(page, 'kit-compact-contrast')
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
  })
})

describe.skipIf(!hasBrowser)('single sign-on', async () => {
  const issuer = await startIssuer()
  const env = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: loginClientId, OIDC_TENANT_CLAIM: 'workspace' }
  const service = await testService({ CONSOLE: 'on', ...env }, { console: true })
  Object.assign(service.deps.config, { publicUrl: service.url })

  /** Opens a tab whose user the provider knows under this subject. */
  const openAs = (subject: string) => openTab({ extraHTTPHeaders: { 'x-subject': subject } })

  test('opens the address that asked for a session, and stays signed in', async () => {
    const office = await openOffice(service)
    const invited = `${office.tenantId.toLowerCase()}@example.com`
    await office.owner.api.post('/users/invitations', { email: invited, role: 'agent', teamIds: [] })
    issuer.users.set('ines', {
      email: invited,
      email_verified: true,
      workspace: office.tenantId,
      name: 'Ines Moor',
    })
    const { page } = await openAs('ines')
    await page.goto(`${service.url}/settings`)
    await page.getByRole('button', { name: 'Continue with single sign-on' }).waitFor()
    await expectAccessible(page, 'single sign-on')
    await screenshot(page, 'sign-in-single-sign-on')
    await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    await page.getByRole('heading', { name: 'Preferences', exact: true }).waitFor()
    expect(page.url()).toBe(`${service.url}/settings`)
    await page.reload()
    await page.getByRole('button', { name: /Account of Ines Moor/ }).waitFor()
  })

  test('explains an account without access, and removes the reason from the address', async () => {
    const office = await openOffice(service)
    issuer.users.set('otto', { email: 'otto@example.com', email_verified: true, workspace: office.tenantId })
    const { page } = await openAs('otto')
    await page.goto(`${service.url}/inbox`)
    await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    await page.getByRole('alert').getByText('Your account has no access here.').waitFor()
    expect(page.url()).toBe(`${service.url}/inbox`)
  })
})
