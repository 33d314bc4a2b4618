/**
 * Every screen of the console, with what the checks of all screens need. A new route fails `screens.test.ts` until it is
 * listed here; each check then includes it.
 */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Things } from '../support/filled-office.ts'
import { contentScreens, settingsScreens } from '../support/settings-screens.ts'
import { workflowScreens } from '../support/workflow-screens.ts'

/** A control that agents do not have, because they may not call its operations. */
export interface Control {
  name: string | RegExp
  role?: 'button' | 'link' | 'textbox' | 'combobox'
  /** The checkbox that shows it. */
  behind?: string
  /** Operations that it leads to, such as `POST /segments`. */
  operations: readonly string[]
}

export interface Screen {
  /** The path in console/app/router.tsx. */
  route: string
  /** Its address in a filled workspace, with a filter where the screen has one. */
  at: string | ((things: Things) => string)
  /** The main heading. */
  heading: string | RegExp
  /** The path of the request without which it has no content; undefined if there is none. */
  loads?: RegExp
  /** The text in a new workspace; undefined on a screen of one thing, which a new workspace does not have. */
  empty?: string | RegExp
  /** A text that shows that the content is there. */
  content: string | RegExp
  /** The scope that opens it, if agents do not have it. */
  scope?: string
  controls?: readonly Control[]
}

const workScreens: readonly Screen[] = [
  {
    route: '/inbox',
    at: '/inbox?priority=none',
    heading: 'Inbox',
    loads: /\/conversations\/search$/,
    empty: 'No conversation matches the filter.',
    content: /Jonas Weber/,
  },
  {
    route: '/inbox/$conversationId',
    at: ({ conversationId }) => `/inbox/${conversationId}?view=all`,
    heading: 'Mira Okafor',
    loads: /\/conversations\/cnv_\w+\/timeline$/,
    content: 'It arrives tomorrow before noon.',
    controls: [
      {
        name: /^Write as /,
        role: 'textbox',
        operations: [
          'POST /sandbox/inbound',
          'POST /sandbox/clock',
          'PUT /sandbox/faults',
          'DELETE /sandbox/faults',
        ],
      },
    ],
  },
  {
    route: '/contacts',
    at: '/contacts?q=Jonas&sort=name',
    heading: /^Contacts/,
    loads: /\/contacts\/search$/,
    empty: 'No contact matches.',
    content: 'Jonas Weber',
    controls: [
      {
        name: 'Start a journey with the selection',
        behind: 'Select all loaded contacts',
        operations: ['POST /journeys/{id}/enroll'],
      },
    ],
  },
  {
    route: '/contacts/import',
    at: '/contacts/import',
    heading: 'Import contacts',
    loads: /\/contacts\/imports$/,
    empty: /^No imports/,
    content: 'customers-of-the-spring-fair.csv',
  },
  {
    route: '/contacts/import/$importId',
    at: ({ importId }) => `/contacts/import/${importId}`,
    heading: /^(customers-of-the-spring-fair\.csv|Import contacts)$/,
    loads: /\/contacts\/imports\/import_\w+$/,
    content: 'Created',
  },
  {
    route: '/contacts/$contactId',
    at: ({ contactId }) => `/contacts/${contactId}?tab=notes`,
    heading: /^(Contact|.*Mira Okafor.*)$/,
    loads: /\/contacts\/con_\w+$/,
    content: 'Prefers to be called in the morning.',
    controls: [{ name: 'Erase…', operations: ['POST /contacts/{id}/erase'] }],
  },
  {
    route: '/segments',
    at: '/segments',
    heading: 'Segments',
    loads: /\/segments$/,
    empty: /^No segments yet/,
    content: 'Regular customers',
    controls: [{ name: 'New segment', role: 'link', operations: ['POST /segments'] }],
  },
  {
    route: '/segments/$segmentId',
    at: ({ segmentId }) => `/segments/${segmentId}`,
    heading: /^(Segments|Regular customers)$/,
    loads: /\/segments\/seg_\w+$/,
    content: /^4 contacts$/,
    controls: [
      { name: 'Save', operations: ['PATCH /segments/{segmentId}'] },
      { name: 'Delete', operations: ['DELETE /segments/{segmentId}'] },
    ],
  },
  {
    route: '/campaigns',
    at: '/campaigns?status=sent',
    heading: 'Campaigns',
    loads: /\/campaigns$/,
    empty: 'No campaign has this status.',
    content: 'Autumn lights',
    controls: [
      { name: 'New campaign', operations: ['POST /campaigns'] },
      {
        name: 'Actions for Autumn lights',
        operations: ['POST /campaigns/{campaignId}/duplicate', 'DELETE /campaigns/{campaignId}'],
      },
    ],
  },
  {
    route: '/campaigns/$campaignId',
    at: ({ campaignId }) => `/campaigns/${campaignId}`,
    heading: /^(Campaign|Winter sale)$/,
    loads: /\/campaigns\/cmp_\w+$/,
    content: /the new lamps are here/,
    controls: [
      { name: 'Name', role: 'textbox', operations: ['PATCH /campaigns/{campaignId}'] },
      {
        name: 'Review and send',
        operations: [
          'GET /campaigns/{campaignId}/estimate',
          'GET /campaigns/{campaignId}/estimate/sendable',
          'GET /campaigns/{campaignId}/estimate/skipped/{reason}',
          'POST /campaigns/{campaignId}/preview',
          'POST /campaigns/{campaignId}/schedule',
        ],
      },
      { name: 'Send a test', operations: ['POST /campaigns/{campaignId}/test'] },
    ],
  },
  {
    route: '/campaigns/$campaignId',
    at: ({ runId }) => `/campaigns/${runId}?plot=minute`,
    heading: /^(Campaign|Autumn lights)$/,
    loads: /\/campaigns\/cmp_\w+$/,
    content: 'Funnel',
    controls: [
      {
        name: 'Export as CSV',
        role: 'link',
        operations: ['GET /campaigns/{campaignId}/recipients'],
      },
    ],
  },
  {
    route: '/reports',
    at: '/reports?groupBy=inbox',
    heading: 'Reports',
    loads: /\/reports\/overview$/,
    empty: 'Nothing happened in this range.',
    content: 'Download as CSV',
  },
  {
    route: '/search',
    at: '/search?q=order&sender=customer',
    heading: 'Search messages',
    loads: /\/messages\/search$/,
    empty: 'Nothing found. Try fewer words, or clear the filter.',
    content: '6 results',
  },
]

