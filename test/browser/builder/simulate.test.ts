/** Tests the simulation of the builder: its steps equal those of the service and of a real run, and cases are kept. */
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
import { type Office, openOffice, type Person, signIn } from '../support/people.ts'

const text = (body: string) => ({ type: 'text', text: { body } })
const next = (source: string, target: string, sourceHandle?: string) => ({
  id: `${source}-${target}`,
  source,
  target,
  ...(sourceHandle ? { sourceHandle } : {}),
})

interface Step {
  nodeId: string
  type: string
  outcome: string
  output: string | null
}

const names: Record<string, string> = {
  start: 'Start',
  ask: 'Ask a question',
  menu: 'Offer a menu',
  sendMessage: 'Send a message',
  addTag: 'Add a tag',
  delay: 'Wait',
  http: 'Send an HTTP request',
}
const outcomes: Record<string, string> = { wait: 'waits', http: 'sends a request', end: 'ends' }
const toLine = ({ type, outcome, output }: Step) => `${names[type]} ${output ?? outcomes[outcome]}`
const toKeys = (path: Step[]) =>
  path.map(({ nodeId, outcome, output }) => `${nodeId} ${outcome} ${output ?? ''}`)

const readSteps = async (page: Page) => {
  const lines = await page.getByRole('region', { name: 'Steps' }).getByRole('button').allInnerTexts()
  return lines.map(line => line.replace(/\s+/g, ' ').trim())
}

/** Does something that simulates once, and returns the response. */
async function simulating(page: Page, action: () => Promise<void>) {
  const response = page.waitForResponse(answer => answer.url().endsWith('/simulate'))
  await action()
  return (await response).json()
}

/** Does something that simulates once, and returns the request. */
async function simulatingRequest(page: Page, action: () => Promise<void>) {
  const request = page.waitForRequest(sent => sent.url().endsWith('/simulate'))
  await action()
  return (await request).postDataJSON()
}

