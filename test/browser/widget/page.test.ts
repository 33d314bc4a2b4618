/** Tests the pages that embed the web chat: they do not feel it, control it, and get rid of it. */
import type { CDPSession, Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Parley } from '../../../widget/loader/chats.ts'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { openOffice } from '../support/people.ts'
import { addWebchat, findWidget, renderPage, startSite, type Widget } from '../support/site.ts'

declare global {
  interface Window {
    shifts: number
    longTasks: number[]
    events: unknown[]
  }
}

/** Types of the functions that run in the page. */
type Chat = Pick<
  Parley,
  'open' | 'close' | 'toggle' | 'setTheme' | 'setLocale' | 'on' | 'destroy' | 'inboxes'
>

describe.skipIf(!hasBrowser)('pages with the web chat', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const site = await startSite()
  const office = await openOffice(service)
  const webchat = await addWebchat(service, office, [site.origin], { greeting: 'Ask us about lamps.' })
  site.set('/', { body: renderPage(webchat.script) })

  const parley = <T>(page: Page, use: (chat: Chat) => T) =>
    page.evaluate(`(${use})(window.parley)`) as Promise<T>

  test('W2: layout shift, long tasks and the largest paint are those of the page without the chat', async () => {
    const content = `<h1>Lamps</h1>${'<p>For long evenings, made by hand.</p>'.repeat(40)}`
    site.set('/with', { body: renderPage(webchat.script, content) })
    site.set('/without', { body: renderPage('', content) })
    const { page } = await openTab()
    await page.addInitScript(() => {
      window.shifts = 0
      window.longTasks = []
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) window.shifts += (entry as unknown as { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
      new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) window.longTasks.push(duration)
      }).observe({ type: 'longtask', buffered: true })
    })
    const measure = async (path: string) => {
      const requests: string[] = []
      const note = (request: { url(): string }) => requests.push(new URL(request.url()).pathname)
      page.on('request', note)
      await page.goto(site.origin + path)
      if (path === '/with') await findWidget(page).button.waitFor()
      const paint = await page.evaluate(
        () =>
          new Promise<number>(resolve => {
            new PerformanceObserver(list => resolve(list.getEntries().at(-1)!.startTime)).observe({
              type: 'largest-contentful-paint',
              buffered: true,
            })
          }),
      )
      page.off('request', note)
      const found = await page.evaluate(() => ({
        shifts: window.shifts,
        long: Math.max(0, ...window.longTasks),
      }))
      return { ...found, paint, requests }
    }
    await measure('/with')
    const withChat = [await measure('/with'), await measure('/with'), await measure('/with')]
    const without = [await measure('/without'), await measure('/without'), await measure('/without')]
    const best = (runs: typeof without, name: 'long' | 'paint') => Math.min(...runs.map(run => run[name]))
    expect(withChat.map(({ shifts }) => shifts)).toEqual([0, 0, 0])
    expect(best(withChat, 'long')).toBeLessThanOrEqual(best(without, 'long') + within(50))
    expect(best(withChat, 'paint')).toBeLessThanOrEqual(best(without, 'paint') + within(100))
    // The frame is not loaded until the visitor shows interest.
    expect(new Set(withChat[0]!.requests)).toEqual(new Set(['/with', '/widget.js', '/v1/widget/config']))
    await findWidget(page).button.waitFor({ state: 'detached' })
    await page.goto(`${site.origin}/with`)
    const frame = page.waitForRequest(/\/widget\/frame/)
    await findWidget(page).button.hover()
    await frame
    expect(await page.evaluate(() => window.shifts)).toBe(0)
  })

  test('the button and the frame come when their first requests fail or get no answer', async () => {
    const { page, another } = await openTab({
      expected: /ERR_FAILED|ERR_INTERNET_DISCONNECTED|Unsafe attempt/,
    })
    const widget = findWidget(page)
    let isDown = true
    let configs = 0
    const fail = async (route: Route) => (isDown ? route.abort() : route.continue())
    await page.route(/\/v1\/widget\/config/, route => {
      configs++
      return fail(route)
    })
    await page.route(/\/widget\/frame/, fail)
    await page.goto(site.origin)
    await expect.poll(() => configs).toBe(1)
    // Calls of the page meanwhile are not lost.
    await parley(page, chat => chat.open())
    expect(await widget.button.count()).toBe(0)
    isDown = false
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await widget.field.waitFor()
    expect(await widget.button.getAttribute('aria-expanded')).toBe('true')

    // Without a change of the network; the first requests never end. The frame is away when the visitor opens it.
    const { page: slow } = await another()
    await slow.clock.install()
    const later = findWidget(slow)
    const held: Route[] = []
    await slow.route(/\/widget\/(config|frame)/, route => void held.push(route))
    await slow.goto(site.origin)
    const expectRequests = (count: number) => expect.poll(() => held.length).toBe(count)
    await expectRequests(1)
    await slow.clock.runFor(10_000)
    await expectRequests(2)
    await held[1]!.continue()
    await later.button.click()
    await expectRequests(3)
    await held[2]!.abort()
    await slow.clock.runFor(10_000)
    await expectRequests(4)
    await held[3]!.continue()
    await expectRequests(5)
    await held[4]!.continue()
    await slow.unrouteAll()
    await later.log.getByText('Ask us about lamps.').waitFor()
    // One that has loaded is not loaded again.
    const frames: string[] = []
    slow.on('request', request => request.isNavigationRequest() && frames.push(request.url()))
    await slow.clock.runFor(120_000)
    await slow.context().setOffline(true)
    await slow.context().setOffline(false)
    await slow.evaluate(() => new Promise(requestAnimationFrame))
    expect(frames).toEqual([])
    expect(await slow.locator('iframe').count()).toBe(1)
  })

  test('a chat that was destroyed while its request failed asks no more', async () => {
    const { page } = await openTab({ expected: /ERR_FAILED/ })
    await page.clock.install()
    let configs = 0
    await page.route(/\/v1\/widget\/config/, route => {
      configs++
      return route.abort()
    })
    await page.goto(site.origin)
    await expect.poll(() => configs).toBe(1)
    await page.clock.runFor(10_000)
    await expect.poll(() => configs).toBe(2)
    await parley(page, chat => {
      chat.destroy()
      chat.open()
    })
    await page.clock.runFor(300_000)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    expect(configs).toBe(2)
  })

  test('W6: a page of another origin gets nothing, and cannot embed the frame', async () => {
    const other = await startSite()
    const address = `${service.url}/widget/frame?inboxKey=${webchat.inboxKey}&origin=${other.origin}`
    other.set('/', { body: renderPage(webchat.script) })
    other.set('/frame', { body: renderPage('', `<iframe title="chat" src="${address}"></iframe>`) })
    const { page } = await openTab({ expected: /CORS|403|frame-ancestors|ERR_FAILED|ERR_BLOCKED/ })
    const config = `${service.url}/v1/widget/config?inboxKey=${webchat.inboxKey}`
    const answer = await fetch(config, { headers: { origin: other.origin } })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const refused = page.waitForEvent('requestfailed', request => request.url() === config)
    await page.goto(other.origin)
    await refused
    await parley(page, chat => chat.open())
    expect(await page.getByRole('region').count()).toBe(0)
    expect(await page.locator('iframe').count()).toBe(0)
    const loaded = page.waitForResponse(/\/widget\/frame/)
    await page.goto(`${other.origin}/frame`)
    expect((await loaded).headers()['content-security-policy']).toContain(
      `frame-ancestors 'self' ${site.origin}`,
    )
    expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0)
    expect(page.frames().filter(frame => frame.url().includes('/widget/frame'))).toEqual([])
  })

  test('W7: a strict policy of the page needs no exception; without connect-src the chat still opens', async () => {
    const policy = (connect: string) =>
      `default-src 'none'; script-src ${service.url}; frame-src ${service.url}; img-src data:; connect-src ${connect}; require-trusted-types-for 'script'; trusted-types 'none'`
    const body = renderPage(webchat.script)
    site.set('/strict', { body, headers: { 'content-security-policy': policy(service.url) } })
    site.set('/stricter', { body, headers: { 'content-security-policy': policy("'none'") } })
    const { page } = await openTab()
    await page.goto(`${site.origin}/strict`)
    const widget = findWidget(page)
    await widget.open()
    await widget.log.getByText('Ask us about lamps.').waitFor()
    // A policy that only reports changes nothing.
    site.set('/reported', {
      body,
      headers: { 'content-security-policy-report-only': policy("'none'") },
    })
    const reported = await openTab({ expected: /Content Security Policy|policy violation/ })
    await reported.page.goto(`${site.origin}/reported`)
    await findWidget(reported.page).open()
    const stricter = await openTab({ expected: /Content Security Policy|policy violation: connect-src/ })
    await stricter.page.goto(`${site.origin}/stricter`)
    const plain = findWidget(stricter.page, 'Chat')
    await plain.open()
    await plain.log.getByText('Ask us about lamps.').waitFor()
  })

  test('W7: navigation that replaces the body keeps the open chat; a removed chat comes back', async () => {
    const { page } = await openTab()
    await page.goto(site.origin)
    const widget = findWidget(page)
    await widget.open()
    await widget.field.fill('a draft')
    const replaceBody = () =>
      page.evaluate(
        html => {
          history.pushState({}, '', '/next')
          const next = new DOMParser().parseFromString(html, 'text/html')
          document.body.replaceWith(next.body)
          // Turbo runs the scripts of the new page.
          const script = document.createElement('script')
          const old = next.querySelector('script')!
          script.src = old.src
          script.dataset.inbox = old.dataset.inbox
          document.head.append(script)
          return new Promise(resolve => script.addEventListener('load', resolve))
        },
        renderPage(webchat.script, '<h1>Shades</h1>'),
      )
    await replaceBody()
    await page.getByRole('heading', { name: 'Shades' }).waitFor()
    expect(await page.getByRole('region').count()).toBe(1)
    expect(await widget.field.inputValue()).toBe('a draft')
    expect(await widget.button.getAttribute('aria-expanded')).toBe('true')
    await page.evaluate(() => document.documentElement.lastElementChild!.remove())
    await expect.poll(() => widget.field.inputValue()).toBe('a draft')
    expect(await widget.button.getAttribute('aria-expanded')).toBe('true')
  })

  interface Box {
    y: number
    height: number
  }
  const expectApart = (a: Box, b: Box) =>
    expect(a.y + a.height <= b.y || b.y + b.height <= a.y, 'no button covers the other').toBe(true)

  test('W7: two inboxes on one page are apart', async () => {
    const second = await addWebchat(service, office, [site.origin], {
      webchat: { appearance: { title: 'Repairs', accent: '#f2c14e', launcherText: 'Repairs' } },
    })
    site.set('/two', { body: renderPage(webchat.script + second.script) })
    const { page } = await openTab()
    await page.goto(`${site.origin}/two`)
    const [shop, repairs] = [findWidget(page), findWidget(page, 'Repairs')]
    await shop.button.waitFor()
    await repairs.button.waitFor()
    expectApart((await shop.button.boundingBox())!, (await repairs.button.boundingBox())!)
    // A button that covers another one is not clicked.
    const send = async ({ field, frame, log }: Widget, text: string) => {
      await field.fill(text)
      await frame.getByRole('button', { name: 'Send' }).click()
      await log.getByText('Sent').waitFor()
    }
    await repairs.open()
    await send(repairs, 'My lamp flickers')
    await repairs.button.click()
    await shop.open()
    await shop.log.getByText('Ask us about lamps.').waitFor()
    await send(shop, 'Do you repair lamps?')
    expect(await shop.log.getByText('My lamp flickers').count()).toBe(0)
    // They have the same place: one of them is open.
    await parley(page, chat => {
      for (const one of chat.inboxes.values()) one.open()
    })
    const states = await Promise.all(
      [shop, repairs].map(({ button }) => button.getAttribute('aria-expanded')),
    )
    expect(states.sort()).toEqual(['false', 'true'])
    expect(await parley(page, chat => chat.inboxes.size)).toBe(2)

    // A chat that comes back takes a free place.
    const keys = await parley(page, chat => [...chat.inboxes.keys()])
    const widgets = { [webchat.inboxKey]: shop, [second.inboxKey]: repairs }
    await parley(page, chat => {
      chat.destroy()
      // A reference that the page has kept does nothing.
      chat.open()
    })
    await widgets[keys[0]!]!.button.waitFor({ state: 'detached' })
    await page.evaluate(
      `import('${service.url}/widget.mjs').then(({ mount }) => { mount({ inboxKey: '${keys[0]}' }) })`,
    )
    await widgets[keys[0]!]!.button.waitFor()
    expectApart((await shop.button.boundingBox())!, (await repairs.button.boundingBox())!)
  })

  /** Counts the listeners of the window and the document. */
  async function countListeners(cdp: CDPSession): Promise<number> {
    let count = 0
    for (const expression of ['window', 'document']) {
      const { result } = await cdp.send('Runtime.evaluate', { expression })
      count += (await cdp.send('DOMDebugger.getEventListeners', { objectId: result.objectId! })).listeners
        .length
    }
    return count
  }

  test('the page controls the chat, and destroy leaves nothing behind', async () => {
    site.set('/plain', { body: renderPage('') })
    const { page } = await openTab()
    await page.goto(`${site.origin}/plain`)
    const cdp = await page.context().newCDPSession(page)
    const look = async () => ({
      listeners: await countListeners(cdp),
      names: await page.evaluate(() => Object.getOwnPropertyNames(window).sort()),
      elements: await page.evaluate(() => document.documentElement.children.length),
      stored: await page.evaluate(() => Object.keys(localStorage)),
    })
    const before = await look()
    const address = `${service.url}/widget.mjs`
    await page.evaluate(
      `import('${address}').then(({ mount }) => { mount({ inboxKey: '${webchat.inboxKey}', locale: 'de' }) })`,
    )
    const widget = findWidget(page)
    await widget.button.waitFor()
    const held = new Promise<Route>(resolve => page.route(/\/v1\/widget\/config/, resolve))
    await parley(page, chat => {
      window.events = []
      for (const type of ['open', 'close'] as const) chat.on(type, () => window.events.push(type))
      chat.open()
    })
    // Settings of the page during the load of the chat hold, also after a later response.
    const config = await held
    await parley(page, chat => {
      chat.setTheme('dark')
      chat.setLocale('ar')
      chat.setLocale('de')
    })
    await config.continue()
    const field = widget.frame.getByRole('textbox', { name: 'Nachricht' })
    await field.waitFor()
    const root = widget.frame.locator('html')
    await expect.poll(() => root.getAttribute('data-theme')).toBe('dark')
    await field.fill('Hallo')
    await field.press('Enter')
    await widget.log.getByText('Gesendet').waitFor()
    await parley(page, chat => {
      chat.setLocale('ar')
      chat.setTheme('light')
    })
    await widget.frame.getByRole('textbox', { name: 'رسالة' }).waitFor()
    await expect.poll(() => root.getAttribute('dir')).toBe('rtl')
    await expect.poll(() => root.getAttribute('data-theme')).toBe('light')
    await parley(page, chat => chat.toggle())
    expect(await page.evaluate(() => window.events)).toEqual(['open', 'close'])
    // A message from elsewhere than the frame is not heeded.
    await page.evaluate(
      key => postMessage({ parley: key, type: 'unread', data: { count: 9 } }),
      webchat.inboxKey,
    )
    await parley(page, chat => chat.open())
    await page.evaluate(key => postMessage({ parley: key, type: 'close' }), webchat.inboxKey)
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve)))
    expect(await widget.button.getAttribute('aria-expanded')).toBe('true')
    const readLabel = () => widget.button.getAttribute('aria-label')
    expect(await readLabel()).not.toContain('9')
    // The welcome may have arrived while the chat was closed.
    await expect.poll(readLabel).toBe('Harbor Lights')
    // The token stays in the frame.
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('wct_')

    await parley(page, chat => chat.destroy())
    await page.evaluate(() => {
      Reflect.deleteProperty(window, 'events')
    })
    expect(await look()).toEqual(before)
  })
})
