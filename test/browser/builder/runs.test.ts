/** Tests the runs of the builder: list, filter, replay, cancelling, numbers, and why a contact did or did not enter. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
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

describe.skipIf(!hasBrowser)('runs', async () => {
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

  test('runs are filtered by node, replayed on their version, explained and cancelled', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const tag = (await api.post('/tags', { name: 'VIP' })).body
    const conditions = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] }
    const start = { triggerConfig: { type: 'manual', conditions }, entryMode: 'once' }
    const definition = {
      nodes: [
        { id: 'start', type: 'start', data: start },
        { id: 'pause', type: 'delay', data: { for: { days: 3 } } },
        { id: 'hello', type: 'sendMessage', data: { content: text('Hello') } },
      ],
      edges: [
        { id: 'e1', source: 'start', target: 'pause' },
        { id: 'e2', source: 'pause', target: 'hello' },
      ],
    }
    const { id } = (await api.post('/journeys', { name: 'Welcome', definition })).body
    expect((await api.post(`/journeys/${id}/publish`)).status).toBe(200)
    expect((await api.post(`/journeys/${id}/activate`)).status).toBe(200)
    const people = ['Ada Byron', 'Bo Diddley', 'Cy Young', 'Di Prima']
    const ids: string[] = []
    for (const [i, name] of people.entries()) {
      const contact = (await api.post('/contacts', { name, phone: `+1415555${7_000 + i}` })).body
      ids.push(contact.id)
      if (i === 3) continue
      expect((await api.post(`/contacts/${contact.id}/tags/${tag.id}`)).status).toBe(204)
      expect((await api.post(`/journeys/${id}/runs`, { contactId: contact.id })).status).toBe(201)
    }
    const readRuns = async (query = '') => (await api.get(`/journeys/${id}/runs${query}`)).body.runs
    await until(
      () => readRuns('?status=waiting&nodeId=pause'),
      runs => runs.length === 3,
    )
    expect(await readRuns('?nodeId=hello')).toEqual([])
    // The draft no longer has the node at which the runs are.
    const nodes = [definition.nodes[0], definition.nodes[2]]
    const edges = [{ id: 'e1', source: 'start', target: 'hello' }]

    const page = await open(office.owner, `/journeys/${id}?panel=runs&numbers=on`)
    const table = page.getByRole('table', { name: 'Runs' })
    await table.getByRole('button', { name: 'Ada Byron' }).waitFor()
    expect(await table.getByRole('row').count()).toBe(4)
    await expect
      .poll(() => page.getByLabel('Node', { exact: true }).locator('option').allInnerTexts())
      .toContainEqual(expect.stringContaining('3 waiting here'))
    await page.locator('[data-node="pause"]').getByText('3 waiting here').waitFor()
    await page.getByLabel('Node', { exact: true }).selectOption('hello')
    await page.getByText('No run matches this filter.').waitFor()
    await page.getByLabel('Node', { exact: true }).selectOption('pause')
    await table.getByRole('button', { name: 'Cy Young' }).waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('failed')
    await page.getByText('No run matches this filter.').waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('')
    await table.getByRole('button', { name: 'Cy Young' }).waitFor()
    await expectAccessible(page, 'runs')
    await screenshot(page, 'builder-runs')

    expect((await api.patch(`/journeys/${id}`, { definition: { nodes, edges } })).status).toBe(200)
    await table.getByRole('button', { name: 'Ada Byron' }).click()
    const replay = page.getByRole('dialog', { name: 'Run of Ada Byron' })
    await replay.getByText('Step 2 of 2').waitFor()
    const run = (await readRuns(`?contactId=${ids[0]}`))[0]
    const { path } = (await api.get(`/runs/${run.id}`)).body
    const steps = await replay.getByRole('list', { name: 'Steps' }).getByRole('button').allInnerTexts()
    expect(steps.map(step => step.split('\n')[0])).toEqual(['1. Start', '2. Wait'])
    expect(path.map((step: { nodeId: string }) => step.nodeId)).toEqual(['start', 'pause'])
    const marks = () =>
      replay
        .locator('[data-node][data-mark]')
        .evaluateAll(items =>
          Object.fromEntries(
            items.map(item => [item.getAttribute('data-node'), item.getAttribute('data-mark')]),
          ),
        )
    expect(await marks()).toEqual({ start: 'path', pause: 'current' })
    await expectAccessibleThemes(page, 'replay')
    await screenshots(page, 'builder-replay')
    await replay.getByRole('button', { name: 'Previous step' }).click()
    await replay.getByText('Step 1 of 2').waitFor()
    expect(await marks()).toEqual({ start: 'current' })
    await replay.getByRole('button', { name: 'Cancel the run' }).click()
    await replay.getByText('Cancelled', { exact: true }).waitFor()
    expect((await api.get(`/runs/${run.id}`)).body.status).toBe('cancelled')
    await page.keyboard.press('Escape')

    const why = page.getByRole('region', { name: 'Why did they (not) enter?' })
    await why.getByLabel('Find a contact').fill('Di Prima')
    await why.getByRole('button', { name: /Di Prima/ }).click()
    await why.getByText('Di Prima has not entered.').waitFor()
    await why.getByText('The contact does not meet the conditions of the trigger.').waitFor()
    await why.getByText(/Not true:.*VIP/).waitFor()

    const viewport = { width: 360, height: 700 }
    const phone = await open(office.owner, `/journeys/${id}?panel=runs`, { viewport })
    await phone.getByRole('button', { name: 'Cy Young' }).click()
    await phone.getByText('Step 2 of 2').waitFor()
    await expectNoSidewaysScroll(phone)
    await screenshot(phone, 'builder-replay-phone')

    const reader = await openAsReader(office.owner, `/journeys/${id}?panel=runs`)
    await reader.getByLabel('Node', { exact: true }).waitFor()
    expect(await reader.getByRole('button', { name: /Cancel/ }).count()).toBe(0)

    await page.getByLabel('Select the run of Bo Diddley').check()
    await page.getByRole('button', { name: 'Cancel 1 run' }).click()
    await page.getByRole('button', { name: 'Cancel the runs' }).click()
    await expect.poll(async () => (await readRuns('?status=waiting')).length).toBe(1)
    await page.getByRole('button', { name: 'Cancel all in progress' }).click()
    await page.getByRole('button', { name: 'Cancel the runs' }).click()
    await expect.poll(async () => (await readRuns('?status=waiting')).length).toBe(0)
  })

  test('a failed run is retried, and the replay follows it', async () => {
    const { owner } = await openOffice(service)
    const { api } = owner
    const definition = {
      nodes: [
        { id: 'start', type: 'start', data: { triggerConfig: { type: 'manual' } } },
        { id: 'ask', type: 'ask', data: { content: text('How are you?'), variable: 'mood' } },
      ],
      edges: [{ id: 'e1', source: 'start', target: 'ask' }],
    }
    const { id } = (await api.post('/journeys', { name: 'Mood', definition })).body
    expect((await api.post(`/journeys/${id}/publish`)).status).toBe(200)
    expect((await api.post(`/journeys/${id}/activate`)).status).toBe(200)
    const contact = (await api.post('/contacts', { name: 'Ada Byron' })).body
    expect((await api.post(`/journeys/${id}/runs`, { contactId: contact.id })).status).toBe(201)
    const readRuns = async () => (await api.get(`/journeys/${id}/runs`)).body.runs
    await until(readRuns, ([run]) => run?.status === 'failed')

    const page = await open(owner, `/journeys/${id}?panel=runs`)
    const table = page.getByRole('table', { name: 'Runs' })
    await table.getByRole('button', { name: 'Ada Byron' }).click()
    const replay = page.getByRole('dialog', { name: 'Run of Ada Byron' })
    await replay.getByText('no_identity: the contact has no address on this channel').waitFor()
    // Texts of the service are explained in German, and so is a refusal.
    const german = await open(owner, `/journeys/${id}?panel=runs`, { expected: /409/ })
    await german.evaluate(() => localStorage.setItem('parley.language', 'de'))
    await german.reload()
    await german.getByText(/no_identity: Der Kontakt hat auf diesem Kanal keine Adresse/).waitFor()
    await german.getByRole('button', { name: 'Ada Byron' }).click()
    const details = german.getByRole('dialog').locator('dl').first()
    await details.getByText('Grund', { exact: true }).waitFor()
    await details.getByText('Der Kontakt hat auf diesem Kanal keine Adresse').waitFor()
    await screenshot(german, 'builder-replay-german')
    await replay.getByText('Step 2 of 2').waitFor()
    expect((await api.patch(`/contacts/${contact.id}`, { phone: '+14155557100' })).status).toBe(200)
    await replay.getByRole('button', { name: 'Retry the failed step' }).click()
    await replay.getByText('Waiting', { exact: true }).waitFor()
    await replay.getByText('Step 3 of 3').waitFor()
    expect(await replay.getByRole('button', { name: 'Retry the failed step' }).count()).toBe(0)
    await german.getByRole('button', { name: 'Gescheiterten Schritt wiederholen' }).click()
    await german.getByText('Der Durchlauf ist nicht gescheitert').waitFor()
    await page.keyboard.press('Escape')
    await table.getByText('Waiting', { exact: true }).waitFor()
  })
  test('numbers show what entered, left by which output, was not delivered and reached the goal', async () => {
    const { owner } = await openOffice(service)
    const { api } = owner
    const definition = {
      nodes: [
        { id: 'start', type: 'start', data: { triggerConfig: { type: 'manual' } } },
        { id: 'hello', type: 'sendMessage', data: { content: text('Hello') } },
        { id: 'call', type: 'goal', data: { name: 'To call' } },
      ],
      edges: [
        { id: 'e1', source: 'start', target: 'hello' },
        { id: 'e2', source: 'hello', target: 'call', sourceHandle: 'optedOut' },
      ],
    }
    const { id } = (await api.post('/journeys', { name: 'Hello', definition })).body
    expect((await api.post(`/journeys/${id}/publish`)).status).toBe(200)
    expect((await api.post(`/journeys/${id}/activate`)).status).toBe(200)
    for (const phone of ['+14155557200', '+14155557201']) {
      const contact = (await api.post('/contacts', { name: 'Ada Byron', phone })).body
      for (const channel of ['chatapp', 'socialapp', 'sms'])
        expect((await api.put(`/contacts/${contact.id}/opt-outs/${channel}`)).status).toBe(204)
      expect((await api.post(`/journeys/${id}/runs`, { contactId: contact.id })).status).toBe(201)
    }
    const page = await open(owner, `/journeys/${id}`)
    await page.getByRole('button', { name: 'Numbers' }).click()
    const count = (nodeId: string, counted: string) =>
      page.locator(`[data-node="${nodeId}"]`).getByText(counted, { exact: true }).waitFor()
    await count('start', '2 entered')
    await count('hello', '2 undelivered')
    await count('call', '2 reached it')
    const output = page.locator('[data-node="hello"]').getByText('opted out', { exact: true })
    expect(await output.locator('xpath=..').innerText()).toMatch(/^opted out\s*2$/)
    await expectAccessible(page, 'numbers')
    await screenshot(page, 'builder-numbers')
    await page.getByRole('button', { name: 'Steps', exact: true }).click()
    await page
      .getByRole('button', { name: /^Send a message/ })
      .getByText('2 undelivered')
      .waitFor()
    await page.getByRole('group', { name: 'If opted out' }).getByText('2 reached it').waitFor()
    await page.setViewportSize({ width: 360, height: 700 })
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'builder-numbers-phone')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Numbers', checked: true }).click()
    await page.getByText('2 reached it').waitFor({ state: 'hidden' })
  })
})
