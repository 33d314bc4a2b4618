/** Tests undo, the clipboard, two concurrent editors, a lost save, and views of users without the right to change. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import {
  chainOf,
  createJourney,
  createRandom,
  normalize,
  openBuilder,
  pickOne as pick,
  readJourney,
  startOnly,
  waitUntilSaved,
} from '../support/builder.ts'
import { openOffice, password, signIn } from '../support/people.ts'

const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`)
const settings = (page: Page) => page.getByRole('complementary', { name: 'Settings' })
const text = (page: Page) => settings(page).getByLabel('Text', { exact: true })

describe.skipIf(!hasBrowser)('builder, saving', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('B3: after 100 random edits, undoing all is the first state and redoing all the last', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, chainOf(3))
    const page = await openBuilder(service, owner, `/journeys/${id}`)
    await node(page, 'note-0').click()
    const { keyboard } = page
    const canvas = page.getByRole('application')
    const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
    console.log(`SEED=${seed}`)
    const random = createRandom(seed)
    const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
    const edits: (() => Promise<unknown>)[] = [
      () => keyboard.press(`Alt+${pick(random, arrows)}`),
      () => keyboard.press('ControlOrMeta+d'),
      () => keyboard.press('Delete'),
      () => page.getByRole('button', { name: 'Tidy' }).click(),
      () =>
        page
          .getByRole('navigation', { name: 'Nodes' })
          .getByRole('button', { name: /^Wait$|Branch|Note/ })
          .first()
          .click(),
      async () => {
        const field = settings(page).getByRole('textbox').first()
        if (await field.isVisible()) await field.fill(`text ${Math.floor(random() * 1_000)}`)
      },
    ]
    for (let i = 0; i < 100; i++) {
      await canvas.focus()
      for (let n = Math.floor(random() * 3); n > 0; n--) await keyboard.press(pick(random, arrows))
      await pick(random, edits)()
    }
    await waitUntilSaved(page)
    const last = await readJourney(owner, id)
    expect(last.definition).not.toEqual(chainOf(3))
    await canvas.focus()
    for (let i = 0; i < 100; i++) await keyboard.press('ControlOrMeta+z')
    await expect.poll(async () => (await readJourney(owner, id)).definition).toEqual(chainOf(3))
    for (let i = 0; i < 100; i++) await keyboard.press('ControlOrMeta+Shift+z')
    await expect.poll(async () => (await readJourney(owner, id)).definition).toEqual(last.definition)
  })

  test('B4: nodes are copied into another tab, with the edges between them', async () => {
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

  test('B5: two editors keep both changes of different nodes, and decide about the same node', async () => {
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
    const [own, other] = page === ana ? ['Ana', 'Ben'] : ['Ben', 'Ana']
    await dialog.getByText(`Text: second of ${own}`, { exact: true }).waitFor()
    await dialog.getByText(`Text: second of ${other}`, { exact: true }).waitFor()
    // Escape, which leaves a field, does not decide.
    await page.keyboard.press('Escape')
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Continue with this choice'])
    expect(await readTexts()).toEqual([`second of ${other}`, 'from Ben'])
    await dialog.getByLabel(/^Theirs:/).check()
    await dialog.getByRole('button', { name: 'Continue with this choice' }).click()
    const kept = `second of ${other}`
    await expect.poll(() => text(page).inputValue()).toBe(kept)
    await waitUntilSaved(page)
    expect(await readTexts()).toEqual([kept, 'from Ben'])

    // Of two names, the later one stays, and its author reads the other.
    const name = (tab: Page) => tab.getByRole('textbox', { name: 'Name', exact: true })
    await Promise.all([name(ana).fill('Name of Ana'), name(ben).fill('Name of Ben')])
    const readNotices = async () =>
      (
        await Promise.all([ana, ben].map(tab => tab.getByText(/^Someone else named this/).allInnerTexts()))
      ).flat()
    await expect.poll(async () => (await readNotices()).length).toBe(1)
    // The notice is shown before the name that is kept has been saved.
    await Promise.all([waitUntilSaved(ana), waitUntilSaved(ben)])
    const { name: stays } = await readJourney(owner, id)
    const lost = stays === 'Name of Ana' ? 'Name of Ben' : 'Name of Ana'
    expect(await readNotices()).toEqual([`Someone else named this “${lost}”. Your name is kept.`])
    // Another screen, and another workflow, end the presence in this one.
    await ben.getByRole('link', { name: 'Journeys' }).first().click()
    await ana.getByRole('img', { name: /has this open too/ }).waitFor({ state: 'hidden' })
  })

  test('B8: changes that were not saved are offered after the tab was killed', async () => {
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
    // They are offered until the user has decided.
    await next.keyboard.press('Escape')
    await next.reload()
    await dialog.getByRole('button', { name: 'Restore them' }).click()
    await node(next, 'note-0').getByText('not saved yet').waitFor()
    await waitUntilSaved(next)
    expect((await readJourney(owner, id)).definition.nodes[1]!.data.text).toBe('not saved yet')
    await next.reload()
    await node(next, 'note-0').getByText('not saved yet').waitFor()
    expect(await next.getByRole('dialog').count()).toBe(0)
  })

  test('changes are kept when the session ends, and offered after signing in', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, chainOf(1))
    const { page } = await openTab({ expected: /status of 401|WebSocket connection/ })
    await signIn(page, service, owner, `/journeys/${id}`)
    await node(page, 'note-0').click()
    const { items } = (await owner.api.get('/users/me/sessions')).body
    const session = items.find(({ kind }: { kind: string }) => kind === 'browser')
    await text(page).fill('typed before the end')
    expect((await owner.api.delete(`/users/me/sessions/${session.id}`)).status).toBe(204)
    await page.getByText('You were signed out. Your drafts are kept.').waitFor()
    await page.getByLabel('E-mail').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Unsaved changes were found' })
    await dialog.getByRole('button', { name: 'Restore them' }).click()
    await node(page, 'note-0').getByText('typed before the end').waitFor()
    await waitUntilSaved(page)
    expect((await readJourney(owner, id)).definition.nodes[1]!.data.text).toBe('typed before the end')
  })

  test('a node that is pasted in another workspace names what is missing there', async () => {
    const [from, to] = [await openOffice(service), await openOffice(service, 'Other Lights')]
    const tagId = (await from.owner.api.post('/tags', { name: 'vip' })).body.id
    const tagged = { id: 'tag', type: 'addTag', data: { tagId }, position: { x: 320, y: 0 } }
    const edges = [{ id: 'e', source: 'start', target: 'tag', sourceHandle: 'next' }]
    const source = await createJourney(from.owner, { nodes: [...startOnly.nodes, tagged], edges })
    const target = await createJourney(to.owner, startOnly)
    const tab = await openTab({ expected: /401/ })
    await signIn(tab.page, service, from.owner, `/journeys/${source}`)
    await node(tab.page, 'tag').click()
    await tab.page.getByRole('application').focus()
    await tab.page.keyboard.press('ControlOrMeta+c')
    await tab.page.context().clearCookies()
    const { page } = await tab.another()
    await tab.page.close()
    await signIn(page, service, to.owner, `/journeys/${target}`)
    await node(page, 'start').click()
    await page.getByRole('application').focus()
    await page.keyboard.press('ControlOrMeta+v')
    await page.getByText('1 node pasted').waitFor()
    const pasted = page.locator('[data-kind="addTag"]')
    await pasted.getByRole('img', { name: /problem/ }).waitFor()
    await settings(page).getByText('is not a tag of this workspace').waitFor()
    await waitUntilSaved(page)
    expect((await readJourney(to.owner, target)).definition.nodes.map(({ data }) => data.tagId)).toEqual([
      undefined,
      tagId,
    ])
  })

  test('B10: without journey:update everything can be viewed and nothing changed', async () => {
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
