/** Tests the versions of the builder: the visual difference names the changes of the service, and a version is restored. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  type OpenOptions,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { openOffice, type Person, signIn } from '../support/people.ts'

const text = (body: string) => ({ type: 'text', text: { body } })
const start = { triggerConfig: { type: 'manual', conditions: {} }, entryMode: 'every_time' }

const first = {
  nodes: [
    { id: 'start', type: 'start', data: start, position: { x: 0, y: 0 } },
    { id: 'hello', type: 'sendMessage', data: { content: text('Hello') }, position: { x: 320, y: 0 } },
    { id: 'pause', type: 'delay', data: { for: { days: 1 } }, position: { x: 640, y: 0 } },
  ],
  edges: [
    { id: 'e1', source: 'start', target: 'hello' },
    { id: 'e2', source: 'hello', target: 'pause', sourceHandle: 'next' },
  ],
}
const second = {
  nodes: [
    { id: 'start', type: 'start', data: start, position: { x: 0, y: 80 } },
    { id: 'hello', type: 'sendMessage', data: { content: text('Good day') }, position: { x: 320, y: 0 } },
    { id: 'done', type: 'end', data: {}, position: { x: 640, y: 160 } },
  ],
  edges: [
    { id: 'e1', source: 'start', target: 'hello' },
    { id: 'e3', source: 'hello', target: 'done', sourceHandle: 'next' },
  ],
}

interface Changes {
  added: { id: string }[]
  removed: { id: string }[]
  changed: { id: string; paths: string[] }[]
}

/** Returns the changes of the list, as the service names them. */
const listShown = (part: Locator) =>
  part
    .getByRole('list', { name: 'Changes' })
    .getByRole('listitem')
    .evaluateAll(items =>
      items.map(item => [
        item.firstElementChild!.textContent!,
        ...[...item.querySelectorAll('code')].map(code => code.textContent!),
      ]),
    )

/** Returns the marks of the nodes on the drawing. */
async function readMarks(part: Locator) {
  await part.getByRole('region', { name: 'Drawing of the changes' }).waitFor()
  const marks = await part
    .locator('[data-node][data-mark]')
    .evaluateAll(items => items.map(item => [item.getAttribute('data-node'), item.getAttribute('data-mark')]))
  return Object.fromEntries(marks)
}

describe.skipIf(!hasBrowser)('versions', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  /** Opens the page without the scopes to change workflows: all roles of a workspace have them. */
  async function openAsReader(person: Person, at: string): Promise<Page> {
    const { page } = await openTab()
    await page.route('**/v1/console/bootstrap', async route => {
      const response = await route.fetch()
      const body = await response.json()
      const isRead = (scope: string) => !scope.startsWith('journey:') || /:(read|list)$/.test(scope)
      await route.fulfill({
        response,
        json: { ...body, me: { ...body.me, scopes: body.me.scopes.filter(isRead) } },
      })
    })
    await signIn(page, service, person, at)
    return page
  }

  async function open(person: Person, at: string, options: OpenOptions = {}): Promise<Page> {
    const { page } = await openTab(options)
    await signIn(page, service, person, at)
    return page
  }

  test('B9: the difference on the screen is that of the service; a version is restored', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { id } = (await api.post('/journeys', { name: 'Welcome', definition: first })).body
    const one = (await api.post(`/journeys/${id}/publish`, { note: 'First words' })).body
    expect((await api.patch(`/journeys/${id}`, { definition: second })).status).toBe(200)
    const two = (await api.post(`/journeys/${id}/publish`, { note: 'Politer' })).body
    const page = await open(office.owner, `/journeys/${id}?panel=versions`)
    const list = page.getByRole('list', { name: 'Versions' })
    await list.getByText('Politer').waitFor()
    await list.getByText('First words').waitFor()
    expect(await list.getByText('Ana Lima').count()).toBe(2)
    await expectAccessible(page, 'versions')
    await screenshot(page, 'builder-versions')
    await list.getByRole('button', { name: 'Compare with 1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compare versions' })
    await dialog.getByText('2 added, 2 removed, 1 changed').waitFor()
    const listExpected = async (from: string, to: string) => {
      const { nodes, edges } = (await api.get(`/journeys/${id}/versions/${from}/diff/${to}`)).body
      return [nodes, edges].flatMap(({ added, removed, changed }: Changes) => [
        ...added.map(item => ['Added', item.id]),
        ...removed.map(item => ['Removed', item.id]),
        ...changed.filter(item => item.id !== 'start').map(item => ['Changed', item.id, ...item.paths]),
      ])
    }
    await dialog.getByText('1 node was only moved.').waitFor()
    expect(await listShown(dialog)).toEqual(await listExpected(one.id, two.id))
    expect(await readMarks(dialog)).toEqual({ done: 'added', pause: 'removed', hello: 'changed' })
    await expectAccessibleThemes(page, 'difference')
    await screenshots(page, 'builder-diff')
    await page.keyboard.press('Escape')
    await list.getByRole('button', { name: 'Restore' }).nth(1).click()
    await page
      .getByRole('dialog', { name: 'Restore version 1?' })
      .getByRole('button', { name: 'Restore' })
      .click()
    await page.getByText('The draft is version 1 now').waitFor()
    const draft = (await api.get(`/journeys/${id}`)).body.definition
    expect(draft.nodes.map((node: { id: string }) => node.id)).toEqual(['start', 'hello', 'pause'])
    expect((await api.get(`/journeys/${id}/versions`)).body.totalSize).toBe(2)

    // Before publishing, the draft is compared with the published version in the same way.
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const changes = page.getByRole('region', { name: 'Changes since the published version' })
    await changes.getByText('2 added, 2 removed, 1 changed').waitFor()
    expect(await listShown(changes)).toEqual(await listExpected(two.id, 'draft'))
    expect(await readMarks(changes)).toEqual({ done: 'removed', pause: 'added', hello: 'changed' })
    await expectAccessible(page, 'publishing')
    await screenshot(page, 'builder-publish-diff')

    const viewport = { width: 360, height: 700 }
    const phone = await open(office.owner, `/journeys/${id}?panel=versions`, { viewport })
    await phone.getByRole('button', { name: 'Compare with 1' }).click()
    await phone.getByText('2 added, 2 removed, 1 changed').waitFor()
    await expectNoSidewaysScroll(phone)
    await screenshot(phone, 'builder-diff-phone')
    await phone.goto(`${service.url}/journeys/${id}`)
    await phone.getByRole('button', { name: 'Publish', exact: true }).click()
    await phone.getByText('2 added, 2 removed, 1 changed').waitFor()
    await expectNoSidewaysScroll(phone)
    await screenshot(phone, 'builder-publish-diff-phone')

    const reader = await openAsReader(office.owner, `/journeys/${id}?panel=versions`)
    await reader.getByRole('button', { name: 'Compare with 1' }).waitFor()
    expect(await reader.getByRole('button', { name: 'Restore' }).count()).toBe(0)
  })
})
