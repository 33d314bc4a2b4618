/** Tests conversations between a visitor of a website and an agent, each in a browser: nothing is lost or doubled. */
import type { Page, WebSocketRoute } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startVisitor } from '../../../src/webchat/testing/visitor.ts'
import { testService, until } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { type Office, openOffice, sendImmediately, signIn } from '../support/people.ts'
import { addWebchat, findWidget, renderPage, startSite } from '../support/site.ts'

describe.skipIf(!hasBrowser)('web chat', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const site = await startSite()

  async function openShop(settings: object = {}) {
    const office = await openOffice(service)
    const webchat = await addWebchat(service, office, [site.origin], settings)
    const path = `/${webchat.inboxKey}`
    site.set(path, { body: renderPage(webchat.script) })
    return { office, webchat, address: site.origin + path }
  }

  async function findConversation({ owner }: Office): Promise<string> {
    const list = async () => (await owner.api.get('/conversations')).body.conversations
    const [{ id }] = await until(list, found => found.length === 1)
    return id
  }

  async function answer({ owner }: Office, content: object): Promise<void> {
    const id = await findConversation({ owner } as Office)
    const sent = await owner.api.post(`/conversations/${id}/messages`, { content })
    expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300)
  }
  const toText = (body: string) => ({ type: 'text', text: { body } })

  /** Cuts the sockets of the frame and refuses new ones until they are restored. */
  async function controlSocket(page: Page) {
    let isUp = true
    const sockets = new Set<WebSocketRoute>()
    await page.routeWebSocket(/\/v1\/widget\/realtime/, socket => {
      if (!isUp) return void socket.close({ code: 1012 })
      sockets.add(socket)
      socket.connectToServer()
    })
    return {
      cut: async () => {
        isUp = false
        await Promise.all([...sockets].map(socket => socket.close({ code: 1012 })))
      },
      restore: () => {
        isUp = true
      },
    }
  }

  test('W4: a message reaches the agent and the answer the visitor within a second, with typing and read state', async () => {
    const { office, address } = await openShop()
    const [visitor, agent] = [await openTab(), await openTab()]
    await sendImmediately(agent.page)
    await visitor.page.goto(address)
    const widget = findWidget(visitor.page)
    await widget.open()
    // The first message creates the visitor; the times below are those of a conversation.
    await widget.say('Is the Pier lamp in stock?')
    await widget.log.getByText('Sent').waitFor()
    await signIn(agent.page, service, office.owner)
    await agent.page.getByRole('link', { name: /Is the Pier lamp in stock/ }).click()
    const thread = agent.page.getByRole('log')
    await thread.getByText('Is the Pier lamp in stock?').waitFor()

    let startedAt = performance.now()
    await widget.say('In oak?')
    await thread.getByText('In oak?').waitFor()
    expect(performance.now() - startedAt).toBeLessThan(within(1_000))
    // "Seen" is below the latest message that the agent has read.
    await widget.log.locator('.own', { hasText: 'In oak?' }).getByText('Seen').waitFor()
    await expect.poll(() => widget.log.getByText('Sent').count()).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(within(2_000))
    expect(await widget.log.getByText('Seen').count()).toBe(1)

    const reply = agent.page.getByRole('textbox', { name: 'Reply' })
    await reply.pressSequentially('Yes, in oak')
    await widget.log.getByRole('img', { name: /is typing/ }).waitFor()
    startedAt = performance.now()
    await reply.press('Enter')
    await widget.log.getByText('Yes, in oak').waitFor()
    expect(performance.now() - startedAt).toBeLessThan(within(1_000))
    await thread.getByText('Read').last().waitFor()
    await widget.field.pressSequentially('Thank you')
    await agent.page.getByText('The customer is writing').waitFor()
  })

  test('a visitor without a name is called so in the language of the agent', async () => {
    const { office, webchat } = await openShop()
    const { page } = await openTab({ locale: 'de-DE' })
    await signIn(page, service, office.owner)
    const visitor = await startVisitor(service.url, webchat.inboxKey)
    await visitor.say('Guten Tag')
    const row = page.getByRole('link', { name: /^Besucher \w{4}.*Guten Tag/ })
    await row.click()
    await page
      .getByRole('heading', { name: /^Besucher \w{4}$/ })
      .first()
      .waitFor()
    await page.reload()
    await row.waitFor()
  })

  test('W5: after a reload, an hour away and a cut socket the conversation continues, complete and in order', async () => {
    const { office, address } = await openShop()
    const { page, another } = await openTab({ expected: /WebSocket|ERR_FAILED/ })
    const socket = await controlSocket(page)
    await page.goto(address)
    const widget = findWidget(page)
    await widget.open()
    await widget.say('one')
    await widget.log.getByText('Sent').waitFor()
    expect(await widget.log.getByText('Seen').count()).toBe(0)
    await answer(office, toText('two'))
    await widget.log.getByText('two').waitFor()

    await socket.cut()
    await answer(office, toText('three'))
    await widget.say('four')
    await widget.log.getByText('four').waitFor()
    socket.restore()
    const texts = () => widget.log.locator('.bubble').allInnerTexts()
    await expect.poll(texts).toEqual(['one', 'two', 'three', 'four'])

    // Messages that the service has not acknowledged survive a reload and are sent once.
    const isPost = (url: URL) => url.pathname === '/v1/widget/messages'
    await page.route(isPost, route =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await widget.say('five')
    await widget.log.getByText('five').waitFor()
    await page.reload()
    await page.unroute(isPost)
    await widget.open()
    await expect.poll(texts).toEqual(['one', 'two', 'three', 'four', 'five'])
    await widget.log.getByText('Sent').waitFor()

    // The tab is closed for an hour; an answer arrives meanwhile and is announced before the chat is opened.
    await page.close()
    await answer(office, toText('six'))
    const { page: next } = await another()
    await next.clock.install({ time: Date.now() + 3_600_000 })
    await next.goto(address)
    const later = findWidget(next)
    await next.getByRole('button', { name: 'Harbor Lights, 1 unread' }).waitFor()
    await later.open()
    await expect
      .poll(() => later.log.locator('.bubble').allInnerTexts())
      .toEqual(['one', 'two', 'three', 'four', 'five', 'six'])
    await expect.poll(() => later.button.getAttribute('aria-label')).toBe('Harbor Lights')
    const id = await findConversation(office)
    const { messages } = (await office.owner.api.get(`/conversations/${id}/messages`)).body
    expect(messages).toHaveLength(6)

    // The device sleeps with the chat in front: the connection may be dead without a sign, so there is a new one.
    const reconnected = next.waitForEvent('websocket', opened => opened.url().includes('/v1/widget/realtime'))
    await next.clock.fastForward(3_600_000)
    await reconnected
    await answer(office, toText('seven'))
    await later.log.getByText('seven').waitFor()
  })

  test('a refused message is tried again or discarded, a lost connection is said, and files are pasted and dropped', async () => {
    const { office, address } = await openShop()
    const { page } = await openTab({ expected: /WebSocket|ERR_|400/ })
    const socket = await controlSocket(page)
    await page.goto(address)
    const widget = findWidget(page)
    await widget.open()
    await widget.say('one')
    await widget.log.getByText('Sent').waitFor()
    await socket.cut()
    await widget.frame.getByText('No connection.').waitFor()
    socket.restore()
    await widget.frame.getByText('No connection.').waitFor({ state: 'hidden' })

    const isPost = (url: URL) => url.pathname === '/v1/widget/messages'
    let isRefused = true
    await page.route(isPost, route => {
      if (!isRefused || route.request().method() !== 'POST') return route.continue()
      const json = { status: 400, code: 'validation_failed', title: 'The request is not valid' }
      return route.fulfill({ status: 400, contentType: 'application/problem+json', json })
    })
    await widget.say('two')
    await widget.log.getByRole('button', { name: 'Try again' }).waitFor()
    await widget.say('three')
    await expect.poll(() => widget.log.getByRole('button', { name: 'Discard' }).count()).toBe(2)
    isRefused = false
    await widget.log.getByRole('button', { name: 'Discard' }).last().click()
    await widget.log.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => widget.log.getByRole('button', { name: 'Try again' }).count()).toBe(0)

    for (const type of ['paste', 'drop'] as const)
      await widget.field.evaluate((field, kind) => {
        const data = new DataTransfer()
        data.items.add(new File(['1,2'], `${kind}.csv`, { type: 'text/csv' }))
        const options = { bubbles: true, cancelable: true }
        const event =
          kind === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: data })
            : new DragEvent('drop', { ...options, dataTransfer: data })
        field.dispatchEvent(event)
      }, type)
    const id = await findConversation(office)
    const list = async () => (await office.owner.api.get(`/conversations/${id}/messages`)).body.messages
    type Message = { content: { type: string; text?: { body: string }; media?: { filename?: string } } }
    const messages: Message[] = await until(list, found => found.length === 4)
    const shown = messages.map(({ content }) => content.text?.body ?? content.type)
    expect(shown.toSorted()).toEqual(['media', 'media', 'one', 'two'])
  })

  test('W8: markup in names, messages and settings is text', async () => {
    const markup = '<img src=x onerror=alert(1)><script>alert(1)</script>'
    const { office, address } = await openShop({
      greeting: markup,
      webchat: { appearance: { title: markup.slice(0, 60), subtitle: markup } },
    })
    const { page } = await openTab()
    page.on('dialog', () => expect.unreachable())
    await page.goto(address)
    const widget = findWidget(page, markup.slice(0, 60))
    await widget.open()
    await widget.frame.getByText(markup).first().waitFor()
    await widget.say(markup)
    await widget.log.getByText('Sent').waitFor()
    await answer(office, toText(`${markup} javascript:alert(1) https://shop.example/a?b=1.`))
    await widget.log.getByText('javascript:alert(1)').waitFor()
    const links = widget.log.getByRole('link')
    expect(
      await links.evaluateAll(found =>
        found.map(link => [(link as HTMLAnchorElement).href, (link as HTMLAnchorElement).rel]),
      ),
    ).toEqual([['https://shop.example/a?b=1', 'noopener noreferrer nofollow']])
    expect(await widget.frame.locator('img[src=x], script:not([src])').count()).toBe(0)
  })

  test('W9: a menu is used by keyboard; a choice is sent once', async () => {
    const { office, address } = await openShop()
    const { page } = await openTab()
    await page.goto(address)
    const widget = findWidget(page)
    await widget.button.focus()
    await page.keyboard.press('Enter')
    await widget.field.waitFor()
    await expect.poll(() => widget.field.evaluate(field => field === document.activeElement)).toBe(true)
    await page.keyboard.type('Hello')
    await page.keyboard.press('Enter')
    await widget.log.getByText('Sent').waitFor()
    const rows = [
      { id: 'pier', title: 'Pier', description: 'Table lamp' },
      { id: 'beacon', title: 'Beacon' },
    ]
    const actions = [{ type: 'list', title: 'Show lamps', sections: [{ title: 'Lamps', rows }] }]
    await answer(office, { type: 'rich', rich: { body: { text: 'Which lamp?' }, actions } })
    await widget.log.getByText('Which lamp?').waitFor()
    await widget.log.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await widget.log.locator('.own').getByText('Beacon').waitFor()
    const id = await findConversation(office)
    const replies = async () =>
      (await office.owner.api.get(`/conversations/${id}/messages`)).body.messages.flatMap(
        ({ content }: { content: { type: string; reply?: object } }) => content.reply ?? [],
      )
    await expect.poll(replies).toEqual([expect.objectContaining({ id: 'beacon', title: 'Beacon' })])
    await widget.log.getByRole('img', { name: 'Chosen' }).waitFor()
    // The id of a button may begin like those of a survey, whose card is not in the log.
    const reply = { type: 'reply', id: 'survey:later', title: 'Later' }
    await answer(office, { type: 'rich', rich: { body: { text: 'A few questions?' }, actions: [reply] } })
    await widget.log.getByText('A few questions?').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => widget.button.getAttribute('aria-expanded')).toBe('false')
    expect(
      await widget.button.evaluate(button => (button.getRootNode() as ShadowRoot).activeElement === button),
    ).toBe(true)
  })
})
