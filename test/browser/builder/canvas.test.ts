/** Tests the tools and the keys of the canvas: arranging, zooming, finding, boxes of nodes, and the overview. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, screenshot } from '../support/browser.ts'
import { chainOf, createJourney, openBuilder, pick, readJourney, waitUntilSaved } from '../support/builder.ts'
import { openOffice } from '../support/people.ts'

const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`)

/** Returns the scale of the drawing and where it begins. */
const readView = (page: Page) =>
  page.locator('.react-flow__viewport').evaluate(item => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(item).transform)
    return { zoom: a, x: e, y: f }
  })
const readZoom = async (page: Page) => (await readView(page)).zoom
const selected = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor()

describe.skipIf(!hasBrowser)('canvas', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('nodes are arranged, found, boxed and moved; the view zooms and follows the overview', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, chainOf(6))
    const page = await openBuilder(service, owner, `/journeys/${id}`)
    await node(page, 'note-0').waitFor()
    const { keyboard, mouse } = page
    const canvas = page.getByRole('application')
    await canvas.focus()

    const zoom = await readZoom(page)
    await keyboard.press('+')
    await expect.poll(() => readZoom(page)).toBeGreaterThan(zoom)
    await keyboard.press('-')
    await keyboard.press('-')
    await expect.poll(() => readZoom(page)).toBeLessThan(zoom)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await canvas.focus()
    await keyboard.press('ControlOrMeta+f')
    await pick(page, 'Add a note Note 4')
    await selected(page, 'Selected: Add a note')
    await keyboard.press('Shift+2')
    await expect.poll(() => readZoom(page)).toBe(1)
    await keyboard.press('Shift+1')
    await expect.poll(() => readZoom(page)).toBeLessThan(1)
    expect(await page.locator('[data-node]').count()).toBe(7)

    // Arrows follow the edges, with Alt they move the node.
    await keyboard.press('ArrowLeft')
    await keyboard.press('Alt+ArrowDown')
    await waitUntilSaved(page)
    const positionOf = async (name: string) =>
      (await readJourney(owner, id)).definition.nodes.find(item => item.id === name)!.position!
    const before = chainOf(6).nodes.find(item => item.id === 'note-3')!.position!
    await expect.poll(async () => (await positionOf('note-3')).y).toBeGreaterThan(before.y)

    // A box of nodes, and one more by Shift.
    await keyboard.press('Shift+1')
    await node(page, 'note-0').waitFor()
    const [first, second] = [
      await node(page, 'note-0').boundingBox(),
      await node(page, 'note-1').boundingBox(),
    ]
    await keyboard.down('Shift')
    await mouse.move(first!.x - 12, first!.y - 12)
    await mouse.down()
    await mouse.move(second!.x + second!.width / 2, second!.y + second!.height + 12, { steps: 8 })
    await mouse.up()
    await keyboard.up('Shift')
    await selected(page, '2 nodes selected')
    await node(page, 'note-2').click({ modifiers: ['Shift'] })
    await selected(page, '3 nodes selected')
    await screenshot(page, 'builder-selection')
    await canvas.focus()
    await keyboard.press('Escape')

    const disorder = (await readJourney(owner, id)).definition
    await page.getByRole('button', { name: 'Tidy' }).click()
    const readX = async () =>
      (await readJourney(owner, id)).definition.nodes.map(({ position }) => position!.x)
    const isOrdered = async () => (await readX()).every((x, i, all) => i === 0 || x > all[i - 1]!)
    await expect.poll(async () => (await readJourney(owner, id)).definition).not.toEqual(disorder)
    expect(await isOrdered()).toBe(true)
    await canvas.focus()
    await keyboard.press('ControlOrMeta+z')
    await expect.poll(async () => (await readJourney(owner, id)).definition).toEqual(disorder)

    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    const map = (await page.getByRole('img', { name: 'Overview' }).boundingBox())!
    const start = await readView(page)
    await mouse.move(map.x + map.width / 2, map.y + map.height / 2)
    await mouse.down()
    await mouse.move(map.x + map.width / 2 + 40, map.y + map.height / 2, { steps: 5 })
    await mouse.up()
    await expect.poll(async () => (await readView(page)).x).not.toBe(start.x)

    // A tablet has no room for the palette.
    const add = page.getByRole('button', { name: 'Add a node', exact: true })
    expect(await add.isVisible()).toBe(false)
    await page.setViewportSize({ width: 900, height: 700 })
    await canvas.focus()
    await keyboard.press('Escape')
    await add.click()
    await pick(page, 'Goal')
    await page.locator('[data-kind="goal"]').waitFor()
    await add.click()
    await page.getByRole('dialog', { name: 'Add after Goal (next)' }).waitFor()
    await screenshot(page, 'builder-tablet')

    // The longest texts of the tools have room beside the settings.
    await page.evaluate(() => localStorage.setItem('parley.language', 'de'))
    await page.setViewportSize({ width: 768, height: 850 })
    await page.reload()
    await page.getByRole('button', { name: 'Knoten hinzufügen', exact: true }).waitFor()
    const [tools, overview, area] = await Promise.all(
      [
        page.getByRole('toolbar', { name: 'Zeichenfläche' }),
        page.locator('.react-flow__minimap'),
        page.getByRole('application'),
      ].map(async part => (await part.boundingBox())!),
    )
    expect(tools!.x + tools!.width).toBeLessThanOrEqual(area!.x + area!.width)
    expect(overview!.y + overview!.height).toBeLessThanOrEqual(tools!.y)
  })
})
