/** Checks that nothing is cut in the dialogs of contacts, segments and campaigns in 320 px. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { fillOffice, type Things } from '../support/filled-office.ts'
import { openOffice, signIn } from '../support/people.ts'

interface Overlay {
  name: string
  at: (things: Things) => string
  open: (page: Page) => Promise<unknown>
}

const press = (name: string | RegExp) => (page: Page) =>
  page.locator('main').getByRole('button', { name }).first().click()
const select = async (page: Page) => {
  await page.getByRole('link', { name: 'Mira Okafor' }).waitFor()
  await page.getByRole('checkbox', { name: 'Select Mira Okafor' }).check()
}
const ofSelection = (name: string) => ({
  name,
  at: () => '/contacts',
  open: async (page: Page) => {
    await select(page)
    await press(name)(page)
  },
})
const ofContact = (name: string, open: Overlay['open']): Overlay => ({
  name,
  at: ({ contactId }) => `/contacts/${contactId}`,
  open,
})
const find = async (page: Page) => {
  await press('Merge…')(page)
  await page.getByRole('dialog').getByLabel('Name, number or e-mail').fill('Hohenzollern')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Bartholomäus/ })
    .waitFor()
}

const overlays: readonly Overlay[] = [
  { name: 'New contact', at: () => '/contacts', open: press('New contact') },
  ofSelection('Add a tag to the selection'),
  ofSelection('Set a field of the selection'),
  ofSelection('Start a journey with the selection'),
  ofSelection('Delete the selection'),
  {
    name: 'preview of a contact',
    at: () => '/contacts',
    open: page => page.getByRole('link', { name: /^Bartholomäus/ }).press(' '),
  },
  ofContact('search for a duplicate', find),
  ofContact('both contacts', async page => {
    await find(page)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Bartholomäus/ })
      .click()
    await page.getByText('Choose what stays').waitFor()
  }),
  ofContact('Erase', press('Erase…')),
  {
    name: 'deletion of a segment',
    at: ({ segmentId }) => `/segments/${segmentId}`,
    open: press('Delete'),
  },
  { name: 'New campaign', at: () => '/campaigns', open: press('New campaign') },
  { name: 'test message', at: ({ campaignId }) => `/campaigns/${campaignId}`, open: press('Send a test') },
  { name: 'review', at: ({ campaignId }) => `/campaigns/${campaignId}`, open: press('Review and send') },
  {
    name: 'timeline of a message',
    at: ({ runId }) => `/campaigns/${runId}`,
    open: press(/^Timeline of the message/),
  },
]

/** The texts and controls that are outside of their dialog. */
const listCut = (page: Page) =>
  page.getByRole('dialog').evaluate(dialog => {
    const outer = dialog.getBoundingClientRect()
    return [...dialog.querySelectorAll<HTMLElement>('*')]
      .filter(element => element.checkVisibility() && getComputedStyle(element).position !== 'absolute')
      .filter(element => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (right > outer.right + 1 || left < outer.left - 1)
      })
      .map(element => element.textContent || element.outerHTML)
  })

describe.skipIf(!hasBrowser)('narrow dialogs', async () => {
  const service = await testService({ CONSOLE: 'development', OUTBOUND_LOOPBACK: 'on' }, { console: true })

  test('nothing is cut in 320 px', async () => {
    const office = await openOffice(service)
    const things = await fillOffice(office)
    const { page } = await openTab({ viewport: { width: 320, height: 700 } })
    await signIn(page, service, office.owner, '/settings')
    for (const { name, at, open } of overlays) {
      await page.goto(`${service.url}${at(things)}`)
      await open(page)
      await page.getByRole('dialog').waitFor()
      await expect
        .poll(() => page.getByRole('dialog').getByRole('status', { name: 'Loading' }).count())
        .toBe(0)
      await screenshot(page, `overlay-320-${name}`)
      expect(await listCut(page), name).toEqual([])
    }
  })
})
