/** Tests that the inbox follows what happens elsewhere: no event is missed or counted twice. */
import type { Page, WebSocketRoute } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

/** Controls the realtime connections of the page: they are held back, cut or let through. */
async function controlSocket(page: Page) {
  let isUp = true
  let release = () => {}
  let released: Promise<void> | undefined
  const sockets = new Set<WebSocketRoute>()
  await page.routeWebSocket(/\/v1\/realtime/, async socket => {
    await released
    if (!isUp) return socket.close({ code: 1012 })
    sockets.add(socket)
    socket.connectToServer()
  })
  return {
    hold: () => {
      released = new Promise(resolve => {
        release = resolve
      })
    },
    release: () => release(),
    cut: async () => {
      isUp = false
      await Promise.all([...sockets].map(socket => socket.close({ code: 1012 })))
    },
    restore: () => {
      isUp = true
    },
  }
}

describe.skipIf(!hasBrowser)('live inbox', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('messages between the first response and the connection appear, and are counted once', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550110', 'before the list', 'Bo Early')
    const { page } = await openTab()
    const socket = await controlSocket(page)
    socket.hold()
    const requests: string[] = []
    page.on('request', request => requests.push(new URL(request.url()).pathname))
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /before the list/ }).waitFor()
    expect(requests.filter(path => path === '/v1/console/bootstrap')).toHaveLength(1)
    expect(requests.filter(path => /^\/v1\/(users|teams|inboxes|workspace|tags)/.test(path))).toEqual([])
    await office.receive('+14155550111', 'after the list', 'Cy Later')
    await office.receive('+14155550110', 'a second one', 'Bo Early')
    const unread = async () => (await office.owner.api.get('/users/me/unread-summary')).body.count
    await expect.poll(unread).toBe(3)
    socket.release()
    await page.getByRole('link', { name: /Cy Later.*after the list.*1 unread message/s }).waitFor()
    await page.getByRole('link', { name: /Bo Early.*a second one.*2 unread messages/s }).waitFor()
    await page.getByRole('link', { name: 'Inbox, 3 unread messages' }).waitFor()
  })

  const isFull = process.env.FULL === '1'
  const [missed, minSeconds] = isFull ? [200, 60] : [20, 0]

  test(`after ${missed} events without a connection the list, the thread and the counts equal those of a fresh start`, async () => {
    const office = await openOffice(service)
    const customers = Array.from({ length: 5 }, (_, n) => `+1415555${7100 + n}`)
    for (const from of customers) await office.receive(from, `hello from ${from}`)
    const { page } = await openTab()
    const socket = await controlSocket(page)
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /hello from \+14155557100/ }).click()
    await page.getByRole('log').getByText('hello from').waitFor()
    await socket.cut()
    await page.getByText('Reconnecting…').waitFor()
    const cutAt = Date.now()
    for (let n = 0; n < missed; n++) await office.receive(customers[n % 5]!, `missed ${n}`)
    const total = async () => (await office.owner.api.get('/users/me/unread-summary')).body.count
    await expect.poll(total).toBe(missed + 4)
    await expect.poll(() => Date.now() - cutAt, { timeout: 90_000 }).toBeGreaterThan(minSeconds * 1_000)
    socket.restore()
    const [latest, latestHere] = [`missed ${missed - 1}`, `missed ${missed - 5}`]
    await page.getByRole('log').getByText(latestHere).waitFor()
    // The waiting time may pass a minute between two comparisons.
    const rows = async () => {
      const texts = await page.locator('[data-conversation]').allInnerTexts()
      return texts.map(text => text.replace(/\s+/g, ' ').replace(/waiting (< 1|\d+) min/, 'waiting'))
    }
    const findRow = async (text: string) => (await rows()).find(row => row.includes(text))
    await expect.poll(() => findRow(latest)).toBeDefined()
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
    const unread = (missed * 4) / 5 + 4
    await expect.poll(total).toBe(unread)
    const unreadLabel = () => page.getByRole('link', { name: /^Inbox/ }).getAttribute('aria-label')
    await expect.poll(unreadLabel).toBe(`Inbox, ${unread} unread messages`)
    // The row of the open conversation follows the frame that says it was read.
    await expect.poll(() => findRow(latestHere)).toContain(`${latestHere} Unassigned`)
    const before = await rows()
    await page.reload()
    await expect.poll(rows).toEqual(before)
  })

  test('a conversation that is assigned to a colleague leaves “Mine” in another browser', async () => {
    const office = await openOffice(service)
    const colleague = await office.hire('Dee Park', 'admin')
    await office.receive('+14155550112', 'which agent?')
    const tabs = [await openTab(), await openTab()]
    await signIn(tabs[0]!.page, service, office.owner)
    const owner = tabs[0]!.page
    await owner.getByRole('link', { name: /which agent/ }).click()
    await owner.getByRole('log').waitFor()
    await owner.keyboard.press('m')
    await owner.keyboard.press('1')
    await owner.getByRole('link', { name: 'Mine 1' }).waitFor()
    const list = owner.getByRole('region', { name: 'Conversations' })
    await list.getByRole('link', { name: /which agent/ }).click()
    await signIn(tabs[1]!.page, service, colleague)
    const other = tabs[1]!.page
    await other.getByRole('link', { name: /which agent/ }).click()
    await other.getByRole('log').waitFor()
    await other.keyboard.press('m')
    const empty = list.getByText('No open conversation is assigned to you.')
    await empty.waitFor({ timeout: within(1_000) })
    await owner.getByRole('link', { name: 'Mine', exact: true }).waitFor()
    await owner.getByRole('link', { name: 'All 1' }).waitFor()
    await owner.getByRole('banner').or(owner.locator('header')).getByText('Dee Park').first().waitFor()
    await owner.getByRole('log').getByText('Dee Park took the conversation').waitFor()
  })

  test("a customer's message is announced once, own messages are not", async () => {
    const office = await openOffice(service)
    await office.receive('+14155550113', 'hello there', 'Una Voce')
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /hello there/ }).click()
    await page.getByRole('log').getByText('hello there').waitFor()
    await page.evaluate(() => {
      const announced: string[] = []
      Object.assign(window, { announced })
      for (const region of document.querySelectorAll('p[aria-live="polite"]'))
        new MutationObserver(() => announced.push(region.textContent ?? '')).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        })
    })
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const content = { type: 'text', text: { body: 'from a colleague' } }
    await office.owner.api.post(`/conversations/${id}/messages`, { content })
    await page.getByRole('log').getByText('from a colleague').waitFor()
    await office.receive('+14155550113', 'anyone?', 'Una Voce')
    await page
      .getByRole('log')
      .getByText('anyone?')
      .waitFor({ timeout: within(1_000) })
    const listAnnounced = () => page.evaluate(() => (window as unknown as { announced: string[] }).announced)
    await expect.poll(listAnnounced).toEqual(['Una Voce: anyone?'])
  })

  test('older messages are added above without moving what is on the screen', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550114', 'the very first')
    const find = async () => (await office.owner.api.get('/conversations')).body.conversations[0]?.id
    await expect.poll(find).toBeDefined()
    const id = await find()
    // Messages of the customer: those of agents change while they are delivered.
    const write = (n: number) =>
      office.receive('+14155550114', `line ${n}\n${'and more '.repeat(n % 9)}`.trim())
    for (let n = 0; n < 120; n += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => write(n + k)))
    const countUnread = async () => (await office.owner.api.get(`/conversations/${id}`)).body.unreadCount
    await expect.poll(countUnread).toBe(121)
    await write(120)
    await expect.poll(countUnread).toBe(122)
    const { page } = await openTab()
    await signIn(page, service, office.owner, `/inbox/${id}`)
    await page.getByRole('log').getByText('line 120').waitFor()
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const asked = page.waitForRequest(/timeline\?.*pageToken/)
    await page.route(/timeline\?.*pageToken/, async route => {
      await released
      await route.continue()
    })
    const scroller = page.getByRole('log')
    const top = () =>
      scroller.evaluate(element => {
        const box = element.getBoundingClientRect()
        const found = [...element.querySelectorAll<HTMLElement>('[data-entry]')].find(
          entry => entry.getBoundingClientRect().top > box.top + 40,
        )!
        return { id: found.dataset.entry!, y: found.getBoundingClientRect().top }
      })
    await scroller.evaluate(element => element.scrollTo(0, 300))
    await asked
    // The list measures the messages that came into view, which takes some frames.
    let before = await top()
    await expect
      .poll(async () => {
        const earlier = before
        before = await top()
        return before.id === earlier.id && before.y === earlier.y
      })
      .toBe(true)
    release()
    await expect.poll(() => scroller.evaluate(element => element.scrollTop)).toBeGreaterThan(1_000)
    const { y } = (await scroller.locator(`[data-entry="${before.id}"]`).boundingBox())!
    expect(Math.abs(y - before.y)).toBeLessThanOrEqual(1)
  })
})
