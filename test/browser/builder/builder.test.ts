/** Tests the builder: its steps, keys and settings, problems that lead to their fields, and publishing. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshot,
} from '../support/browser.ts'
import {
  createJourney,
  openBuilder,
  pick,
  readJourney,
  startOnly,
  waitUntilSaved,
} from '../support/builder.ts'
import { openOffice, signIn } from '../support/people.ts'

const node = (page: Page, kind: string) => page.locator(`[data-kind="${kind}"]`)
const settings = (page: Page) => page.getByRole('complementary', { name: 'Settings' })

describe.skipIf(!hasBrowser)('builder', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('steps are added, copied and pasted, and fit on a phone', async () => {
    const { owner } = await openOffice(service)
    const written = await createJourney(owner, {
      nodes: [
        ...startOnly.nodes,
        {
          id: 'wait',
          type: 'waitFor',
          data: { cases: [{ id: 'bought', event: 'order' }], timeout: { days: 1 } },
        },
        { id: 'hello', type: 'sendMessage', data: { content: { type: 'text', text: { body: 'Hello' } } } },
        { id: 'note', type: 'note', data: { text: 'reminded' } },
      ],
      edges: [
        { id: '1', source: 'start', target: 'wait', sourceHandle: 'next' },
        { id: '2', source: 'wait', target: 'hello', sourceHandle: 'timeout' },
        { id: '3', source: 'hello', target: 'note', sourceHandle: 'next' },
      ],
    })
    const page = await openBuilder(service, owner, `/journeys/${written}?view=steps`)

    // The best match is in the last group.
    await page.getByRole('button', { name: 'Add a step: Add a note, next' }).click()
    await pick(page, 'End')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const openMenu = () =>
      page
        .getByRole('button', { name: /^Actions for Add a note/ })
        .first()
        .click()
    await openMenu()
    await page.getByRole('menuitem', { name: 'Copy' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    await openMenu()
    await page.getByRole('menuitem', { name: 'Paste after it' }).click()
    await waitUntilSaved(page)
    const listPath = async () => {
      const { nodes, edges } = (await readJourney(owner, written)).definition
      const typeOf = (id: string) => nodes.find(item => item.id === id)?.type
      return edges.slice(-3).map(({ source, target }) => `${typeOf(source)} > ${typeOf(target)}`)
    }
    await expect.poll(listPath).toEqual(['sendMessage > note', 'note > note', 'note > end'])

    await page.setViewportSize({ width: 360, height: 740 })
    // The settings of the pasted note cover the steps.
    const sheet = page.getByRole('dialog', { name: 'Settings' })
    await sheet.waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'steps, narrow')
    await screenshot(page, 'builder-phone')
    await page
      .getByRole('button', { name: /^Send a message/ })
      .first()
      .click()
    await sheet.getByLabel('Text', { exact: true }).waitFor()
    await screenshot(page, 'builder-phone-settings')
  })

  test('on the canvas, nodes are added, set up and left by keyboard alone', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, startOnly)
    const page = await openBuilder(service, owner, `/journeys/${id}`)
    await node(page, 'start').waitFor()
    const { keyboard } = page
    const isFocused = (locator: Locator) => locator.evaluate(item => item === document.activeElement)
    const canvas = page.getByRole('application')
    await expect.poll(() => isFocused(canvas)).toBe(true)
    await keyboard.press('ArrowRight')
    const add = async (kind: string) => {
      await keyboard.press('Tab')
      await pick(page, kind)
      await page.getByRole('status').getByText(`Selected: ${kind}`).waitFor()
      await expect.poll(() => isFocused(canvas)).toBe(true)
    }
    const side = settings(page)
    const openSettings = async (field: Locator) => {
      await keyboard.press('Enter')
      await expect.poll(() => isFocused(field)).toBe(true)
    }
    await add('Add a note')
    await openSettings(side.getByLabel('Text', { exact: true }))
    await keyboard.type('Called twice')
    await keyboard.press('Escape')
    await expect.poll(() => isFocused(canvas)).toBe(true)
    await add('Goal')
    await openSettings(side.getByLabel('Name', { exact: true }))
    await keyboard.type('reached')
    await waitUntilSaved(page)
    const { nodes, edges } = (await readJourney(owner, id)).definition
    expect(nodes.slice(1).map(({ data }) => data.text ?? data.name)).toEqual(['Called twice', 'reached'])
    expect(edges).toHaveLength(2)

    // In the steps, a key opens the settings too; Escape returns to the step.
    await page.getByRole('button', { name: 'Steps', exact: true }).click()
    const step = page.locator(`[data-step="${nodes[1]!.id}"]`)
    await step.focus()
    await openSettings(side.getByLabel('Text', { exact: true }))
    await keyboard.press('Escape')
    await expect.poll(() => isFocused(step)).toBe(true)
    // The palette leads to the canvas and back to the steps, where the selected step has the focus.
    await keyboard.press('ControlOrMeta+k')
    await pick(page, 'Canvas')
    await expect.poll(() => isFocused(canvas)).toBe(true)
    await keyboard.press('ControlOrMeta+k')
    await pick(page, 'Steps')
    await expect.poll(() => isFocused(step)).toBe(true)
    // A panel that the palette opens has the focus, after the palette has returned it.
    await keyboard.press('ControlOrMeta+k')
    await pick(page, 'Versions')
    await expect.poll(() => isFocused(page.getByRole('heading', { name: 'Versions' }))).toBe(true)
  })

  test('an empty chatbot begins with a start, and nodes are pasted into it', async () => {
    const { owner } = await openOffice(service)
    const { page } = await openTab()
    await signIn(page, service, owner, '/chatbots/new?template=empty')
    await page.getByLabel('Name', { exact: true }).fill('Helper')
    await page.keyboard.press('Enter')
    const canvas = page.getByRole('application')
    await canvas.getByText('Start', { exact: true }).waitFor()
    const nodes = [{ id: 'a', type: 'handoff', data: {}, position: { x: 500, y: 500 } }]
    const text = JSON.stringify({ type: 'parley/workflow-nodes@1', nodes, edges: [] })
    await canvas.focus()
    await page.evaluate(clip => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', clip)
      document.activeElement!.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    }, text)
    await canvas.getByText('Hand over to agents').waitFor()
    const id = page.url().split('/').pop()!
    const readTypes = async () =>
      (await owner.api.get(`/chatbots/${id}`)).body.draft.nodes.map(({ type }: { type: string }) => type)
    await expect.poll(readTypes).toEqual(['start', 'handoff'])
  })

  test('each problem is shown at its node and field, and a valid draft is published and activated', async () => {
    const office = await openOffice(service)
    const { owner } = office
    const tag = (await owner.api.post('/tags', { name: 'vip' })).body.id
    const id = await createJourney(owner, {
      nodes: [
        ...startOnly.nodes,
        {
          id: 'b',
          type: 'branch',
          data: { cases: [{ id: 'big', expression: '1 +' }] },
          position: { x: 320, y: 0 },
        },
        { id: 't', type: 'addTag', data: { tagId: 'tag_gone' }, position: { x: 640, y: 0 } },
        {
          id: 'm',
          type: 'sendMessage',
          data: { content: { type: 'text', text: { body: 'Hi {{contact.nme}}' } } },
          position: { x: 960, y: 0 },
        },
      ],
      edges: [
        { id: '1', source: 'start', target: 'b', sourceHandle: 'next' },
        { id: '2', source: 'b', target: 't', sourceHandle: 'big' },
        { id: '3', source: 't', target: 'm', sourceHandle: 'next' },
      ],
    })
    const page = await openBuilder(service, owner, `/journeys/${id}`, { expected: /400.*\/simulate$/ })
    const bar = page.getByRole('region', { name: 'Problems' })
    const { violations } = (await owner.api.post(`/journeys/${id}/validate`)).body
    await bar.getByRole('button', { name: `${violations.length} problems` }).click()
    await expectAccessible(page, 'problems')
    await bar.getByRole('button', { name: /^Branch Cases 1 › Expression:/ }).click()
    const focused = () => page.evaluate(() => (document.activeElement as HTMLTextAreaElement).value)
    await expect.poll(focused).toBe('1 +')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('contact.name == "Ada"')
    await bar.getByText('2 problems', { exact: true }).waitFor()
    await bar.getByRole('button', { name: /^Send a message Message › Text:/ }).click()
    await expect.poll(focused).toBe('Hi {{contact.nme}}')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')))
      .toBe('true')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Hi')
    await bar.getByText('1 problem', { exact: true }).waitFor()
    // A refused simulation leads to the same field.
    await page.keyboard.press('Control+Enter')
    const simulate = page.getByRole('complementary', { name: 'Simulate' })
    await simulate.getByRole('button', { name: 'Start', exact: true }).click()
    await simulate.getByRole('button', { name: /^Add a tag Tag:/ }).click()
    const side = settings(page)
    await expect
      .poll(() => side.getByLabel('Tag', { exact: true }).evaluate(item => item === document.activeElement))
      .toBe(true)
    await side.getByLabel('Tag', { exact: true }).selectOption(tag)
    await bar.getByText('1 warning').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish this draft?' })
    await dialog.getByText('This is the first version.').waitFor()
    await dialog.getByLabel('What has changed').fill('Tags VIPs')
    await dialog.getByLabel('Activate it as well').check()
    await expectAccessible(page, 'publish')
    await screenshot(page, 'builder-publish')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published').waitFor()
    await page.getByRole('region', { name: 'Builder' }).getByText('Active', { exact: true }).waitFor()
    const { body } = await owner.api.get(`/journeys/${id}`)
    expect(body).toMatchObject({ status: 'active' })
    const { journeyVersions } = (await owner.api.get(`/journeys/${id}/versions`)).body
    expect(journeyVersions[0]).toMatchObject({ note: 'Tags VIPs', definition: body.definition })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByRole('region', { name: 'Builder' }).getByText('Paused', { exact: true }).waitFor()
  })
  test('a chatbot: its HTTP request is set up, it is simulated from a node, and published', async () => {
    const { owner } = await openOffice(service)
    const { api } = owner
    expect((await api.put('/secrets/shop_token', { value: 'top-secret' })).status).toBe(200)
    const text = { type: 'text', text: { body: 'We have your order' } }
    const draft = {
      nodes: [
        { id: 'start', type: 'start', data: { triggerConfig: { type: 'message_received', conditions: {} } } },
        {
          id: 'call',
          type: 'http',
          data: {
            method: 'POST',
            url: '',
            headers: { 'x-both': '{{secrets.shop_token}}, {{contact.name}}' },
          },
        },
        { id: 'thanks', type: 'sendMessage', data: { content: text } },
      ],
      edges: [
        { id: '1', source: 'start', target: 'call', sourceHandle: 'next' },
        { id: '2', source: 'call', target: 'thanks', sourceHandle: 'ok' },
      ],
    }
    const created = await api.post('/chatbots', { name: 'Orders', draft })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const at = `/chatbots/${created.body.id}`
    const page = await openBuilder(service, owner, at)
    await page
      .getByRole('region', { name: 'Problems' })
      .getByRole('button', { name: /problem/ })
      .click()
    await page.getByRole('button', { name: /^Send an HTTP request Address:/ }).click()
    const side = settings(page)
    const field = (name: string) => side.getByLabel(name, { exact: true })
    await expect.poll(() => field('Address').evaluate(item => item === document.activeElement)).toBe(true)
    await field('Address').fill('https://example.com/orders')
    await side.getByRole('button', { name: 'Add a header' }).click()
    await field('Name').nth(1).fill('Authorization')
    await field('Kind of value').nth(1).selectOption('secret')
    await field('Before the secret').fill('Bearer ')
    await side.getByRole('button', { name: 'New secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'New secret' })
    await dialog.getByLabel('Name').fill('crm_key')
    await dialog.getByLabel('Value').fill('key-of-the-crm')
    await dialog.getByRole('button', { name: 'Save the secret' }).click()
    await expect.poll(() => field('Secret').inputValue()).toBe('crm_key')
    await field('Secret').selectOption('shop_token')
    await field('Kind of body').selectOption('json')
    await field('Body').fill('{"email": "{{contact.email}}"}')
    await field('Timeout in seconds').fill('5')
    await field('Store in variable').fill('order')
    await expectAccessible(page, 'HTTP request')
    await screenshot(page, 'builder-http')
    await waitUntilSaved(page)
    const { nodes } = (await api.get(at)).body.draft as typeof draft
    expect(nodes[1]!.data).toEqual({
      method: 'POST',
      url: 'https://example.com/orders',
      headers: {
        'x-both': '{{secrets.shop_token}}, {{contact.name}}',
        Authorization: 'Bearer {{secrets.shop_token}}',
      },
      body: { email: '{{contact.email}}' },
      timeoutSeconds: 5,
      saveAs: 'order',
    })
    expect((await api.get('/secrets')).body.secrets).toHaveLength(2)

    await node(page, 'sendMessage').click()
    const request = page.waitForRequest(/\/simulate$/)
    await side.getByRole('button', { name: 'Simulate from here' }).click()
    expect((await request).postDataJSON()).toMatchObject({ startNodeId: 'thanks' })
    await page.getByRole('log', { name: 'Transcript' }).getByText('We have your order').waitFor()
    await node(page, 'http').click()
    await page.getByRole('button', { name: 'Start here' }).click()
    await page.getByRole('form', { name: /^HTTP response to POST https:/ }).waitFor()
    await screenshot(page, 'builder-start-here')

    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const publish = page.getByRole('dialog', { name: 'Publish this draft?' })
    await publish.getByText('This is the first version.').waitFor()
    await publish.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    expect((await api.get(at)).body.publishedVersionId).not.toBeNull()
  })
})
