/** Tests the lists of journeys and chatbots, the gallery of templates, and creating from a template. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  holdConnections,
  type OpenOptions,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { type Office, openOffice, type Person, signIn } from '../support/people.ts'
import { requestAs } from '../support/settings.ts'

const narrow = { width: 320, height: 740 }

describe.skipIf(!hasBrowser)('workflows', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function open(person: Person, at: string, options: OpenOptions = {}): Promise<Page> {
    const { page } = await openTab(options)
    await signIn(page, service, person, at)
    return page
  }

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

  async function create({ owner }: Office, path: string, body: object): Promise<{ id: string }> {
    const answer = await owner.api.post(path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body
  }

  const read = async ({ owner }: Office, path: string) => (await owner.api.get(path)).body

  /** Opens the menu of a row by keyboard and chooses an item. */
  async function choose(page: Page, name: string, item: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).press('Enter')
    await page.getByRole('menuitem', { name: item }).press('Enter')
  }

  async function expectGoodEverywhere(page: Page, name: string): Promise<void> {
    await expectAccessibleThemes(page, name)
    await screenshots(page, name)
    const size = page.viewportSize()!
    await page.setViewportSize(narrow)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, `${name}, narrow`)
    await page.setViewportSize(size)
  }

  test('a journey is created from a template by keyboard, activated, paused, duplicated and deleted', async () => {
    const office = await openOffice(service)
    const page = await open(office.owner, '/inbox')
    const { keyboard } = page
    await keyboard.press('g')
    await keyboard.press('j')
    await page.getByText('No journeys yet.').waitFor()
    await expectGoodEverywhere(page, 'journeys-none')
    await keyboard.press('c')
    await page.getByRole('link', { name: 'VIP customers' }).waitFor()
    await expectGoodEverywhere(page, 'templates')
    await page.getByRole('link', { name: 'VIP customers' }).press('Enter')
    await page.getByRole('complementary', { name: 'Example' }).getByText('You are a VIP now').waitFor()
    await expectGoodEverywhere(page, 'template')
    const name = page.getByLabel('Name', { exact: true })
    expect(await name.inputValue()).toBe('VIP customers')
    await name.focus()
    await keyboard.press('Control+A')
    await keyboard.type('Gold customers')
    await page.reload()
    await page.getByLabel('Name', { exact: true }).fill('Gold customers')
    const tag = page.getByLabel('Name of the new tag')
    expect(await tag.inputValue()).toBe('VIP')
    await tag.focus()
    await keyboard.press('Control+A')
    await keyboard.type('Gold')
    await keyboard.press('Enter')
    await page.waitForURL(/\/journeys\/jrn_/)
    // The address changes before the page: keys would still reach the form.
    await page.getByRole('heading', { level: 1, name: 'Gold customers' }).waitFor({ state: 'attached' })
    const { tags } = await read(office, '/tags')
    expect(tags.map((item: { name: string }) => item.name)).toEqual(['Gold'])
    const { journeys } = await read(office, '/journeys')
    expect(journeys).toMatchObject([{ name: 'Gold customers', status: 'draft', version: null }])
    expect(JSON.stringify(journeys[0].definition)).toContain(tags[0].id)

    const status = async () => (await read(office, `/journeys/${journeys[0].id}`)).status
    await keyboard.press('g')
    await keyboard.press('j')
    await choose(page, 'Gold customers', 'Publish and activate')
    const activation = page.getByRole('dialog', { name: 'Activate “Gold customers”?' })
    await activation.getByText('The draft is published as its first version.').waitFor()
    await expectAccessible(page, 'activate')
    await activation.getByRole('button', { name: 'Publish and activate' }).press('Enter')
    await row(page, 'Gold customers').getByText('Active').waitFor()
    expect(await status()).toBe('active')

    await choose(page, 'Gold customers', 'Pause')
    await row(page, 'Gold customers').getByText('Paused').waitFor()
    await expect.poll(status).toBe('paused')
    await page.getByText('“Gold customers” is paused').waitFor()
    await keyboard.press('z')
    await expect.poll(status).toBe('active')
    await row(page, 'Gold customers').getByText('Active').waitFor()

    await choose(page, 'Gold customers', 'Duplicate')
    await page.waitForURL(url => !url.pathname.endsWith(journeys[0].id) && /jrn_/.test(url.pathname))
    const copyHeading = page.getByRole('heading', { level: 1, name: 'Gold customers (copy)' })
    await copyHeading.waitFor({ state: 'attached' })
    await keyboard.press('g')
    await keyboard.press('j')
    await row(page, 'Gold customers (copy)').waitFor()
    await choose(page, 'Gold customers (copy)', 'Delete')
    const deletion = page.getByRole('dialog', { name: 'Delete “Gold customers (copy)”?' })
    await expectAccessible(page, 'delete')
    await deletion.getByRole('button', { name: 'Delete' }).press('Enter')
    await expect.poll(() => row(page, 'Gold customers (copy)').count()).toBe(0)
    await choose(page, 'Gold customers', 'Delete')
    await page.getByText('It is active, and is paused first.').waitFor()
    await page.getByRole('button', { name: 'Pause and delete' }).press('Enter')
    await page.getByText('No journeys yet.').waitFor()
    expect((await read(office, '/journeys')).totalSize).toBe(0)
  })

  test('the list is filtered by the address, shows numbers, and follows changes of others', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { id } = await create(office, '/journeys/from-template', { templateId: 'welcome', name: 'Hello' })
    await create(office, '/journeys/from-template', { templateId: 'welcome', name: 'Second hello' })
    const page = await open(office.owner, '/journeys')
    await row(page, 'Second hello').waitFor()
    await api.post(`/journeys/${id}/publish`)
    await api.post(`/journeys/${id}/activate`)
    await row(page, 'Hello').getByText('Active').waitFor()
    await api.post('/contacts', { name: 'Ann', phone: '+14155557001' })
    await expect
      .poll(async () => (await read(office, '/journeys?status=active')).journeys[0].counts)
      .toEqual({ entered: 1, waiting: 1 })
    await page.reload()
    const cells = () => row(page, 'Active').getByRole('cell').allInnerTexts()
    await expect.poll(async () => (await cells()).slice(0, 4)).toEqual(['Active', '1', '1', '1'])
    expect((await cells())[4]).toContain('by Ana Lima')
    await expectGoodEverywhere(page, 'journeys')
    await page.getByLabel('Status').selectOption('Draft')
    await expect.poll(() => row(page, 'Active').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?status=draft')
    await page.getByLabel('Search by name').fill('nothing')
    await page.getByText('None matches the search and the status.').waitFor()
    await page.getByLabel('Search by name').fill('SECOND')
    await row(page, 'Second hello').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?q=SECOND&status=draft')
    await page.reload()
    await row(page, 'Second hello').waitFor()
    expect(await page.getByLabel('Search by name').inputValue()).toBe('SECOND')
    await page.goBack()
    await page.waitForURL(url => url.search === '')
    await row(page, 'Active').waitFor()
  })

  test('chatbots: problems of a draft and of the order are explained; the order is changed by keyboard', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const first = await create(office, '/chatbots/from-template', { templateId: 'menu' })
    const parameters = { field: { create: 'Topic' } }
    const second = await create(office, '/chatbots/from-template', { templateId: 'handoff', parameters })
    const draft = {
      nodes: [
        { id: 'start', type: 'start', data: {} },
        { id: 'x', type: 'addTag', data: { tagId: 'tag_none' } },
      ],
      edges: [{ source: 'start', target: 'x' }],
    }
    await create(office, '/chatbots', { name: 'Broken', draft })
    for (const { id } of [first, second]) await api.post(`/chatbots/${id}/publish`)
    await api.post(`/chatbots/${first.id}/activate`)
    const page = await open(office.owner, '/inbox', { expected: /40[09]/ })
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await row(page, 'Broken').waitFor()
    await expectGoodEverywhere(page, 'chatbots')
    await choose(page, 'Broken', 'Publish and activate')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish and activate' }).press('Enter')
    await page.getByRole('alert').getByText('1 problem must be solved in the editor first:').waitFor()
    // The problem names the step as the editor does.
    const problem = page.getByRole('alert').getByRole('listitem')
    await expect
      .poll(() => problem.allInnerTexts())
      .toEqual(['Add a tag Tag: is not a tag of this workspace'])
    expect(
      await page.getByRole('alert').getByRole('link', { name: 'Open the editor' }).getAttribute('href'),
    ).toMatch(/^\/chatbots\//)
    await expectAccessible(page, 'problems')
    await screenshot(page, 'chatbots-problems')
    await page.keyboard.press('Escape')
    await choose(page, 'Handover to a person', 'Activate')
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).press('Enter')
    await page.getByRole('alert').getByText('Another active chatbot comes first').waitFor()
    await page.keyboard.press('Escape')

    const order = async () =>
      (await read(office, '/chatbots')).chatbots
        .toSorted((a: { position: number }, b: { position: number }) => a.position - b.position)
        .map(({ name }: { name: string }) => name)
    expect(await order()).toEqual(['Menu', 'Handover to a person', 'Broken'])
    await page.getByRole('button', { name: 'Order', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Move “Broken” up' }).press('Enter')
    await expect.poll(order).toEqual(['Menu', 'Broken', 'Handover to a person'])
    await expectGoodEverywhere(page, 'chatbots-order')
  })

  test('parameters that exist are proposed; a name that is taken is explained', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { id } = (await api.post('/tags', { name: 'lead' })).body
    const page = await open(office.owner, '/chatbots/new?template=lead_capture', { expected: /409/ })
    const tag = page.getByLabel('Tag for leads', { exact: true })
    await expect.poll(() => tag.inputValue()).toBe(id)
    await tag.selectOption('Create a new one')
    await page.getByLabel('Name of the new tag').fill('LEAD')
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByRole('alert').getByText('This name is taken.').waitFor()
    await expectGoodEverywhere(page, 'template-taken')
    await tag.selectOption('lead')
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.waitForURL(/\/chatbots\/bot_/)
    const [bot] = (await read(office, '/chatbots')).chatbots
    expect(JSON.stringify(bot.draft)).toContain(id)
    expect((await read(office, '/tags')).tags).toHaveLength(1)
  })

  test('without scopes there are no controls, and the service refuses; errors can be retried', async () => {
    const office = await openOffice(service)
    await create(office, '/journeys/from-template', { templateId: 'welcome', name: 'Hello' })
    const agent = await office.hire('Kim Lee')
    const { page } = await openTab({ viewport: narrow, colorScheme: 'dark', expected: /403|50[03]/ })
    // Roles have all scopes of journeys: the console of a narrower account is shown by leaving them out.
    await page.route('**/v1/console/bootstrap', async route => {
      const response = await route.fetch()
      const body = await response.json()
      body.me.scopes = body.me.scopes.filter((scope: string) => !/^journey:(?!list|read)/.test(scope))
      await route.fulfill({ response, json: body })
    })
    await signIn(page, service, agent, '/journeys')
    await row(page, 'Hello').waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New journey' }).count()).toBe(0)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'journeys without scopes')
    await page.goto(`${service.url}/journeys/new`)
    await page.getByText('You do not have the right to do this.').waitFor()
    const segment = {
      templateId: 're_engagement',
      parameters: { segment: { create: 'x' }, tag: { create: 'x' } },
    }
    expect(await requestAs(page, 'POST', '/journeys/from-template', segment)).toBe(403)
    await page.route('**/v1/journeys?*', route =>
      route.fulfill({ status: 503, json: { code: 'unavailable' } }),
    )
    await holdConnections(page)
    await page.goto(`${service.url}/journeys`)
    await page.getByRole('alert').waitFor()
    await expectAccessible(page, 'failed journeys')
    await page.unroute('**/v1/journeys?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await row(page, 'Hello').waitFor()
    // A filter that cannot be read shows no rows of the previous one.
    await page.route('**/v1/journeys?*status=active*', route =>
      route.fulfill({ status: 503, json: { code: 'unavailable' } }),
    )
    await page.getByLabel('Status').selectOption('Active')
    await page.getByRole('alert').waitFor()
    expect(await row(page, 'Hello').count()).toBe(0)
  })

  test('the navigation has room for all areas: at 600 px height, and on a phone of 320 px', async () => {
    const office = await openOffice(service)
    const page = await open(office.owner, '/chatbots', { viewport: { width: 1024, height: 600 } })
    await page.getByText('No chatbots yet.').waitFor()
    const rail = page.getByRole('navigation', { name: 'Navigation' })
    const expectRoom = async () => {
      const { width, height } = page.viewportSize()!
      for (const item of await rail.locator('a, button').all()) {
        const box = (await item.boundingBox())!
        expect(box.width).toBeGreaterThanOrEqual(24)
        expect(box.height).toBeGreaterThanOrEqual(24)
        expect(box.x + box.width).toBeLessThanOrEqual(width)
        expect(box.y + box.height).toBeLessThanOrEqual(height)
      }
      const sizes = await rail.evaluate(node => [
        node.scrollWidth - node.clientWidth,
        node.scrollHeight - node.clientHeight,
      ])
      expect(Math.max(...sizes)).toBeLessThanOrEqual(0)
    }
    await expectRoom()
    await page.setViewportSize(narrow)
    await expectRoom()
    await expectAccessible(page, 'navigation on a phone')
    await screenshot(page, 'navigation-phone')
  })
})
