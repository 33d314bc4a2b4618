/** Tests that every action of the registry runs from the palette, on each kind of screen. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import { goTo } from '../every-screen/screens.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { chainOf, createJourney } from '../support/builder.ts'
import { type Office, openOffice, signIn } from '../support/people.ts'

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type('>')
}

async function closePalette(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** Lists the ids of the actions in the palette. */
async function listActions(page: Page): Promise<string[]> {
  await openPalette(page)
  const items = page.locator('[data-action]')
  const ids = await items.evaluateAll(all => all.map(item => (item as HTMLElement).dataset.action!))
  await closePalette(page)
  return ids
}

/** Collects the ids of the actions that run. */
async function watchActions(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const ran: string[] = []
    Object.assign(window, { ranActions: ran })
    document.addEventListener('parley.action', event => ran.push((event as CustomEvent<string>).detail))
  })
  return () => page.evaluate(() => (window as unknown as { ranActions: string[] }).ranActions)
}

interface Place {
  name: string
  at: (office: Office) => string | Promise<string>
  ready: (page: Page) => Promise<unknown>
  /** Selects something again before each action. */
  select?: (page: Page) => Promise<unknown>
  /** Restores what the actions change; the screen is opened again before each of them. */
  reset?: (office: Office) => Promise<unknown>
  /** Some of its actions; of a selection all, as the others are those of the list. */
  has: readonly string[]
}

const conversationOf = async ({ owner }: Office) =>
  (await owner.api.get('/conversations?search=Ada')).body.conversations[0].id as string
const link = (name: RegExp) => (page: Page) => page.getByRole('link', { name }).first().waitFor()
const heading = (name: string) => (page: Page) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const selectFirst = async (page: Page) => {
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
}

/** They move the focus, or what has it: the palette takes it away. */
const ofFocus = /^(Move along the edges|Move the node|Go to the (next|previous) area)$/

const places: readonly Place[] = [
  { name: 'the inbox', at: () => '/inbox', ready: link(/Ada Customer/), has: ['new', 'filter', 'sandbox'] },
  {
    name: 'a conversation',
    at: async office => `/inbox/${await conversationOf(office)}`,
    ready: page => page.getByRole('log').getByText('hello there').waitFor(),
    reset: async office => office.owner.api.post(`/conversations/${await conversationOf(office)}/reopen`),
    has: ['reply', 'note', 'close', 'assign', 'snooze', 'macro', 'sandbox'],
  },
  {
    name: 'a selection of conversations',
    at: () => '/inbox',
    ready: link(/Ada Customer/),
    select: selectFirst,
    has: [
      'clear-selection',
      ...['close', 'assign', 'team', 'addLabel', 'setPriority', 'snooze', 'read', 'unread'].map(
        kind => `bulk-${kind}`,
      ),
    ],
  },
  { name: 'the contacts', at: () => '/contacts', ready: link(/Person 0/), has: ['new', 'filter'] },
  {
    name: 'a selection of contacts',
    at: () => '/contacts?sort=name',
    ready: link(/Person 0/),
    select: selectFirst,
    has: [
      'clear-selection',
      ...['addTag', 'removeTag', 'setField', 'archive', 'startJourney', 'delete'].map(kind => `bulk-${kind}`),
    ],
  },
  { name: 'the segments', at: () => '/segments', ready: heading('Segments'), has: ['new'] },
  { name: 'the campaigns', at: () => '/campaigns', ready: heading('Campaigns'), has: ['new'] },
  { name: 'the journeys', at: () => '/journeys', ready: heading('Journeys'), has: ['new'] },
  {
    name: 'the search',
    at: () => '/search?q=hello',
    ready: async page => {
      await link(/Ada Customer/)(page)
      // The field for words has the focus.
      await page.keyboard.press('Escape')
    },
    has: ['search', 'next', 'previous'],
  },
  {
    name: 'the builder',
    at: async ({ owner }) => `/journeys/${await createJourney(owner, chainOf(2), 'Cart')}`,
    ready: page => page.getByText('Note 1').first().waitFor(),
    has: ['builder-fit', 'builder-find', 'builder-simulate'],
  },
]

describe.skipIf(!hasBrowser)('actions in the palette', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  /** Something of each kind, so that every action has what it needs. */
  async function fill({ owner, receive }: Office): Promise<void> {
    for (const [n, name] of ['Ada Customer', 'Bo Customer', 'Cy Customer'].entries())
      await receive(`+1415555019${n}`, 'hello there', name)
    for (let n = 0; n < 4; n++) await owner.api.post('/contacts', { name: `Person ${n}` })
    await owner.api.post('/macros', { name: 'Wake up', actions: [{ type: 'setPriority', priority: 'high' }] })
    const read = async () => (await owner.api.get('/messages/search?q=hello')).body.items
    await until(read, items => items.length === 3)
  }

  async function open(at: (office: Office) => string | Promise<string>) {
    const office = await openOffice(service)
    await fill(office)
    const { page } = await openTab()
    const readRan = await watchActions(page)
    await signIn(page, service, office.owner, '/settings')
    await page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor()
    const path = await at(office)
    const address = `${service.url}${path}`
    /** Opens the screen again, from another one: nothing of the previous action is left, and the console stays loaded. */
    const reopen = async () => {
      await goTo(page, '/settings/profile')
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
      await goTo(page, path)
    }
    /** Runs each of them from the palette, after `prepare`. */
    const runAll = async (ids: readonly string[], prepare: () => Promise<unknown>) => {
      for (const id of ids) {
        await prepare()
        await openPalette(page)
        await page.locator(`[data-action="${id}"]`).click()
        await expect.poll(async () => (await readRan()).at(-1), { message: id }).toBe(id)
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      }
    }
    return { office, page, address, reopen, runAll }
  }

  test('those of all screens run, and so does signing out', async () => {
    const { page, address, reopen, runAll } = await open(() => '/settings')
    const ids = (await listActions(page)).filter(id => id !== 'sign-out')
    expect(ids.length).toBeGreaterThan(10)
    await runAll(ids, async () => {
      if (page.url() !== address) await reopen()
      await heading('Preferences')(page)
    })
    await reopen()
    await heading('Preferences')(page)
    await openPalette(page)
    await page.keyboard.type('sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test.each(places)('those of $name run', async ({ at, ready, select, reset, has }) => {
    const { office, page, address, reopen, runAll } = await open(at)
    await page.getByRole('navigation', { name: 'Settings' }).waitFor()
    const general = new Set(await listActions(page))
    const show = async () => {
      await reopen()
      await ready(page)
      await select?.(page)
    }
    await show()
    // The list of keys shows all actions with keys, also those that the palette leaves out because another has their name.
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Command palette').waitFor()
    const listed = await page.getByRole('dialog').locator('li > span:first-child').allInnerTexts()
    await closePalette(page)
    await openPalette(page)
    const labels = await page.locator('[data-action]').allInnerTexts()
    await closePalette(page)
    const missing = listed.filter(
      name => !labels.some(label => label.startsWith(name)) && !ofFocus.test(name),
    )
    expect(missing).toEqual(['Command palette'])
    const ids = (await listActions(page)).filter(id => has.includes(id) || (!select && !general.has(id)))
    expect(ids).toEqual(expect.arrayContaining([...has]))
    await runAll(ids, async () => {
      await reset?.(office)
      if (select || reset || page.url() !== address) await show()
    })
  })
})
