/** Builds the journey of the template "Abandoned cart" by mouse on the canvas, and by keyboard alone in the steps. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { expectAccessible, hasBrowser, screenshot } from '../support/browser.ts'
import {
  centre,
  createJourney,
  type Definition,
  dragTo,
  isFocused,
  normalize,
  openBuilder,
  pick,
  readJourney,
  startOnly,
  tabTo,
  waitUntilSaved,
} from '../support/builder.ts'
import { openOffice, type Person } from '../support/people.ts'

const node = (page: Page, kind: string) => page.locator(`[data-kind="${kind}"]`)
const settings = (page: Page) => page.getByRole('complementary', { name: 'Settings' })
const palette = (page: Page) => page.getByRole('navigation', { name: 'Nodes' })

interface Cart {
  definition: Definition
  remind: string
  again: string
}

/** Creates the journey that is to be built. */
async function createFromTemplate({ api }: Person): Promise<Cart> {
  const { status, body } = await api.post('/journeys/from-template', {
    templateId: 'abandoned_cart',
    parameters: { tag: { create: 'Abandoned cart' } },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  const { definition } = body as { definition: Definition }
  const textOf = (id: string) =>
    (definition.nodes.find(item => item.id === id)!.data.content as { text: { body: string } }).text.body
  return { definition, remind: textOf('remind'), again: textOf('again') }
}

async function drawByMouse(page: Page, { remind, again }: Cart): Promise<void> {
  const side = settings(page)
  const field = (name: string) => side.getByLabel(name, { exact: true })
  const add = (kind: string) => palette(page).getByRole('button', { name: kind, exact: true }).click()
  const waitForOrder = async (amount: string, unit: string) => {
    await field('Name of the output').fill('ordered')
    await field('Event').fill('order_placed')
    const match = side.getByRole('group', { name: 'Properties that must be equal' })
    await match.getByRole('button', { name: 'Add' }).click()
    await match.getByLabel('Name').fill('cartId')
    await match.getByLabel('Value').fill('{{event.data.cartId}}')
    await field('Amount').fill(amount)
    await field('Unit').selectOption(unit)
  }
  /** Connects an output with a node by dragging. */
  const connect = async (from: Locator, output: string, to: Locator) => {
    await page.getByRole('button', { name: 'Show all' }).click()
    const start = await centre(from.locator(`[data-handleid="${output}"]`))
    await dragTo(page, start, await centre(to.locator('[data-handleid="in"]')))
  }

  await node(page, 'start').click()
  await field('Trigger').last().selectOption('event')
  await field('Name').fill('cart_updated')
  await field('Key').fill('cartId')
  await field('A new event starts again').check()
  await field('A contact enters').selectOption('once_active')
  await add('Wait for an event')
  await waitForOrder('1', 'hours')
  await add('Goal')
  await field('Name').fill('ordered')
  await node(page, 'waitFor').click()
  await add('Send a message')
  await field('Text').fill(remind)
  await add('Wait for an event')
  await waitForOrder('1', 'days')
  const second = node(page, 'waitFor').nth(1)
  await connect(second, 'ordered', node(page, 'goal'))
  await second.click()
  await add('Send a message')
  await field('Text').fill(again)
  // The last node is dragged from the palette to a free place.
  await page.getByRole('button', { name: 'Tidy' }).click()
  await page.getByRole('button', { name: 'Show all' }).click()
  const canvas = (await page.getByRole('application').boundingBox())!
  const kind = palette(page).getByRole('button', { name: 'Add a tag', exact: true })
  await kind.dragTo(page.getByRole('application'), {
    targetPosition: { x: canvas.width / 2, y: 60 },
  })
  await node(page, 'addTag').waitFor()
  await field('Tag').selectOption('Abandoned cart')
  await connect(node(page, 'sendMessage').nth(1), 'next', node(page, 'addTag'))
}

/** Only keys are pressed: controls are reached by Tab and F6. */
async function writeByKeyboard(page: Page, { remind, again }: Cart): Promise<void> {
  const { keyboard } = page
  const side = settings(page)
  const field = (name: string) => side.getByLabel(name, { exact: true })
  const type = async (name: string, text: string) => {
    await tabTo(field(name))
    await keyboard.press('ControlOrMeta+A')
    await keyboard.type(text)
  }
  /** Types the beginning of the option. */
  const choose = async (target: Locator, option: string) => {
    await tabTo(target)
    await keyboard.type(option)
  }
  const focusedStep = () => page.evaluate(() => document.activeElement?.getAttribute('data-step'))
  const add = async (place: string, kind: string) => {
    await tabTo(page.getByRole('button', { name: `Add a step: ${place}` }))
    await keyboard.press('Enter')
    await pick(page, kind)
    await expect.poll(focusedStep).toBeTruthy()
  }
  const openSettings = async () => {
    await keyboard.press('Enter')
    await expect.poll(() => side.evaluate(item => item.contains(document.activeElement))).toBe(true)
  }
  const closeSettings = async () => {
    await keyboard.press('Escape')
    await expect.poll(focusedStep).toBeTruthy()
  }
  const waitForOrder = async (amount: string, unit: string) => {
    await openSettings()
    await type('Name of the output', 'ordered')
    await type('Event', 'order_placed')
    const match = side.getByRole('group', { name: 'Properties that must be equal' })
    await tabTo(match.getByRole('button', { name: 'Add' }))
    await keyboard.press('Enter')
    await tabTo(match.getByLabel('Name'), 'Shift+Tab')
    await keyboard.type('cartId')
    await keyboard.press('Tab')
    await keyboard.type('{{event.data.cartId}}')
    await type('Amount', amount)
    await choose(field('Unit'), unit)
    await closeSettings()
  }

  const start = page.getByRole('button', { name: /^Start/ }).first()
  await tabTo(start)
  await openSettings()
  await choose(field('Trigger').last(), 'A custom event')
  await type('Name', 'cart_updated')
  await type('Key', 'cartId')
  await tabTo(field('A new event starts again'))
  await keyboard.press('Space')
  await choose(field('A contact enters'), 'Once at')
  await closeSettings()
  await add('Start, next', 'Wait for an event')
  await waitForOrder('1', 'hours')
  await add('Wait for an event, ordered', 'Goal')
  await openSettings()
  await type('Name', 'ordered')
  await closeSettings()
  await add('Wait for an event, timeout', 'Send a message')
  await openSettings()
  await type('Text', remind)
  await closeSettings()
  await add('Send a message, next', 'Wait for an event')
  await waitForOrder('1', 'days')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Connect “ordered” to…' }).press('Enter')
  await pick(page, 'Goal ordered')
  await page.getByRole('button', { name: 'Continues at Goal ordered' }).waitFor()
  await add('Wait for an event, timeout', 'Send a message')
  await openSettings()
  await type('Text', again)
  await closeSettings()
  await add('Send a message, next', 'Add a tag')
  await openSettings()
  await choose(field('Tag'), 'Abandoned')
  await closeSettings()
}

describe.skipIf(!hasBrowser)('builder, abandoned cart', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('B1: the journey is drawn by mouse, and written by keyboard alone: both are that of the template', async () => {
    const { owner } = await openOffice(service)
    const cart = await createFromTemplate(owner)
    const drawn = await createJourney(owner, startOnly, 'Drawn')
    const viewport = { width: 1600, height: 1000 }
    const page = await openBuilder(service, owner, `/journeys/${drawn}`, { viewport })
    await node(page, 'start').waitFor()
    await drawByMouse(page, cart)
    await waitUntilSaved(page)
    await expectAccessible(page, 'canvas')
    await screenshot(page, 'builder')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, 'canvas, dark')
    await screenshot(page, 'builder-dark')
    await page.emulateMedia({ colorScheme: 'light' })

    const written = await createJourney(owner, startOnly, 'Written')
    await page.goto(`${service.url}/journeys/${written}?view=steps`)
    await page.getByRole('region', { name: 'Steps of the workflow' }).waitFor()
    await writeByKeyboard(page, cart)
    await waitUntilSaved(page)
    await expectAccessible(page, 'steps')
    await screenshot(page, 'builder-steps')
    const [first, second] = await Promise.all([readJourney(owner, drawn), readJourney(owner, written)])
    expect(normalize(first.definition)).toEqual(normalize(cart.definition))
    expect(normalize(second.definition)).toEqual(normalize(first.definition))
    await page
      .getByRole('region', { name: 'Problems' })
      .getByText(/warning|No problems/)
      .waitFor()
  })

  test('the canvas is left in both directions by a few keys, and F6 goes through the areas', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, startOnly)
    const page = await openBuilder(service, owner, `/journeys/${id}`)
    await node(page, 'start').waitFor()
    const { keyboard } = page
    const canvas = page.getByRole('application')
    const expectFocus = (target: Locator) => expect.poll(() => isFocused(target)).toBe(true)
    const search = palette(page).getByRole('searchbox')
    const kind = (name: string) => palette(page).getByRole('button', { name, exact: true })
    const more = page.getByRole('button', { name: 'More actions' })
    await expectFocus(canvas)
    await keyboard.press('Shift+Tab')
    await expectFocus(kind('Send a message'))
    await keyboard.press('Shift+Tab')
    await expectFocus(search)
    await keyboard.press('Shift+Tab')
    await expectFocus(more)

    // The kinds are one stop, which is where the focus was last.
    await keyboard.press('Tab')
    await keyboard.press('ArrowDown')
    await expectFocus(kind('Send a message'))
    await keyboard.press('ArrowDown')
    await expectFocus(kind('Ask a question'))
    await keyboard.press('ArrowUp')
    await keyboard.press('ArrowUp')
    await keyboard.press('Home')
    await keyboard.press('ArrowDown')
    await keyboard.press('Tab')
    await expectFocus(canvas)
    await keyboard.press('Shift+Tab')
    await expectFocus(kind('Ask a question'))
    await keyboard.press('Shift+Tab')
    await keyboard.type('goal')
    await keyboard.press('Tab')
    await expectFocus(kind('Goal'))
    await keyboard.press('Enter')
    await node(page, 'goal').waitFor()
    await expectFocus(canvas)

    // The tools are one stop behind the canvas.
    await keyboard.press('Escape')
    const tool = (name: string) => page.getByRole('toolbar', { name: 'Canvas' }).getByRole('button', { name })
    await tabTo(tool('Tidy'))
    await keyboard.press('ArrowRight')
    await expectFocus(tool('Find a node'))
    await keyboard.press('End')
    await expectFocus(tool('Zoom in'))
    await keyboard.press('Tab')
    expect(await tool('Zoom in').evaluate(item => item.parentElement!.contains(document.activeElement))).toBe(
      false,
    )

    await node(page, 'goal').click()
    await canvas.focus()
    const name = settings(page).getByLabel('Name', { exact: true })
    const problems = page.getByRole('region', { name: 'Problems' }).getByRole('button').first()
    const back = page.getByRole('link', { name: 'Journeys' }).last()
    const areas = [
      tool('Zoom in'),
      settings(page).getByRole('button').first(),
      problems,
      back,
      search,
      canvas,
    ]
    await name.waitFor()
    for (const area of areas) {
      await keyboard.press('F6')
      const region = area === areas[1] ? settings(page) : area
      await expect
        .poll(() => region.evaluate(item => item.contains(document.activeElement)), { message: `${area}` })
        .toBe(true)
    }
    await keyboard.press('Shift+F6')
    await expectFocus(search)
    // The key works in fields as well, and not behind a dialog.
    await keyboard.press('Shift+F6')
    await expectFocus(back)
    await keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').waitFor()
    await keyboard.press('F6')
    expect(await page.getByRole('dialog').evaluate(item => item.contains(document.activeElement))).toBe(true)
    await keyboard.press('Escape')
    await page.getByRole('button', { name: 'Steps', exact: true }).click()
    await keyboard.press('F6')
    await expectFocus(page.locator('[data-step][aria-pressed="true"]'))
  })
})
