/** Tests the list of conversations while events reorder it: clicks, long tasks and memory. */
import type { Page, WebSocketRoute } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { insertConversations } from '../support/many-conversations.ts'
import { measureMemory } from '../support/memory.ts'
import { openOffice, signIn } from '../support/people.ts'

/** Sends events to the page as the service would, so that their rate does not depend on the machine. */
async function controlEvents(page: Page): Promise<(conversation: object) => void> {
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket(/\/v1\/realtime/, socket => {
    sockets.push(socket)
    socket.connectToServer()
  })
  return conversation =>
    sockets.at(-1)?.send(JSON.stringify({ type: 'conversation.updated', data: { conversation } }))
}

/** Records tasks of the page that are longer than 50 ms; returns the longest since the last call, 0 if there is none. */
async function recordLongTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const longTasks: number[] = []
    new PerformanceObserver(list => {
      longTasks.push(...list.getEntries().map(({ duration }) => duration))
    }).observe({ type: 'longtask' })
    Object.assign(window, { longTasks })
  })
  return () =>
    page.evaluate(() => Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks.splice(0)))
}

const getIds = (page: Page) =>
  page
    .locator('[data-conversation]')
    .evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset.conversation))

/** Parts that are loaded after the first screen are not what events leave in memory. */
async function waitUntilLoaded(page: Page): Promise<void> {
  const count = () => page.evaluate(() => performance.getEntriesByType('resource').length)
  for (let before = -1, now = await count(); before !== now; ) {
    await new Promise(resolve => setTimeout(resolve, 2_000))
    before = now
    now = await count()
  }
}

describe.skipIf(!hasBrowser)('long list', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('a click while 50 events per second reorder the list opens what was pressed', async () => {
    const office = await openOffice(service)
    await insertConversations(service, office, 40)
    const { conversations } = (await office.owner.api.get('/conversations?pageSize=40')).body
    const { page } = await openTab()
    const send = await controlEvents(page)
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /message 40/ }).waitFor()
    await page.evaluate(() => {
      addEventListener(
        'pointerdown',
        ({ target }) => {
          const row = (target as Element).closest<HTMLElement>('[data-conversation]')
          Object.assign(window, { pressed: row?.dataset.conversation })
        },
        true,
      )
    })
    let sent = 0
    const sendNext = () => {
      const { unreadCount: _, ...conversation } = conversations[(sent * 7) % conversations.length]
      const lastMessageAt = new Date(Date.parse('2026-06-01') + sent++ * 1_000).toISOString()
      send({ ...conversation, lastMessageAt, lastMessagePreview: `event ${sent}` })
    }
    const timer = setInterval(sendNext, 20)
    try {
      for (let click = 0; click < 6; click++) {
        const before = await getIds(page)
        // The list moves until the pointer comes.
        await expect.poll(() => getIds(page)).not.toEqual(before)
        await page.mouse.move(200 + click, 160 + ((click * 137) % 600), { steps: 3 })
        await page.mouse.down()
        // Events arrive while the button is pressed, for longer than a still pointer holds the list.
        const sentBefore = sent
        if (click % 4 === 0) await expect.poll(() => sent).toBeGreaterThan(sentBefore + 60)
        await page.mouse.up()
        const pressed = await page.evaluate(() => (window as unknown as { pressed: string }).pressed)
        await expect.poll(() => new URL(page.url()).pathname).toBe(`/inbox/${pressed}`)
        await page.mouse.move(900, 20)
      }
    } finally {
      clearInterval(timer)
    }
  })

  const seconds = process.env.FULL === '1' ? 60 : 10

  test(`50 events per second for ${seconds} s cause no long task and leave nothing in memory`, async () => {
    const office = await openOffice(service)
    await insertConversations(service, office, 1_000)
    const { conversations } = (await office.owner.api.get('/conversations?pageSize=100')).body
    const { page } = await openTab()
    const send = await controlEvents(page)
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /message 1000/ }).click()
    await page.getByRole('log').waitFor()
    await waitUntilLoaded(page)
    const before = await measureMemory(page)
    const getMaxTask = await recordLongTasks(page)
    let sent = 0
    const maxima: number[] = []
    const timer = setInterval(() => {
      const { unreadCount: _, ...conversation } = conversations[(sent * 7) % conversations.length]
      const lastMessageAt = new Date(Date.parse('2026-06-01') + sent++ * 1_000).toISOString()
      send({ ...conversation, lastMessageAt, lastMessagePreview: `event ${sent}` })
    }, 20)
    try {
      while (sent < 50 * seconds) {
        const target = sent + 50
        await expect.poll(() => sent).toBeGreaterThan(target)
        maxima.push(await getMaxTask())
      }
    } finally {
      clearInterval(timer)
    }
    await page.getByText(`event ${sent}`).first().waitFor()
    // Another process may interrupt one second.
    const [, second = 0] = maxima.toSorted((a, b) => b - a)
    expect(second, `maximum of each second: ${maxima}`).toBeLessThanOrEqual(within(50))
    // 500 frames that are kept are 9 %.
    const after = await measureMemory(page)
    expect(after.bytes / before.bytes, JSON.stringify({ before, after })).toBeLessThanOrEqual(1.05)
    expect(after.nodes / before.nodes, JSON.stringify({ before, after })).toBeLessThanOrEqual(1.05)
  })
})
