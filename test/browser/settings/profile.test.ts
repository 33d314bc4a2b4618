/** Tests the user's own profile: name, password, sessions, and the second factor, also where it is required. */
import { PNG } from 'pngjs'
import decodeQr from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { showCode } from '../support/authenticator.ts'
import { expectAccessible, hasBrowser, openTab, screenshot, screenshots } from '../support/browser.ts'
import { expectFocus } from '../support/keys.ts'
import { type Office, openOffice, password, signIn } from '../support/people.ts'
import { expectGoodScreen } from '../support/settings.ts'

/** Lists the names of the conversations in the order of the inbox. */
async function listNames(office: Office): Promise<string[]> {
  const { body } = await office.owner.api.get('/conversations')
  return body.conversations.map(({ name }: { name: string }) => name)
}

describe.skipIf(!hasBrowser)('settings of the own profile', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const path = '/settings/profile'

  test('name and password are changed by keyboard; other sessions are listed and end', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    const { page } = await openTab({ expected: /40[03]/ })
    await signIn(page, service, agent, path)
    const name = page.getByLabel('Name', { exact: true })
    await name.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Kim Harbor')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Account of Kim Harbor/ }).waitFor()
    await expectGoodScreen(page, 'settings-profile')

    // The session of this browser ends below.
    const elsewhere = (await openTab({ expected: /401/ })).page
    await signIn(elsewhere, service, agent, path)
    await page.reload()
    const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    // This browser, the other one, and the token of the test.
    await expect.poll(() => rows.count()).toBe(3)
    await rows.filter({ hasText: 'This session' }).getByText('Chrome on Linux').waitFor()
    await rows
      .filter({ hasText: 'Chrome' })
      .getByRole('button', { name: /^End the session/ })
      .click()
    await expect.poll(() => rows.count()).toBe(2)
    await elsewhere.getByRole('button', { name: 'Sign in' }).waitFor()

    const [current, next] = [page.getByLabel('Current password'), page.getByLabel('New password')]
    await current.fill('wrong')
    await next.fill('walnut-Comet-77-orchard')
    await next.press('Enter')
    await page.getByText('The current password is wrong.').waitFor()
    await current.fill(password)
    // As docs/identity.md and the schema of the operation say.
    await page.getByText('At least 10 characters', { exact: false }).waitFor()
    await next.fill('password1234')
    await next.press('Enter')
    await expect.poll(() => next.getAttribute('aria-invalid')).toBe('true')
    await next.fill('walnut-Comet-77-orchard')
    await next.press('Enter')
    await page.getByText('Password changed. Your other sessions have ended.').waitFor()
    await expect.poll(() => rows.count()).toBe(1)
    expect((await agent.api.get('/users/me')).status).toBe(401)
  })

  test('a second factor is set up, renewed and disabled', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ expected: /40[13]/ })
    await signIn(page, service, office.owner, path)
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up a second factor' })
    await dialog.getByLabel('Confirm with your password').fill('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('The current password is wrong.').waitFor()
    await dialog.getByLabel('Confirm with your password').fill(password)
    await page.keyboard.press('Enter')
    const secret = await dialog.getByLabel('Secret', { exact: true }).innerText()
    const uri = await dialog.getByRole('link').getAttribute('href')
    expect(uri).toContain(`secret=${secret}`)
    const code = dialog.getByRole('img', { name: 'QR code with the secret, which is also below as text' })
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      const { width, height, data } = PNG.sync.read(await code.screenshot())
      expect(decodeQr({ width, height, data }, { timeLimit: 1_000 })).toBe(uri)
    }
    await expectAccessible(page, 'set up a second factor')
    await screenshots(page, 'settings-second-factor')
    await dialog.getByLabel('Code', { exact: true }).fill('000000')
    await page.keyboard.press('Enter')
    await dialog.getByText(/^The code is not valid/).waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill(showCode(secret))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('status', { name: 'Recovery codes' })
    const first = await codes.innerText()
    expect(first.split('\n').length).toBe(10)
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('10 of 10 recovery codes are unused').waitFor()
    expect(await page.content()).not.toContain(first.split('\n')[0])
    // Each code is accepted once: the app shows the next one.
    for (const answer of [showCode(secret, 1), first.split('\n')[0]!]) {
      const { page: other } = await openTab({ expected: /status of 4(01|09)/ })
      await other.goto(`${service.url}${path}`)
      await other.getByLabel('E-mail').fill(office.owner.email)
      await other.getByLabel('Password', { exact: true }).fill(password)
      await other.keyboard.press('Enter')
      const field = other.getByLabel('Code', { exact: true })
      await other.getByRole('heading', { name: 'Enter your code' }).waitFor()
      await expectFocus(field)
      await expectAccessible(other, 'code of the second factor')
      await field.fill('000000')
      await other.keyboard.press('Enter')
      await other.getByRole('alert').getByText('The code is not valid.').waitFor()
      await expectFocus(field)
      // Stands for a login that took longer than its five minutes.
      await other.route('**/auth/sessions/second-factor', route =>
        route.continue({ postData: JSON.stringify({ challenge: 'expired', code: '000000' }) }),
      )
      await other.keyboard.press('Enter')
      await other.getByRole('alert').getByText('enter your password again').waitFor()
      await other.unroute('**/auth/sessions/second-factor')
      await field.fill(answer)
      await other.keyboard.press('Enter')
      await other.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    }
    await page.reload()
    await page.getByText('9 of 10 recovery codes are unused').waitFor()
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByLabel('Confirm with your password').fill(password)
    await page.keyboard.press('Enter')
    await expect.poll(() => codes.innerText()).not.toBe(first)
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByLabel('Confirm with your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Not enabled').waitFor()
  })

  test('after too many wrong codes the form of the sign-in says when the next one is possible', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ expected: /status of 4(01|09|29)/ })
    const { api } = office.owner
    const { secret } = (await api.post('/users/me/second-factor', { password })).body
    const enabled = await api.post('/users/me/second-factor/confirm', { code: showCode(secret) })
    expect(enabled.status).toBe(200)
    await page.goto(`${service.url}${path}`)
    await page.getByLabel('E-mail').fill(office.owner.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    const submit = page.getByRole('button', { name: 'Sign in' })
    const [field, alert] = [page.getByLabel('Code', { exact: true }), page.getByRole('alert')]
    await field.fill('not-a-code')
    const tooMany = alert.getByText(/^Too many attempts\. Try again in \d+ seconds?\.$/)
    while ((await tooMany.count()) === 0) {
      const answered = page.waitForResponse(/\/auth\/sessions\/second-factor$/)
      await field.press('Enter')
      await answered
      await expect.poll(() => submit.getAttribute('aria-busy')).toBe(null)
    }
    expect(await submit.getAttribute('aria-disabled')).toBe('true')
    const left = async () => Number(/\d+/.exec(await alert.innerText())?.[0])
    const before = await left()
    await expect.poll(left).toBeLessThan(before)
    await expectAccessible(page, 'too many codes')
  })

  test('where the workspace requires a second factor, an open session sets it up and continues', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    const { page } = await openTab({ expected: /403/ })
    await signIn(page, service, agent, path)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    const { status } = await office.owner.api.patch('/workspace', { secondFactorRequired: true })
    expect(status).toBe(200)
    // Any request leads to the setup, also one that the page sends automatically meanwhile.
    await page.evaluate(() => document.querySelector('form')?.requestSubmit())
    await page.getByRole('heading', { name: 'A second factor is required' }).waitFor()
    await expectAccessible(page, 'second factor required')
    await screenshot(page, 'second-factor-required')
    await page.getByLabel('Confirm with your password').fill(password)
    await page.keyboard.press('Enter')
    const secret = await page.getByLabel('Secret', { exact: true }).innerText()
    await page.getByLabel('Code', { exact: true }).fill(showCode(secret))
    await page.keyboard.press('Enter')
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('The workspace requires a second factor, so it cannot be disabled.').waitFor()
  })

  test('on a phone the list of pages unfolds, has only what the user may open, and closes after a choice', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    const { page } = await openTab({ viewport: { width: 360, height: 740 } })
    await signIn(page, service, agent, '/settings')
    const pages = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    expect(await pages.count()).toBe(0)
    await page.getByText('All settings').click()
    expect(await pages.allInnerTexts()).toEqual([
      'Preferences',
      'Profile',
      'General',
      'People and teams',
      'Inboxes',
      'Saved replies',
      'Labels',
      'Tags',
      'Custom fields',
    ])
    await expectAccessible(page, 'pages on a phone')
    await screenshot(page, 'settings-pages-phone')
    await pages.filter({ hasText: 'Labels' }).click()
    await page.getByRole('heading', { level: 1, name: 'Labels' }).waitFor()
    expect(await pages.count()).toBe(0)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor()
  })

  test('keys of other screens are changed, refused if taken, reset, and work only with a modifier when off', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550172', 'The older one', 'Ola Nord')
    await expect.poll(async () => (await listNames(office)).length).toBe(1)
    await office.receive('+14155550173', 'The newer one', 'Kim Customer')
    await expect.poll(() => listNames(office)).toEqual(['Kim Customer', 'Ola Nord'])
    const { page } = await openTab()
    const { keyboard } = page
    // An action reports that it has run before the next key is pressed.
    await page.addInitScript(() => {
      const ran: string[] = []
      Object.assign(window, { ran })
      document.addEventListener('parley.action', event => ran.push((event as CustomEvent<string>).detail))
    })
    const listRan = () => page.evaluate(() => (window as unknown as { ran: string[] }).ran.splice(0))
    await signIn(page, service, office.owner, '/settings')
    const lists = page.getByRole('region', { name: 'Lists' })
    const next = lists.getByRole('button', { name: 'Change the key of “Next entry”' })
    const openInbox = async () => {
      await keyboard.press('g')
      await keyboard.press('i')
      await page.getByRole('link', { name: /The newer one/ }).waitFor()
      expect(await listRan()).toEqual(['go-inbox'])
    }
    await next.click()
    await keyboard.press('w')
    // Without Enter, the next key would be the second one of a sequence.
    await keyboard.press('Enter')
    await next.locator('kbd').getByText('W', { exact: true }).waitFor()
    await openInbox()
    await keyboard.press('j')
    await keyboard.press('w')
    await page.getByRole('log').getByText('The newer one').waitFor()
    expect(await listRan()).toEqual(['next'])

    await page.reload()
    await page.getByRole('log').getByText('The newer one').waitFor()
    await keyboard.press('?')
    const row = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Next conversation' })
    await expect.poll(() => row.locator('kbd').allInnerTexts()).toEqual(['W', '↓'])
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await keyboard.press('Control+K')
    await keyboard.type('>next conversation')
    await expect
      .poll(() => page.getByRole('option', { name: 'Next conversation' }).locator('kbd').allInnerTexts())
      .toEqual(['W'])
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    await keyboard.press('g')
    await keyboard.press(',')
    const previous = lists.getByRole('button', { name: 'Change the key of “Previous entry”' })
    await previous.click()
    await keyboard.press('e')
    await lists.getByText('E already belongs to “Close or reopen” (Conversation).').waitFor()
    expect(await previous.locator('kbd').innerText()).toBe('K')
    await expectGoodScreen(page, 'settings-shortcuts')
    await previous.click()
    await keyboard.press('j')
    await keyboard.press('Enter')
    await previous.locator('kbd').getByText('J', { exact: true }).waitFor()
    const reset = (name: string) =>
      lists.getByRole('button', { name: `Reset the key of “${name}”`, exact: true }).click()
    await reset('Next entry')
    await lists.getByText('J already belongs to “Previous entry” (Lists).').waitFor()
    await reset('Previous entry')
    await reset('Next entry')
    await next.locator('kbd').getByText('J', { exact: true }).waitFor()

    await listRan()
    await openInbox()
    await keyboard.press('w')
    await keyboard.press('j')
    await page.getByRole('log').getByText('The newer one').waitFor()
    expect(await listRan()).toEqual(['next'])
    await keyboard.press('g')
    await keyboard.press(',')
    await page.getByLabel('Keys without ⌘ or Ctrl').uncheck()
    await page
      .getByRole('link', { name: /^Inbox/ })
      .first()
      .click()
    await page.getByRole('link', { name: /The newer one/ }).click()
    await page.getByRole('log').getByText('The newer one').waitFor()
    await listRan()
    await keyboard.press('e')
    await keyboard.press('Control+K')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    expect(await listRan()).toEqual(['palette'])
    expect((await office.owner.api.get('/conversations?status=closed')).body.conversations).toEqual([])
  })

  test('a sequence of keys is recorded, works, and is refused if its first key is taken', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550174', 'A question', 'Kim Customer')
    const { page } = await openTab()
    const { keyboard } = page
    await signIn(page, service, office.owner, '/settings')
    const general = page.getByRole('region', { name: 'General' })
    const change = general.getByRole('button', { name: 'Change the key of “Go to: Contacts”' })
    const expectKeys = (keys: string[]) =>
      expect.poll(() => change.locator('kbd').allInnerTexts()).toEqual(keys)
    await change.click()
    await keyboard.press('q')
    await keyboard.press('w')
    await expectKeys(['Q', 'W'])
    await keyboard.press('g')
    await keyboard.press('i')
    await page.getByRole('link', { name: /A question/ }).waitFor()
    // The former keys lead nowhere: C alone starts a conversation.
    await keyboard.press('g')
    await keyboard.press('c')
    const started = page.getByRole('dialog', { name: 'New conversation' })
    await started.waitFor()
    expect(new URL(page.url()).pathname).toBe('/inbox')
    await keyboard.press('Escape')
    await started.waitFor({ state: 'hidden' })
    await keyboard.press('q')
    await keyboard.press('w')
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    await page.goto(`${service.url}/settings`)
    await expectKeys(['Q', 'W'])

    // With its first key taken, a sequence would never come to the second one.
    await change.click()
    await keyboard.press('?')
    await keyboard.press('q')
    await general.getByText('? Q already belongs to “Keyboard shortcuts” (General).').waitFor()
    await expectKeys(['Q', 'W'])
    // Enter ends after one key.
    await change.click()
    await keyboard.press('v')
    await keyboard.press('Enter')
    await expectKeys(['V'])
    // So does a pause, during which the button says what may follow.
    await change.click()
    await keyboard.press('b')
    await change.getByText('A second key, or Enter').waitFor()
    await screenshot(page, 'settings-recording')
    await expectKeys(['B'])
    // Backspace takes a key back, and Escape keeps what was.
    await change.click()
    await keyboard.press('x')
    await keyboard.press('Backspace')
    await keyboard.press('Escape')
    await expectKeys(['B'])
    await change.click()
    await keyboard.press('Backspace')
    await expect.poll(() => change.innerText()).toMatch(/Off$/)
  })

  test('the page has transitions, and none where the system or the user reduces motion', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ reducedMotion: 'no-preference' })
    await signIn(page, service, office.owner, '/settings')
    const motion = page.getByLabel('Motion')
    await motion.waitFor()
    const hasMotion = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('*')].some(element => {
          const { transitionDuration, animationName, animationDuration } = getComputedStyle(element)
          const durations = `${transitionDuration}, ${animationName === 'none' ? '0s' : animationDuration}`
          return durations.split(', ').some(duration => Number.parseFloat(duration) > 0)
        }),
      )
    expect(await hasMotion()).toBe(true)
    await motion.selectOption('Reduced')
    await expect.poll(hasMotion).toBe(false)
    await motion.selectOption('Like the system')
    await expect.poll(hasMotion).toBe(true)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect.poll(hasMotion).toBe(false)
  })

  test('theme, contrast and density change the page and survive a reload', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ colorScheme: 'light' })
    await signIn(page, service, office.owner, '/settings')
    const read = () =>
      page.evaluate(() => {
        const { theme, contrast, density } = document.documentElement.dataset
        const { colorScheme } = getComputedStyle(document.documentElement)
        return [theme, contrast, density, colorScheme].join(' ')
      })
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByLabel('Contrast').selectOption('High')
    await page.getByLabel('Density').selectOption('Compact')
    await expect.poll(read).toBe('dark more compact dark')
    await page.reload()
    await expect.poll(() => page.getByLabel('Density').inputValue()).toBe('compact')
    expect(await read()).toBe('dark more compact dark')
    await expectGoodScreen(page, 'settings-dark-compact')
    await page.getByLabel('Theme').selectOption('Light')
    await expect.poll(read).toBe('light more compact light')
  })

  test('the language changes after the next screen was opened', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550171', 'In any language', 'Ola Nord')
    const { page } = await openTab()
    await signIn(page, service, office.owner, '/settings')
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    let isHeld = false
    await page.route('**/assets/**', async route => {
      isHeld = true
      await released
      await route.continue()
    })
    await page.getByLabel('Language').selectOption('Deutsch')
    await expect.poll(() => isHeld).toBe(true)
    await page.getByRole('link', { name: 'Inbox, 1 unread message' }).click()
    const row = page.getByRole('link', { name: /In any language/ })
    await row.waitFor()
    release()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
    await row.waitFor()
  })
})
