/** Tests what the builder keeps: undo, the clipboard, two editors at once, a lost save, and views without the right to change. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../harness/service.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from './browser.ts'
import {
  chainOf,
  createJourney,
  normalize,
  openBuilder,
  readJourney,
  startOnly,
  waitUntilSaved,
} from './builder-helpers.ts'
import { openOffice, signIn } from './people.ts'

const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`)
const settings = (page: Page) => page.getByRole('complementary', { name: 'Settings' })
const text = (page: Page) => settings(page).getByLabel('Text', { exact: true })

describe.skipIf(!hasBrowser)('builder, saving', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('after 100 random edits, undoing all is the first state and redoing all the last', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, chainOf(3))
    const page = await openBuilder(service, owner, `/journeys/${id}`)
    await node(page, 'note-0').click()
    await page.getByRole('application').focus()
    const keys = [
      'Alt+ArrowRight',
      'ControlOrMeta+d',
      'ArrowLeft',
      'Alt+ArrowDown',
      'ArrowRight',
      'Delete',
      'ArrowDown',
    ]
    let seed = 7
    for (let i = 0; i < 100; i++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      await page.keyboard.press(keys[seed % keys.length]!)
    }
    await waitUntilSaved(page)
    const last = await readJourney(owner, id)
    expect(last.definition).not.toEqual(chainOf(3))
    for (let i = 0; i < 100; i++) await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(async () => (await readJourney(owner, id)).definition).toEqual(chainOf(3))
    for (let i = 0; i < 100; i++) await page.keyboard.press('ControlOrMeta+Shift+z')
    await expect.poll(async () => (await readJourney(owner, id)).definition).toEqual(last.definition)
  })

  test('nodes are copied into another tab, with the edges between them', async () => {
    const { owner } = await openOffice(service)
    const from = await createJourney(owner, chainOf(3))
    const to = await createJourney(owner, startOnly)
    const tab = await openTab()
    await signIn(tab.page, service, owner, `/journeys/${from}`)
    await node(tab.page, 'note-0').waitFor()
    await tab.page.getByRole('application').focus()
    await tab.page.keyboard.press('ControlOrMeta+a')
    await tab.page.keyboard.press('ControlOrMeta+c')
    const { page: other } = await tab.another()
    await other.goto(`${service.url}/journeys/${to}`)
    await node(other, 'start').waitFor()
    await other.getByRole('application').focus()
    await other.keyboard.press('ControlOrMeta+v')
    await other.getByText('3 nodes pasted').waitFor()
    await waitUntilSaved(other)
    const { definition } = await readJourney(owner, to)
    expect(definition.nodes.map(({ data }) => data.text).sort()).toEqual([
      'Note 0',
      'Note 1',
      'Note 2',
      undefined,
    ])
    expect(definition.edges).toHaveLength(2)
    await other.keyboard.press('ControlOrMeta+x')
    await expect.poll(async () => (await readJourney(owner, to)).definition).toEqual(startOnly)
    // Shift selects nodes, although a text outside of the canvas is selected.
    const { page } = tab
    await page.keyboard.press('Shift+1')
    await page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('h1')!))
    await node(page, 'note-0').click()
    await page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('h1')!))
    await node(page, 'note-1').click({ modifiers: ['Shift'] })
    expect(await page.evaluate(() => String(getSelection()))).toBe('')
    await page.keyboard.press('ControlOrMeta+x')
    await expect.poll(async () => (await readJourney(owner, from)).definition.nodes).toHaveLength(2)
  })

  test('an edit that is undone before it is saved leaves nothing to save', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, chainOf(1))
    const { page } = await openTab()
    await signIn(page, service, owner, `/journeys/${id}`)
    await node(page, 'note-0').waitFor()
    const before = await readJourney(owner, id)
    await page.getByRole('application').focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'Alt+ArrowDown']) await page.keyboard.press(key)
    await page.getByRole('status').getByText('Saving…').waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await waitUntilSaved(page)
    expect(await readJourney(owner, id)).toEqual(before)
  })

  test('two editors keep both changes of different nodes, and decide about the same node', async () => {
    const office = await openOffice(service)
    const { owner } = office
    const admin = await office.hire('Ben Okafor', 'admin')
    const id = await createJourney(owner, chainOf(2))
    const [ana, ben] = [
      await openBuilder(service, owner, `/journeys/${id}`, { expected: /412/ }),
      await openBuilder(service, admin, `/journeys/${id}`, { expected: /412/ }),
    ]
    await ana.getByRole('img', { name: 'Ben Okafor has this open too' }).waitFor()
    await ben.getByRole('img', { name: 'Ana Lima has this open too' }).waitFor()
    await screenshot(ana, 'builder-editors')
    await node(ana, 'note-0').click()
    await node(ben, 'note-1').click()
    await Promise.all([text(ana).fill('from Ana'), text(ben).fill('from Ben')])
    await node(ana, 'note-1').getByText('from Ben').waitFor()
    await node(ben, 'note-0').getByText('from Ana').waitFor()
    const readTexts = async () =>
      (await readJourney(owner, id)).definition.nodes.slice(1).map(({ data }) => data.text)
    await expect.poll(readTexts).toEqual(['from Ana', 'from Ben'])
    await Promise.all([waitUntilSaved(ana), waitUntilSaved(ben)])

    await node(ben, 'note-0').click()
    await Promise.all([text(ana).fill('second of Ana'), text(ben).fill('second of Ben')])
    const isAsked = (page: Page) => page.getByRole('dialog').isVisible()
    await expect.poll(async () => (await isAsked(ana)) || (await isAsked(ben))).toBe(true)
    const page = (await isAsked(ana)) ? ana : ben
    const dialog = page.getByRole('dialog', { name: 'Someone else changed the same nodes' })
    await expectAccessible(page, 'conflict')
    await screenshot(page, 'builder-conflict')
    await dialog.getByLabel(/^Theirs:/).check()
    await dialog.getByRole('button', { name: 'Continue with this choice' }).click()
    const kept = page === ana ? 'second of Ben' : 'second of Ana'
    await expect.poll(() => text(page).inputValue()).toBe(kept)
    await waitUntilSaved(page)
    expect(await readTexts()).toEqual([kept, 'from Ben'])
    // Another screen, and another workflow, end the presence in this one.
    await ben.getByRole('link', { name: 'Journeys' }).first().click()
    await ana.getByRole('img', { name: /has this open too/ }).waitFor({ state: 'hidden' })
  })

  test('changes that were not saved are offered after the tab was killed', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, chainOf(1))
    const tab = await openTab({ expected: /Failed to load|ERR_/ })
    const { page } = tab
    await signIn(page, service, owner, `/journeys/${id}`)
    await page.route(`**/v1/journeys/${id}`, route =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await node(page, 'note-0').click()
    await text(page).fill('not saved yet')
    await page.getByText('Offline: changes are kept in this browser').waitFor()
    const devtools = await page.context().newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    devtools.send('Page.crash').catch(() => {})
    await crashed
    const { page: next } = await tab.another()
    await next.goto(`${service.url}/journeys/${id}`)
    const dialog = next.getByRole('dialog', { name: 'Unsaved changes were found' })
    await dialog.waitFor()
    await node(next, 'note-0').getByText('Note 0').waitFor()
    await dialog.getByRole('button', { name: 'Restore them' }).click()
    await node(next, 'note-0').getByText('not saved yet').waitFor()
    await waitUntilSaved(next)
    expect((await readJourney(owner, id)).definition.nodes[1]!.data.text).toBe('not saved yet')
    await next.reload()
    await node(next, 'note-0').getByText('not saved yet').waitFor()
    expect(await next.getByRole('dialog').count()).toBe(0)
  })

  test('without journey:update everything can be viewed and nothing changed', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, chainOf(2))
    const before = await readJourney(owner, id)
    const { page } = await openTab()
    await page.route('**/v1/console/bootstrap', async route => {
      const response = await route.fetch()
      const body = await response.json()
      body.me.scopes = body.me.scopes.filter(
        (scope: string) => !/^journey:(update|publish|activate)/.test(scope),
      )
      await route.fulfill({ response, json: body })
    })
    await signIn(page, service, owner, `/journeys/${id}`)
    await page.getByText(/^You can view this workflow/).waitFor()
    await node(page, 'note-0').click()
    expect(await text(page).inputValue()).toBe('Note 0')
    expect(await text(page).isDisabled()).toBe(true)
    expect(await page.getByRole('navigation', { name: 'Nodes' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    await page.getByRole('application').focus()
    for (const key of ['Delete', 'ControlOrMeta+d', 'Alt+ArrowDown', 'Tab']) await page.keyboard.press(key)
    const box = (await node(page, 'note-0').boundingBox())!
    await page.mouse.move(box.x + 40, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 140, box.y + 120, { steps: 5 })
    await page.mouse.up()
    await expectAccessible(page, 'read-only')
    await page.getByRole('button', { name: 'Steps' }).click()
    await page.getByRole('region', { name: 'Steps of the workflow' }).waitFor()
    expect(await page.getByRole('button', { name: /^(Add a step|Actions for)/ }).count()).toBe(0)
    const after = await readJourney(owner, id)
    expect(after.revision).toBe(before.revision)
    expect(normalize(after.definition)).toEqual(normalize(before.definition))
  })
})
