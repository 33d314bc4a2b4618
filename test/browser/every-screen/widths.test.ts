/**
 * Checks that every screen fits in 320 px: neither the page nor a region scrolls sideways, and only regions scroll down.
 * German words are longer, so every screen is checked in German, and a part of them in English, all of them with
 * `npm run test:screens`.
 */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { expectNoSidewaysScroll, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { fillOffice, type Things } from '../support/filled-office.ts'
import { openOffice, signIn } from '../support/people.ts'
import {
  checkEach,
  expectShown,
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

describe.skipIf(!hasBrowser)('width of every screen', async () => {
  const service = await testService({ CONSOLE: 'development', OUTBOUND_LOOPBACK: 'on' }, { console: true })
  const office = await openOffice(service)
  const things = await fillOffice(office)

  test.each([
    ['English', 'en-GB', screens.filter(isSampled)],
    ['German', 'de-DE', screens],
  ] as const)('fits in 320 px (%s)', async (_, locale, checked) => {
    const { page } = await openTab({ viewport: { width: 320, height: 700 }, locale: 'en-GB' })
    await signIn(page, service, office.owner, '/settings')
    if (locale === 'de-DE') await page.getByLabel('Language').selectOption('Deutsch')
    await checkEach(async screen => {
      await goTo(page, toAddress(screen, things))
      if (locale === 'en-GB') await expectShown(page, screen)
      else await expectSettled(page, screen, things)
      await expectNoSidewaysScroll(page)
      await expectNarrowRegions(page, screen)
      await expectStillPage(page, screen)
      await screenshot(page, `${toFileName(screen)}-320-${locale}`)
    }, checked)
  })
})

/** In another language the texts of the table are not on the screen. */
async function expectSettled(page: Page, screen: Screen, things: Things): Promise<void> {
  await expect.poll(() => page.url()).toContain(toAddress(screen, things).split('?')[0])
  await heading(page, { heading: /./ }).first().waitFor()
  await expect.poll(() => main(page).getByRole('status', { name: 'Wird geladen' }).count()).toBe(0)
}

/** The page itself does not scroll: below its regions there is nothing to see. */
async function expectStillPage(page: Page, screen: Screen): Promise<void> {
  const hidden = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
  expect(hidden, nameScreen(screen)).toBeLessThanOrEqual(0)
}

/** Regions that scroll on their own must not scroll sideways either; tables and rows of buttons may. */
async function expectNarrowRegions(page: Page, screen: Screen): Promise<void> {
  const wide = await main(page).evaluate(element =>
    [...element.querySelectorAll<HTMLElement>('section, aside, [role="log"]')]
      .filter(region => region.scrollWidth > region.clientWidth && region.clientWidth > 0)
      .map(region => `${region.getAttribute('aria-label')}: ${region.scrollWidth} > ${region.clientWidth}`),
  )
  expect(wide, nameScreen(screen)).toEqual([])
}
