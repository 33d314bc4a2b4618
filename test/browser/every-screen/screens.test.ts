/**
 * Checks that hold for every screen: the table is complete, the address restores the view, back works, and the browser
 * reports no problem and no failed request.
 */
import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { fillOffice } from '../support/filled-office.ts'
import { openOffice, signIn } from '../support/people.ts'
import { checkEach, expectShown, goTo, main, type Screen, screens, toAddress } from './screens.ts'

/** Routes without a screen of their own: a redirect, forms that begin a session (sessions.test.ts, sign-in.test.ts), and the kit. */
const others = ['/', '/sign-in', '/invitation', '/reset-password', '/console/kit']

describe.skipIf(!hasBrowser)('every screen', async () => {
  const service = await testService({ CONSOLE: 'development', OUTBOUND_LOOPBACK: 'on' }, { console: true })
  const office = await openOffice(service)
  const things = await fillOffice(office)

  test('is in the table, and so is every settings page', async () => {
    const { page } = await openTab()
    await signIn(page, service, office.owner, '/settings')
    const routes = await page.evaluate(() => {
      const { __TSR_ROUTER__: router } = window as unknown as {
        __TSR_ROUTER__: { routesByPath: Record<string, unknown> }
      }
      return Object.keys(router.routesByPath)
    })
    const listed = new Set(screens.map(({ route }) => route))
    expect(routes.filter(route => !others.includes(route)).toSorted()).toEqual([...listed].toSorted())
    const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await expect.poll(() => links.count()).toBeGreaterThan(5)
    for (const link of await links.all()) expect(listed).toContain(await link.getAttribute('href'))
  })

  test('is restored by its address, and found again by the back button', async () => {
    const tab = await openTab()
    const { page } = tab
    const requests = watchRequests(page)
    const seen = new Map<Screen, { address: string; text: string }>()
    const expectSame = async (screen: Screen) => {
      const { address, text } = seen.get(screen)!
      await expectShown(page, screen)
      expect(page.url()).toBe(address)
      await expect.poll(() => read(page)).toBe(text)
    }
    await signIn(page, service, office.owner, '/settings')
    await checkEach(async screen => {
      await goTo(page, toAddress(screen, things))
      await expectShown(page, screen)
      const text = await readSettled(page, requests)
      const address = page.url()
      seen.set(screen, { address, text })
      // Only a view that the address describes could get lost.
      if (address.includes('?')) {
        await page.reload()
        await expectSame(screen)
      }
      expect([...requests.failed.splice(0), ...tab.problems.splice(0)]).toEqual([])
    })
    for (const screen of screens.slice(0, -1).toReversed()) {
      await page.goBack()
      await expectSame(screen)
    }
  })
})

/** The accessibility tree without times, which may change between two readings. */
async function read(page: Page): Promise<string> {
  const text = await main(page).ariaSnapshot()
  return text
    .replace(/(waiting )?(< )?\d+ (s|min)\b/g, '…')
    .replace(/\b\d+ (second|minute|hour)s? ago\b/g, '…')
    .replace(/\d\d:\d\d(:\d\d)?/g, '…')
    .replace(/ \[active\]/g, '')
}

/** React shows a part that has been loaded up to 300 ms later. */
const settledReads = 6

/** Reads the screen when all its parts are loaded: nothing is requested, and nothing has changed for most of a second. */
async function readSettled(page: Page, requests: Requests): Promise<string> {
  let text = ''
  let equalReads = 0
  const isSettled = async () => {
    const earlier = text
    text = await read(page)
    equalReads = requests.open.size === 0 && text === earlier ? equalReads + 1 : 0
    return equalReads >= settledReads
  }
  await expect.poll(isSettled, { interval: 150 }).toBe(true)
  return text
}

interface Requests {
  open: Set<Request>
  failed: string[]
}

/** Returns the requests in flight and those that failed; both change. */
function watchRequests(page: Page): Requests {
  const requests: Requests = { open: new Set(), failed: [] }
  const end = (request: Request) => requests.open.delete(request)
  page.on('request', request => requests.open.add(request))
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  page.on('response', response => {
    if (response.status() >= 400) requests.failed.push(`${response.status()} ${response.url()}`)
  })
  return requests
}