export const screens: readonly Screen[] = [
  ...workScreens,
  ...workflowScreens,
  ...settingsScreens,
  ...contentScreens,
]

export const toAddress = ({ at }: Screen, things: Things) => (typeof at === 'string' ? at : at(things))

/** A name for messages of tests. */
export const nameScreen = (screen: Screen) =>
  typeof screen.at === 'string' ? screen.at : `${screen.route} (${screen.content})`

/** The same as part of the name of a file. */
export const toFileName = (screen: Screen) =>
  `checks-${nameScreen(screen).replace(/\?.*/, '').replace(/\W+/g, '-').replace(/^-|-$/g, '')}`

/** Long checks take every third item, and every one with `npm run test:screens`. */
export const isSampled = (_: unknown, n: number) => process.env.FULL === '1' || n % 3 === 0

/** Checks the screens, and fails with the names of all that failed. */
export async function checkEach(
  check: (screen: Screen) => Promise<unknown>,
  checked: readonly Screen[] = screens,
): Promise<void> {
  const failures: string[] = []
  for (const screen of checked)
    await check(screen).catch((error: Error) => failures.push(`${nameScreen(screen)}: ${error.message}`))
  expect(failures).toEqual([])
}

/** Goes to the address as a link does, without loading the page again. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(href => {
    const { __TSR_ROUTER__: router } = window as unknown as {
      __TSR_ROUTER__: { history: { push(href: string): void } }
    }
    router.history.push(href)
  }, address)
}

/** A panel that covers a narrow screen hides the heading behind it from assistive technology. */
export const heading = (page: Page, { heading: name }: Pick<Screen, 'heading'>) =>
  page
    .getByRole('heading', { level: 1, name, exact: typeof name === 'string', includeHidden: true })
    .filter({ visible: true })

export const main = (page: Page) => page.locator('main')

export async function expectShown(page: Page, screen: Screen): Promise<void> {
  await heading(page, screen).first().waitFor()
  await main(page).getByText(screen.content).first().waitFor()
}
