/** Tests what a session promises: a quick start, no token that scripts could read, and an end that loses nothing. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import {
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { takeHeapSnapshot } from '../support/memory.ts'
import { openOffice, password, signIn } from '../support/people.ts'

/** Serves an empty page on another port, which is another origin of the same site. */
async function startOtherOrigin(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Other</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Four times slower, behind 9 Mbit/s with a latency of 60 ms. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const bytesPerSecond = 9_000_000 / 8
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 60,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

/** Unscaled in a full run, which has the machine to itself. */
const limit = (ms: number) => (process.env.FULL === '1' ? ms : within(ms))

/** Other work takes the core for a moment: the best of a few attempts counts, and a defect would show in all. */
async function expectWithin(ms: number, what: string, measure: () => Promise<number>): Promise<void> {
  const times = [await measure()]
  while (Math.min(...times) > limit(ms) && times.length < 4) times.push(await measure())
  const report = `${what} after ${times.map(Math.round).join(', ')} ms`
  console.log(report)
  expect(Math.min(...times), report).toBeLessThanOrEqual(limit(ms))
}

const fillForm = async (page: Page, email: string) => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

/** Checks in each frame, because a locator looks twice a second only. */
const waitForList = (page: Page) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll('[data-conversation]')].some(row =>
      row.textContent.includes('good morning'),
    ),
  )

/** Returns the milliseconds from the beginning of the navigation. */
async function measureForm(page: Page): Promise<number> {
  const shown = await page.waitForFunction(
    () => document.querySelector('input[type="email"]') && performance.now(),
  )
  return Number(await shown.jsonValue())
}

/** Signs in, and returns the milliseconds from the response until the list is visible. */
async function measureList(page: Page, email: string): Promise<number> {
  await fillForm(page, email)
  const signedIn = page.waitForResponse(response => response.url().endsWith('/v1/auth/sessions'))
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await signedIn
  const signedInAt = performance.now()
  await waitForList(page)
  return performance.now() - signedInAt
}

