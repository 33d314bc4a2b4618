/** Tests the list of conversations under load: many rows, and events that reorder it while the user clicks. */
import type { Page, WebSocketRoute } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../harness/service.ts'
import { hasBrowser, openTab } from './browser.ts'
import { insertConversations } from './many-conversations.ts'
import { openOffice, signIn } from './people.ts'

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

const getIds = (page: Page) =>
  page
    .locator('[data-conversation]')
    .evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset.conversation))

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

  // More than a count shows; `FULL=1` inserts as many as a large workspace has.
  const rowCount = process.env.FULL === '1' ? 100_000 : 11_000

  test(`${rowCount} conversations scroll without a blank frame and with at most 60 rows in the page`, async () => {
    const office = await openOffice(service)
    await insertConversations(service, office, rowCount)
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: 'All 10000+' }).waitFor()
    const found = await page.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame)
      const row = document.querySelector('[data-conversation]')!
      let scroller = row.parentElement!
      while (
        scroller.scrollHeight <= scroller.clientHeight ||
        getComputedStyle(scroller).overflowY === 'visible'
      )
        scroller = scroller.parentElement!
      const { top, bottom, left } = scroller.getBoundingClientRect()
      const isBlank = () =>
        [top + 4, (top + bottom) / 2, bottom - 4].some(
          y => !document.elementFromPoint(left + 120, y)?.closest('[data-conversation]'),
        )
      let [blank, maxRows] = [0, 0]
      // 20,000 px/s at 60 frames per second, several pages far. The check sees what this frame paints.
      while (scroller.scrollTop < 800 * row.clientHeight) {
        scroller.scrollTop += 333
        if (isBlank()) blank++
        maxRows = Math.max(maxRows, document.querySelectorAll('[data-conversation]').length)
        await frame()
      }
      return { blank, maxRows }
    })
    expect(found.blank).toBe(0)
    expect(found.maxRows).toBeLessThanOrEqual(60)
  })
})