describe.skipIf(!hasBrowser)('simulation', async () => {
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

  async function create({ owner: { api } }: Office, path: string, body: object): Promise<string> {
    const { status, body: created } = await api.post(path, body)
    expect(status, JSON.stringify(created)).toBe(201)
    const published = await api.post(`${path}/${created.id}/publish`)
    expect(published.status, JSON.stringify(published.body)).toBe(200)
    expect((await api.post(`${path}/${created.id}/activate`)).status).toBe(200)
    return created.id
  }

  test('B7: path and messages equal those of the service and of a real run with the same inputs', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const tag = (await api.post('/tags', { name: 'Blue' })).body
    const options = [
      { id: 'red', title: 'Red' },
      { id: 'blue', title: 'Blue' },
    ]
    const draft = {
      nodes: [
        { id: 'start', type: 'start', data: { triggerConfig: { type: 'message_received', conditions: {} } } },
        { id: 'name', type: 'ask', data: { content: text('Your name?'), variable: 'name' } },
        { id: 'colour', type: 'menu', data: { content: text('Which colour?'), options } },
        { id: 'thanks', type: 'sendMessage', data: { content: text('Blue for {{variables.name}}') } },
        { id: 'tag', type: 'addTag', data: { tagId: tag.id } },
      ],
      edges: [
        next('start', 'name'),
        next('name', 'colour', 'answered'),
        next('colour', 'thanks', 'blue'),
        next('thanks', 'tag'),
      ],
    }
    const id = await create(office, '/chatbots', { name: 'Colours', draft })
    const page = await open(office.owner, `/chatbots/${id}?panel=simulate`)
    await page.getByLabel('Begins with').selectOption('message')
    await page.getByLabel('First message').fill('Hello')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    const log = page.getByRole('log', { name: 'Transcript' })
    await log.getByText('Your name?').waitFor()
    await page.getByText('Waits for a reply').waitFor()
    await page.getByLabel('Message of the customer').fill('Ada')
    await page.getByLabel('Message of the customer').press('Enter')
    await log.getByText('Which colour?').waitFor()
    const simulated = await simulating(page, () =>
      log.getByRole('button', { name: 'Blue', exact: true }).click(),
    )
    await log.getByText('Blue for Ada').waitFor()
    await page.getByText('The run has ended').waitFor()
    // An output that is named by an option has its title.
    const lines = simulated.path.map(toLine).map((line: string) => line.replace(/ blue$/, ' Blue'))
    expect(await readSteps(page)).toEqual(lines)
    await page.getByRole('region', { name: 'Steps' }).getByText('Tag added: Blue').waitFor()
    // The canvas draws what is in sight.
    await page.getByRole('button', { name: 'Show all' }).click()
    const listDrawn = () =>
      page
        .locator('[data-node][data-emphasis="path"]')
        .evaluateAll(nodes => nodes.map(node => node.getAttribute('data-node')!).toSorted())
    const walked = new Set((simulated.path as Step[]).map(step => step.nodeId))
    await expect.poll(listDrawn).toEqual([...walked].toSorted())
    // The canvas shows what the run did at each node.
    const notes: [string, string][] = [
      ['name', 'name = Ada'],
      ['thanks', 'Message: Blue for Ada'],
      ['tag', 'Tag added: Blue'],
    ]
    for (const [nodeId, note] of notes)
      await page.locator(`[data-node="${nodeId}"]`).getByText(note, { exact: true }).waitFor()
    await screenshot(page, 'builder-simulate')

    const phone = '+14155550123'
    const sent = async (): Promise<string[]> =>
      (
        await api.get(`/sandbox/sent?inboxId=${office.inboxId}&to=${encodeURIComponent(phone)}`)
      ).body.items.map(
        ({ payload }: { payload: { text?: { body: string }; interactive?: { body: { text: string } } } }) =>
          payload.text?.body ?? payload.interactive?.body.text,
      )
    await office.receive(phone, 'Hello')
    await until(sent, list => list.length === 1)
    await office.receive(phone, 'Ada')
    await until(sent, list => list.length === 2)
    const content = { type: 'reply', reply: { id: 'blue', title: 'Blue' } }
    await api.post('/sandbox/inbound', { inboxId: office.inboxId, from: phone, content })
    const listRuns = async () => (await api.get(`/chatbots/${id}/runs?status=completed`)).body.runs
    const [run] = await until(listRuns, runs => runs.length === 1)
    const real = (await api.get(`/runs/${run.id}`)).body
    expect(toKeys(real.path)).toEqual(toKeys(simulated.path))
    const messages = simulated.effects
      .filter(({ effect }: { effect: string }) => effect === 'send')
      .map(({ input }: { input: [{ content: { text: { body: string } } }] }) => input[0].content.text.body)
    expect(await until(sent, list => list.length === 3)).toEqual(messages)
    for (const message of messages) await log.getByText(message, { exact: true }).waitFor()
    // The other effect is one of the real contact too, and the variables are those of the simulation.
    expect(simulated.effects.at(-1)).toMatchObject({ effect: 'addTag', input: [tag.id] })
    expect((await api.get(`/contacts/${run.contactId}`)).body.tagIds).toEqual([tag.id])
    expect(real.variables).toEqual(simulated.variables)
  })

  test('time is skipped, HTTP requests are answered, and a run is kept as a case', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const definition = {
      nodes: [
        {
          id: 'start',
          type: 'start',
          data: { triggerConfig: { type: 'manual', conditions: {} }, entryMode: 'every_time' },
        },
        { id: 'pause', type: 'delay', data: { for: { days: 2 } } },
        { id: 'call', type: 'http', data: { method: 'GET', url: 'https://example.com/' } },
        { id: 'sorry', type: 'sendMessage', data: { content: text('Sorry') } },
      ],
      edges: [next('start', 'pause'), next('pause', 'call'), next('call', 'sorry', 'error')],
    }
    const id = await create(office, '/journeys', { name: 'Reminder', definition })
    const page = await open(office.owner, `/journeys/${id}?panel=simulate`, { expected: /412/ })
    await page.getByText('Clock, messaging window, first step').click()
    await page.getByLabel('Messaging window').selectOption('open')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('button', { name: 'Skip 2 d' }).click()
    const form = page.getByRole('form', { name: 'HTTP response to GET https://example.com/' })
    await form.getByLabel('Status').fill('500')
    await form.getByRole('button', { name: 'Apply and play again' }).click()
    await page.getByRole('log', { name: 'Transcript' }).getByText('Sorry', { exact: true }).waitFor()
    await expect.poll(() => readSteps(page)).toContain('Send an HTTP request error')
    const cases = page.getByRole('region', { name: 'Cases' })
    await cases.getByLabel('Name of the case').fill('Endpoint fails')
    await cases.getByRole('button', { name: 'Save as a case' }).click()
    await cases.getByRole('button', { name: 'Endpoint fails', exact: true }).waitFor()
    const stored = (await api.get(`/journeys/${id}/cases`)).body.cases
    expect(stored).toMatchObject([{ name: 'Endpoint fails', request: { http: { call: { status: 500 } } } }])
    await cases.getByRole('button', { name: 'Run all cases' }).click()
    await cases.getByText('1 of 1 passed').waitFor()
    await expectAccessibleThemes(page, 'simulation')
    await screenshots(page, 'builder-simulate')
    // The same case on a draft that leads elsewhere.
    const edges = definition.edges.slice(0, 2)
    const shorter = { nodes: definition.nodes.slice(0, 3), edges }
    expect((await api.patch(`/journeys/${id}`, { definition: shorter })).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Run all cases' }).click()
    await page.getByText('0 of 1 passed').waitFor()
    await page.getByText('Path: expected sorry').waitFor()
    // Steps that the draft has are named as on the canvas.
    const longer = {
      nodes: [...definition.nodes, { id: 'skip', type: 'note', data: { text: 'Skip' } }],
      edges: [...edges, next('call', 'skip', 'error'), next('skip', 'sorry')],
    }
    expect((await api.patch(`/journeys/${id}`, { definition: longer })).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Run all cases' }).click()
    await page
      .getByText(/^Path: expected Send a message: Sorry \(.*\), now Add a note: Skip \(next\)$/)
      .waitFor()
    await screenshot(page, 'builder-case-differs')
    expect((await api.patch(`/journeys/${id}`, { definition: shorter })).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const checked = page.getByRole('dialog').getByRole('region', { name: 'Cases' })
    await checked.getByText('Cases: 0 of 1 passed').waitFor()
    await checked.getByText('Endpoint fails').waitFor()
    await expectAccessible(page, 'cases before publishing')
    await screenshot(page, 'builder-publish-cases')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    const phone = await open(office.owner, `/journeys/${id}?panel=simulate`, {
      viewport: { width: 360, height: 700 },
    })
    await phone.getByRole('button', { name: 'Start', exact: true }).click()
    await phone.getByRole('region', { name: 'Steps' }).waitFor()
    await expectNoSidewaysScroll(phone)
    await screenshot(phone, 'builder-simulate-phone')

    const other = await openAsReader(office.owner, `/journeys/${id}?panel=simulate`)
    await other.getByRole('button', { name: 'Run all cases' }).waitFor()
    expect(await other.getByRole('button', { name: /Delete the case/ }).count()).toBe(0)
    // A colleague adds a case to the same list: it is kept, and the user is notified.
    const added = { ...stored[0], id: 'another', name: 'Another one' }
    const put = await api.put(`/journeys/${id}/cases`, { cases: [...stored, added] }, { 'if-match': '"2"' })
    expect(put.status, JSON.stringify(put.body)).toBe(200)
    await page.getByRole('button', { name: 'Delete the case “Endpoint fails”' }).click()
    await page.getByText(/Someone else changed the cases meanwhile/).waitFor()
    await page.getByRole('button', { name: 'Another one', exact: true }).waitFor()
    expect((await api.get(`/journeys/${id}/cases`)).body.cases).toEqual([added])
  })

  test('a contact, an event with data and a clock start it; an event and a failed delivery change its path', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const ada = (await api.post('/contacts', { name: 'Ada Byron', phone: '+14155557300' })).body
    const start = { triggerConfig: { type: 'event', name: 'cart', key: 'cartId' }, entryMode: 'every_time' }
    const cases = [{ id: 'ordered', event: 'order', match: { cartId: '{{event.data.cartId}}' } }]
    const definition = {
      nodes: [
        { id: 'start', type: 'start', data: start },
        { id: 'wait', type: 'waitFor', data: { cases, timeout: { days: 1 } } },
        { id: 'thanks', type: 'sendMessage', data: { content: text('Thanks, {{contact.name}}') } },
        { id: 'remind', type: 'sendMessage', data: { content: text('Still want {{event.data.item}}?') } },
        { id: 'call', type: 'note', data: { text: 'Call them' } },
      ],
      edges: [
        next('start', 'wait'),
        next('wait', 'thanks', 'ordered'),
        next('wait', 'remind', 'timeout'),
        next('remind', 'call', 'failed'),
      ],
    }
    const id = await create(office, '/journeys', { name: 'Cart', definition })
    const page = await open(office.owner, `/journeys/${id}?panel=simulate`)
    await page.getByLabel('Contact of the workspace').fill('Ada')
    await page
      .getByRole('list', { name: 'Contacts found' })
      .getByRole('button', { name: /Ada Byron/ })
      .click()
    await page.getByText('As Ada Byron').waitFor()
    await page.getByLabel('Begins with').selectOption('event')
    const setup = page.getByRole('form', { name: 'Start of the simulation' })
    await setup.getByLabel('Name of the event').fill('cart')
    await setup.getByLabel('Data of the event (JSON)').fill('{"cartId": ')
    await setup.getByText(/Write a JSON object/).waitFor()
    await setup.getByLabel('Data of the event (JSON)').fill('{"cartId": "c-1", "item": "a lamp"}')
    await page.getByText('Clock, messaging window, first step').click()
    await setup.getByLabel('Clock').fill('2027-03-01T09:30')
    await setup.getByLabel('Messaging window').selectOption('open')
    const request = await simulatingRequest(page, () =>
      setup.getByRole('button', { name: 'Start', exact: true }).click(),
    )
    expect(request).toMatchObject({
      contactId: ada.id,
      event: { name: 'cart', data: { cartId: 'c-1', item: 'a lamp' } },
    })
    await page.getByText(/Clock:.*Mar.* 2027.*09:30|Clock:.*01\/03\/2027.*09:30/).waitFor()
    const log = page.getByRole('log', { name: 'Transcript' })
    await page.getByRole('button', { name: /^Skip / }).click()
    await log.getByText('Still want a lamp?').waitFor()
    await log.getByText('1 d later').waitFor()
    expect(await readSteps(page)).not.toContain('Add a note next')
    // A case is not saved while its run is played again: the result would be that of other inputs.
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/simulate', async route => {
      await released
      await route.continue()
    })
    await page.getByLabel('Name of the case').fill('Not delivered')
    const save = page.getByRole('button', { name: 'Save as a case' })
    await expect.poll(() => save.getAttribute('aria-disabled')).toBeNull()
    await log.getByRole('button', { name: 'Fail the delivery' }).click()
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('Name of the case').press('Enter')
    release()
    await expect.poll(() => save.getAttribute('aria-disabled')).toBeNull()
    expect((await api.get(`/journeys/${id}/cases`)).body.cases).toEqual([])
    await log.getByRole('button', { name: 'Delivery fails' }).waitFor()
    await page.getByRole('region', { name: 'Steps' }).getByText('Note added: Call them').waitFor()
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByText('An event arrives').click()
    await page.getByLabel('Name of the event').fill('order')
    await page.getByLabel('Data of the event (JSON)').fill('{"cartId": "c-1"}')
    await page.getByRole('button', { name: 'Send the event' }).click()
    await log.getByText('Thanks, Ada Byron').waitFor()
    await log.getByText('Event order').waitFor()
    // Nothing was sent, stored or started.
    expect((await api.get(`/sandbox/sent?inboxId=${office.inboxId}`)).body.items).toEqual([])
    expect((await api.get(`/journeys/${id}/runs`)).body.runs).toEqual([])
  })

  test('a simulation is played by keyboard, and the focus is never lost', async () => {
    const office = await openOffice(service)
    const definition = {
      nodes: [
        { id: 'start', type: 'start', data: { triggerConfig: { type: 'manual' } } },
        { id: 'pause', type: 'delay', data: { for: { hours: 1 } } },
        { id: 'store', type: 'setField', data: { fieldId: 'cf_external_ref', value: 'of {{contact.name}}' } },
        { id: 'in', type: 'setOptOut', data: { channel: 'sms', optedOut: false } },
        { id: 'hello', type: 'sendMessage', data: { content: text('Hello {{contact.name}}') } },
      ],
      edges: [next('start', 'pause'), next('pause', 'store'), next('store', 'in'), next('in', 'hello')],
    }
    const id = await create(office, '/journeys', { name: 'Later', definition })
    const page = await open(office.owner, `/journeys/${id}`)
    await page.getByRole('application').focus()
    await page.keyboard.press('Control+Enter')
    // The focus moves into the panel, and back to the canvas when it closes.
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent)
    const focusedRole = () => page.evaluate(() => document.activeElement?.getAttribute('role'))
    await expect.poll(focusedText).toBe('Simulate')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(focusedRole).toBe('application')
    await page.keyboard.press('Control+Enter')
    await expect.poll(focusedText).toBe('Simulate')
    // The form is loaded when the panel is opened first; before, Tab would go past it.
    await page.getByLabel('Name of the made-up contact').waitFor()
    for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
    await page.keyboard.type('Ana')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Simulate' })
    const outcome = panel.getByRole('status').filter({ hasText: /./ }).first()
    const isFocused = () => outcome.evaluate(element => element === document.activeElement)
    await outcome.getByText('Waits until').waitFor()
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focusedText()).toBe('Skip 1 h')
    await page.keyboard.press('Enter')
    await outcome.getByText('The run has ended').waitFor()
    await expect.poll(isFocused).toBe(true)
    await panel.getByText('Not sent: the messaging window is closed').waitFor()
    const steps = panel.getByRole('region', { name: 'Steps' })
    for (const effect of ['Field set: External ref = of Ana', 'Opted in: SMS', 'Not sent: Hello Ana'])
      await steps.getByText(effect, { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Play again with an open window' }).press('Enter')
    await steps.getByText('Message: Hello Ana', { exact: true }).waitFor()
    await expect.poll(isFocused).toBe(true)

    // The key and the menu of a step start the simulation there.
    await page.getByRole('application').focus()
    await page.keyboard.press('Control+f')
    await page.getByRole('dialog', { name: 'Find a node' }).getByRole('combobox').fill('send')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Selected: Send a message').waitFor()
    await expect.poll(focusedRole).toBe('application')
    const request = await simulatingRequest(page, () => page.keyboard.press('Control+Shift+Enter'))
    expect(request).toMatchObject({ startNodeId: 'hello' })
    await page.getByRole('button', { name: 'Steps', exact: true }).click()
    await page.getByRole('button', { name: /Actions for.*Wait/ }).click()
    const fromMenu = await simulatingRequest(page, () =>
      page.getByRole('menuitem', { name: 'Simulate from here' }).click(),
    )
    expect(fromMenu).toMatchObject({ startNodeId: 'pause' })
  })
})
