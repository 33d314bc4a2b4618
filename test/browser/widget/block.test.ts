/** Tests that an agent blocks a visitor: what both see, and that nothing is tried again forever. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'
import { addWebchat, findWidget, renderPage, startSite } from '../support/site.ts'

describe.skipIf(!hasBrowser)('blocked visitors', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const site = await startSite()
  const notice = 'You can no longer write in this chat.'

  async function openShop() {
    const office = await openOffice(service)
    const { inboxKey, script } = await addWebchat(service, office, [site.origin])
    const path = `/${inboxKey}`
    site.set(path, { body: renderPage(script) })
    return { office, address: site.origin + path }
  }

  const panel = (page: Page) => page.getByRole('complementary', { name: 'Details' })

  /** By keyboard. */
  async function confirm(page: Page, name: string): Promise<void> {
    const button = panel(page).getByRole('button', { name })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await dialog.getByRole('button', { name }).focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
  }

  test('the visitor sees a notice instead of the composer while it is blocked, and colleagues see the block', async () => {
    const { office, address } = await openShop()
    const colleague = await office.hire('Ben Otieno')
    const [visitor, agent, other] = [
      await openTab({ expected: /status of 403/ }),
      await openTab(),
      await openTab(),
    ]
    await visitor.page.goto(address)
    const widget = findWidget(visitor.page)
    await widget.open()
    await widget.say('Rude words')
    await widget.log.getByText('Sent').waitFor()
    await signIn(agent.page, service, office.owner)
    await agent.page.getByRole('link', { name: /Rude words/ }).click()
    await signIn(other.page, service, colleague)
    await other.page.getByRole('link', { name: /Rude words/ }).click()
    for (const { page } of [agent, other]) await panel(page).getByText('Not verified').waitFor()

    // Escape leaves the dialog, and the focus is where it was.
    const button = panel(agent.page).getByRole('button', { name: 'Block visitor' })
    await button.focus()
    await agent.page.keyboard.press('Enter')
    await agent.page.getByRole('dialog', { name: 'Block this visitor?' }).waitFor()
    await agent.page.keyboard.press('Escape')
    await expect.poll(() => button.evaluate(element => element === document.activeElement)).toBe(true)
    await widget.field.fill('A draft')

    const startedAt = performance.now()
    await confirm(agent.page, 'Block visitor')
    await widget.frame.getByText(notice).waitFor()
    expect(performance.now() - startedAt).toBeLessThan(within(2_000))
    await widget.field.waitFor({ state: 'hidden' })
    for (const { page } of [agent, other]) {
      await panel(page).getByText('Blocked', { exact: true }).waitFor()
      await panel(page).getByRole('button', { name: 'Unblock visitor' }).waitFor()
    }
    // After a reload, too, with the messages.
    await visitor.page.reload()
    await widget.button.click()
    await widget.frame.getByText(notice).waitFor()
    await widget.log.getByText('Rude words').waitFor()

    await confirm(other.page, 'Unblock visitor')
    await widget.field.waitFor()
    expect(await widget.frame.getByText(notice).count()).toBe(0)
    expect(await widget.field.inputValue()).toBe('A draft')
    await panel(agent.page).getByText('Blocked', { exact: true }).waitFor({ state: 'hidden' })
    await widget.say('Sorry')
    await agent.page.getByRole('log').getByText('Sorry').waitFor()
  })

  test('a message that was on its way when the visitor was blocked is marked as not sent, once', async () => {
    const { office, address } = await openShop()
    const { page } = await openTab({ expected: /status of 403|ERR_FAILED|WebSocket/ })
    // Without a socket the refusal is the first sign of the block in the frame.
    let isRefused = true
    await page.routeWebSocket(/\/v1\/widget\/realtime/, socket => {
      if (isRefused) void socket.close({ code: 1012 })
      else socket.connectToServer()
    })
    await page.goto(address)
    const widget = findWidget(page)
    await widget.open()
    await widget.say('one')
    const list = async () => (await office.owner.api.get('/conversations')).body.conversations
    await expect.poll(async () => (await list()).length).toBe(1)
    const [{ id }] = await list()
    const isPost = (url: URL) => url.pathname === '/v1/widget/messages'
    let posts = 0
    let isCut = true
    await page.route(isPost, route => {
      if (route.request().method() !== 'POST') return route.continue()
      posts++
      return isCut ? route.abort() : route.continue()
    })
    await widget.say('two')
    await widget.say('three')
    await expect.poll(() => posts).toBeGreaterThan(0)
    const blocked = await office.owner.api.patch(`/conversations/${id}/visitor`, { isBlocked: true })
    expect(blocked.status).toBe(200)
    isCut = false
    await widget.frame.getByText(notice).waitFor()
    await expect.poll(() => widget.log.getByText('Not sent').count()).toBe(2)
    expect(await widget.log.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    const sent = posts
    await page.waitForTimeout(3_000)
    expect(posts).toBe(sent)
    await widget.log.getByRole('button', { name: 'Discard' }).first().click()
    await expect.poll(() => widget.log.getByText('Not sent').count()).toBe(1)
    expect((await office.owner.api.get(`/conversations/${id}/messages`)).body.messages).toHaveLength(1)

    // The block ends while there is no socket: the next one shows it.
    await office.owner.api.patch(`/conversations/${id}/visitor`, { isBlocked: false })
    isRefused = false
    await widget.log.evaluate(() => dispatchEvent(new Event('online')))
    await widget.field.waitFor()
  })
})