describe.skipIf(!hasBrowser)('sessions', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('the right password shows the inbox within 1.5 s, and scripts cannot find the token', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550195', 'good morning')
    let page!: Page
    await expectWithin(1_500, 'the inbox is shown', async () => {
      page = (await openTab()).page
      await page.goto(`${service.url}/inbox`)
      await fillForm(page, office.owner.email)
      const startedAt = performance.now()
      await page.getByLabel('Password', { exact: true }).press('Enter')
      await waitForList(page)
      return performance.now() - startedAt
    })
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([
      { name: '__Host-parley', httpOnly: true, sameSite: 'Strict', secure: true },
    ])
    const { value } = cookies[0]!
    const stored = await page.evaluate(async () => {
      const databases = await indexedDB.databases()
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases])
    })
    expect(stored).not.toContain(value)
    const heap = await takeHeapSnapshot(page)
    expect(heap).toContain('good morning')
    expect(heap.includes(value)).toBe(false)
  })

  test.each([
    { machine: 'this machine', isSlow: false, formMs: 1_000, listMs: 800 },
    { machine: 'a quarter of its speed and a slow network', isSlow: true, formMs: 2_500, listMs: 2_000 },
  ])(
    'the form is usable in time, and the list after it, on $machine',
    async ({ machine, isSlow, formMs, listMs }) => {
      const office = await openOffice(service)
      await office.receive('+14155550197', 'good morning')
      const listTimes: number[] = []
      await expectWithin(formMs, `${machine}: the form is usable`, async () => {
        const { page } = await openTab()
        if (isSlow) await slowDown(page)
        await page.goto(`${service.url}/inbox`, { waitUntil: 'commit' })
        const formAt = await measureForm(page)
        listTimes.push(await measureList(page, office.owner.email))
        return formAt
      })
      await expectWithin(listMs, `${machine}: the list is visible`, async () => {
        const measured = listTimes.shift()
        if (measured !== undefined) return measured
        const { page } = await openTab()
        if (isSlow) await slowDown(page)
        await page.goto(`${service.url}/inbox`)
        return measureList(page, office.owner.email)
      })
    },
  )

  test('an address with two workspaces chooses one, which opens', async () => {
    const first = await openOffice(service, 'Harbor Lights')
    await openOffice(service, 'Mountain Huts', first.owner.email)
    const { page } = await openTab({ expected: /status of 409/, viewport: { width: 320, height: 640 } })
    await page.goto(`${service.url}/settings`)
    await fillForm(page, first.owner.email)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
    await expectAccessibleThemes(page, 'choice of the workspace')
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'checks-choose-workspace')
    await page.getByRole('button', { name: 'Mountain Huts' }).click()
    await page.getByRole('button', { name: 'Account of Ana Lima in Mountain Huts' }).waitFor()
  })

  test('the menu leads to another workspace, and the session goes on until the one there has begun', async () => {
    const first = await openOffice(service, 'Harbor Lights')
    const { owner } = await openOffice(service, 'Mountain Huts', first.owner.email)
    const { page, another } = await openTab({ expected: /status of 40[139]/ })
    await page.goto(`${service.url}/inbox`)
    await fillForm(page, first.owner.email)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Harbor Lights' }).click()
    const account = (workspace: string, at = page) =>
      at.getByRole('button', { name: `Account of Ana Lima in ${workspace}` })
    const { page: other } = await another()
    await other.goto(`${service.url}/contacts`)
    await account('Harbor Lights', other).waitFor()
    await account('Harbor Lights').press('Enter')
    await page.getByRole('menuitem', { name: 'Sign in to another workspace' }).press('Enter')
    await page.getByText('You stay signed in to Harbor Lights until').waitFor()
    await expectAccessibleThemes(page, 'another workspace')
    await screenshots(page, 'other-workspace')
    await page.getByRole('button', { name: 'Back' }).press('Enter')
    await account('Harbor Lights').waitFor()
    await page.goto(`${service.url}/sign-in`)
    const field = page.getByLabel('Password', { exact: true })
    await field.fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    await page.reload()
    await page.getByText('You stay signed in to Harbor Lights until').waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe(first.owner.email)
    await field.fill(password)
    await page.keyboard.press('Enter')
    await account('Mountain Huts').waitFor()
    // The other tab no longer shows anything of the first workspace.
    await account('Mountain Huts', other).waitFor({ timeout: within(5_000) })
    expect((await owner.api.get('/users/me/sessions')).body.items).toContainEqual(
      expect.objectContaining({ kind: 'browser' }),
    )
    expect((await first.owner.api.get('/users/me/sessions')).body.items).not.toContainEqual(
      expect.objectContaining({ kind: 'browser' }),
    )
  })

  test('a login that opens only the present workspace says so, and its messages are sent before another one', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550190', 'before you go')
    const { page } = await openTab({ viewport: { width: 320, height: 640 }, locale: 'de-DE' })
    await page.addInitScript(() => localStorage.setItem('parley.preferences', '{"undoSendSeconds":600}'))
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /before you go/ }).click()
    await page.getByRole('textbox', { name: 'Antworten' }).fill('not yet')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Rückgängig' }).waitFor()
    await page.getByRole('link', { name: 'Zurück zur Liste' }).click()
    await page.getByRole('button', { name: /Konto von/ }).click()
    await page.getByRole('menuitem', { name: 'In einem anderen Arbeitsbereich anmelden' }).press('Enter')
    await page.getByText('Ihre Nachrichten werden noch gesendet.').waitFor()
    const submit = page.getByRole('button', { name: 'Anmelden', exact: true })
    expect(await submit.getAttribute('aria-disabled')).toBe('true')
    await expectNoSidewaysScroll(page)
    expect((await office.owner.api.get(`/sandbox/sent?inboxId=${office.inboxId}`)).body.items).toEqual([])
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await page.getByText('Ihre Nachrichten werden noch gesendet.').waitFor({ state: 'hidden' })
    await page.getByLabel('Passwort', { exact: true }).fill(password)
    await submit.click()
    await page.getByRole('alert').getByText('öffnen nur Harbor Lights').waitFor()
    await page.getByRole('button', { name: 'Zurück' }).click()
    await page.getByRole('link', { name: /Entwurf/ }).waitFor()
  })

  test('a revoked session shows the form and why; the draft is there after signing in', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550196', 'do not lose me')
    const { page } = await openTab({ expected: /status of 401|WebSocket connection/ })
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /do not lose me/ }).click()
    await page.getByRole('textbox', { name: 'Reply' }).fill('half a sentence')
    const { items } = (await office.owner.api.get('/users/me/sessions')).body
    const { id } = items.find(({ kind }: { kind: string }) => kind === 'browser')
    expect((await office.owner.api.delete(`/users/me/sessions/${id}`)).status).toBe(204)
    await page.getByText('You were signed out. Your drafts are kept.').waitFor()
    await expectAccessibleThemes(page, 'revoked session')
    await fillForm(page, office.owner.email)
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Reply' }).inputValue().catch(String))
      .toBe('half a sentence')
  })

  test('a request of another origin is refused, although the browser sends the cookie', async () => {
    const office = await openOffice(service)
    const origin = await startOtherOrigin()
    /** Returns the status: 401 without a cookie, otherwise that of the request with its session. */
    const forge = async (page: Page) => {
      await page.goto(origin)
      const answered = page.waitForResponse(/\/v1\/tags$/)
      await page.evaluate(async url => {
        const body = JSON.stringify({ name: 'forged' })
        await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body }).catch(() => {})
      }, `${service.url}/v1/tags`)
      return (await answered).status()
    }
    const { page, another } = await openTab({ expected: /status of 40[13]/ })
    expect(await forge(page)).toBe(401)
    await signIn(page, service, office.owner)
    expect(await forge((await another()).page)).toBe(403)
    expect((await office.owner.api.get('/tags')).body.tags).toEqual([])
  })

  test('too many attempts show when the next one is possible, and the time runs down', async () => {
    const office = await openOffice(service)
    const { email } = office.owner
    const attempt = () => service.anonymous.post('/auth/login', { email, password: 'not the password' })
    await Promise.all(Array.from({ length: 12 }, attempt))
    const { page } = await openTab({ expected: /status of 4(01|29)/ })
    await page.goto(`${service.url}/inbox`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert')
    await alert.getByText(/^Too many attempts\. Try again in \d+ seconds?\.$/).waitFor()
    await expectAccessibleThemes(page, 'too many attempts')
    const left = async () => Number(/\d+/.exec(await alert.innerText())?.[0])
    const before = await left()
    await expect.poll(left).toBeLessThan(before)
    expect(await page.getByRole('button', { name: 'Sign in' }).getAttribute('aria-disabled')).toBe('true')
  })

  test.each(['/invitation', '/reset-password'])(
    'the form of %s fits in 320 px and is accessible',
    async path => {
      const { page } = await openTab({ viewport: { width: 320, height: 640 }, expected: /status of 4/ })
      await page.goto(`${service.url}${path}#token-that-does-not-exist`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectAccessibleThemes(page, path)
      await expectNoSidewaysScroll(page)
      await screenshot(page, `checks${path.replace('/', '-')}`)
    },
  )
})
