/** Opens, pans and drags a workflow of the largest size, within the budgets of time. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import { hasBrowser } from '../support/browser.ts'
import { chainOf, createJourney, openBuilder, startOnly } from '../support/builder.ts'
import { openOffice } from '../support/people.ts'

/** Returns the milliseconds that the page has spent in scripts. */
async function openMetrics(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1_000 * metrics.find(({ name }) => name === 'ScriptDuration')!.value
  }
}

describe.skipIf(!hasBrowser)('builder with 500 nodes', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('opens within two seconds, draws what is visible only, and pans and drags within the budget of a frame', async () => {
    const { owner } = await openOffice(service)
    const id = await createJourney(owner, chainOf(499))
    const small = await createJourney(owner, startOnly)
    // The first visit loads the files, which are cached afterwards.
    const page = await openBuilder(service, owner, `/journeys/${small}`)
    await page.locator('[data-node="start"]').waitFor()
    const startedAt = performance.now()
    await page.goto(`${service.url}/journeys/${id}`)
    await page.locator('[data-node="note-0"]').waitFor()
    const openMs = performance.now() - startedAt
    expect(openMs).toBeLessThanOrEqual(within(2_000))

    const cards = page.locator('[data-node]')
    await page.locator('[data-node="note-0"]').click()
    await page.getByRole('application').focus()
    await page.keyboard.press('Shift+2')
    await expect.poll(() => cards.count()).toBeLessThan(60)
    const getScriptMs = await openMetrics(page)
    /** Moves the pointer in 60 steps, one in each frame; returns the script time for each. */
    const measure = async (from: { x: number; y: number }, by: number) => {
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      const before = await getScriptMs()
      for (let i = 1; i <= 60; i++) {
        await page.mouse.move(from.x + i * by, from.y + i * by)
        await page.evaluate(() => new Promise(requestAnimationFrame))
      }
      const spent = (await getScriptMs()) - before
      await page.mouse.up()
      return spent / 60
    }
    const canvas = (await page.getByRole('application').boundingBox())!
    const empty = { x: canvas.x + 60, y: canvas.y + 60 }
    const pans = [await measure(empty, 4), await measure(empty, -4), await measure(empty, 4)]
    expect(Math.min(...pans), `pan, ms for each frame: ${pans}`).toBeLessThanOrEqual(within(12))
    await page.keyboard.press('Shift+2')
    await page.locator('[data-node="note-0"]').waitFor()
    const dragOnce = async (by: number) => {
      const box = (await page.locator('[data-node="note-0"]').boundingBox())!
      return measure({ x: box.x + 80, y: box.y + 20 }, by)
    }
    const drags = [await dragOnce(2), await dragOnce(-2), await dragOnce(2)]
    expect(Math.min(...drags), `drag, ms for each frame: ${drags}`).toBeLessThanOrEqual(within(12))
  })
})
