/** Checks with axe, in light and dark, every screen while it loads, without content, with content, after an error and offline. */
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectAccessibleThemes,
  hasBrowser,
  openTab,
  screenshots,
} from '../support/browser.ts'
import { fillOffice } from '../support/filled-office.ts'
import { openOffice, type Person, signIn } from '../support/people.ts'
import {
  checkEach,
  goTo,
  heading,
  isSampled,
  main,
  nameScreen,
  type Screen,
  screens,
  toAddress,
  toFileName,
} from './screens.ts'

const problem = { code: 'internal_error', title: 'Internal error', requestId: 'req_01' }

/** Holds the requests with a path back, then fails them or lets them through. */
async function controlRequests(page: Page) {
  let path: RegExp | undefined
  let mode: 'pass' | 'hold' | 'fail' = 'pass'
  let held: Route[] = []
  const fail = (route: Route) => route.fulfill({ status: 500, json: problem }).catch(() => {})
  await page.route(/\/v1\//, async route => {
    const isMeant = path?.test(new URL(route.request().url()).pathname)
    if (!isMeant || mode === 'pass') await route.continue()
    else if (mode === 'hold') held.push(route)
    else await fail(route)
  })
  return {
    hold: (pattern: RegExp) => {
      path = pattern
      mode = 'hold'
    },
    fail: async () => {
      mode = 'fail'
      await Promise.all(held.map(fail))
      held = []
    },
    pass: () => {
      mode = 'pass'
    },
  }
}

describe.skipIf(!hasBrowser)('states of every screen', async () => {
  const service = await testService({ CONSOLE: 'development', OUTBOUND_LOOPBACK: 'on' }, { console: true })

  async function open(person: Person) {
    const { page } = await openTab({
      expected: /status of 500|ERR_INTERNET_DISCONNECTED|WebSocket connection/,
    })
    const requests = await controlRequests(page)
    await signIn(page, service, person, '/settings')
    return { page, requests }
  }

  /** Opens the address; leaves the screen with its error. */
  async function expectLoadingAndError(
    page: Page,
    requests: Awaited<ReturnType<typeof controlRequests>>,
    screen: Screen,
    address: string,
  ): Promise<void> {
    const name = nameScreen(screen)
    requests.hold(screen.loads!)
    await goTo(page, address)
    await main(page).getByRole('status', { name: 'Loading' }).first().waitFor()
    await expectAccessible(page, `${name}, loading`, 'main')
    await requests.fail()
    const alert = main(page).getByRole('alert')
    await alert.getByText('The service had a problem.').first().waitFor()
    await alert.getByText('internal_error · req_01').first().waitFor()
    await expectAccessibleThemes(page, `${name}, error`, '[role=alert]')
    requests.pass()
    const retry = alert.getByRole('button', { name: 'Try again' })
    // A screen that reads its state again automatically needs no button, and may remove it meanwhile.
    if ((await retry.count()) > 0)
      await retry
        .first()
        .click({ timeout: 5_000 })
        .catch(() => {})
  }

  test('a new workspace: loading, error and empty', async () => {
    const office = await openOffice(service)
    const { page, requests } = await open(office.owner)
    const withEmptyState = screens.filter(({ empty, at }) => empty !== undefined && typeof at === 'string')
    await checkEach(async screen => {
      await expectLoadingAndError(page, requests, screen, screen.at as string)
      await main(page).getByText(screen.empty!).first().waitFor()
      await expectAccessibleThemes(page, `${nameScreen(screen)}, empty`, 'main')
      await screenshots(page, `${toFileName(screen)}-empty`)
    }, withEmptyState.filter(isSampled))
  })

  test('a filled workspace: loading and error of one thing, content, and offline', async () => {
    const office = await openOffice(service)
    const things = await fillOffice(office)
    const { page, requests } = await open(office.owner)
    const notice = main(page).getByText(/^Offline: as of/)
    await checkEach(async screen => {
      const address = toAddress(screen, things)
      if (screen.loads && screen.empty === undefined)
        await expectLoadingAndError(page, requests, screen, address)
      else await goTo(page, address)
      await heading(page, screen).first().waitFor()
      await main(page).getByText(screen.content).first().waitFor()
      await expectAccessibleThemes(page, `${nameScreen(screen)}, full`)
      await screenshots(page, `${toFileName(screen)}-full`)
      await page.context().setOffline(true)
      await notice.first().waitFor()
      expect(await notice.count(), `${nameScreen(screen)} says its age once`).toBe(1)
      await main(page).getByText(screen.content).first().waitFor()
      await page.context().setOffline(false)
      await expect.poll(() => notice.count()).toBe(0)
    }, screens.filter(isSampled))
    await page.context().setOffline(true)
    await notice.waitFor()
    await expectAccessibleThemes(page, 'offline')
  })
})
