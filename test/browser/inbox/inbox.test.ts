/** Tests the inbox as an agent uses it: list, thread and composer. */
import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { openOffice, sendImmediately, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('inbox', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('an agent signs in, reads a message and replies; the ticks follow the delivery', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550101', 'Is my order on its way?')
    const { page } = await openTab()
    await sendImmediately(page)
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /Is my order/ }).click()
    await page.getByRole('log').getByText('Is my order on its way?').waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).fill('It arrives on *Monday*.')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Delivered').waitFor()
    await expect.poll(() => page.getByRole('log').getByText('It arrives on').count()).toBe(1)
    await screenshot(page, 'thread')
    await expectAccessible(page, 'thread')
  })

  test('messages that are written offline survive a reload and are sent once, in order', async () => {
    const office = await openOffice(service)
    const customer = '+14155550102'
    await office.receive(customer, 'Hello?')
    const { page } = await openTab({ expected: /ERR_INTERNET_DISCONNECTED|WebSocket connection/ })
    await sendImmediately(page)
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /Hello\?/ }).click()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.waitFor()
    await page.context().setOffline(true)
    for (const text of ['first', 'second', 'third']) {
      await reply.fill(text)
      await page.keyboard.press('Enter')
    }
    await page.getByRole('log').getByText('third', { exact: true }).waitFor()
    await reply.fill('not sent yet')
    const sent = async () => {
      const { body } = await office.owner.api.get(`/sandbox/sent?inboxId=${office.inboxId}`)
      return (body.items as { payload: { text?: { body: string } } }[]).map(item => item.payload.text?.body)
    }
    expect(await sent()).toEqual([])
    await page.context().setOffline(false)
    await page.reload()
    await expect.poll(sent).toEqual(['first', 'second', 'third'])
    await page.getByRole('log').getByText('third', { exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('not sent yet')
  })

  test('a newer build is announced, and loaded when the user goes to another area', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550103', 'Which version?')
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await page.evaluate(() => Object.assign(window, { isFirstPage: true }))
    const answer = async (route: Route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'x-parley-build': 'newer' } })
    }
    await page.route(/\/timeline/, answer, { times: 1 })
    await page.getByRole('link', { name: /Which version/ }).click()
    await page.getByText('Parley was updated.').waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).fill('kept')
    const list = page.getByRole('region', { name: 'Conversations' })
    await page.getByRole('log').focus()
    await page.keyboard.press('[')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await expect
      .poll(() => list.getByRole('searchbox').evaluate(e => e === document.activeElement))
      .toBe(true)
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    await expect.poll(() => page.evaluate(() => 'isFirstPage' in window)).toBe(false)
    await page.goBack()
    await page.getByRole('link', { name: /Which version/ }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('kept')
    expect(await page.getByText('Parley was updated.').count()).toBe(0)
  })

  test('without an inbox, owners are led to connecting one', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    expect((await office.owner.api.delete(`/inboxes/${office.inboxId}`)).status).toBeLessThan(300)
    const { page } = await openTab()
    await signIn(page, service, office.owner, '/inbox?view=all')
    await page.getByText('Customers write to you through an inbox. None is connected yet.').waitFor()
    await expectAccessible(page, 'no inbox')
    await page.getByRole('link', { name: 'Connect an inbox' }).press('Enter')
    await page.getByRole('heading', { name: 'Inboxes' }).waitFor()
    const other = await openTab()
    await signIn(other.page, service, agent, '/inbox?view=all')
    await other.page.getByText('None is connected yet.').waitFor()
    expect(await other.page.getByRole('link', { name: 'Connect an inbox' }).count()).toBe(0)
  })

  test('the first run plays a customer, sends the first answer, and shows how it is read', async () => {
    const office = await openOffice(service)
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await screenshots(page, 'first-run-empty')
    await page.getByRole('button', { name: 'Play a customer' }).press('Enter')
    const card = page.getByRole('region', { name: 'First steps' })
    await card.getByText('Hi! Is my order on its way?').waitFor()
    // The list fills below it.
    await page.getByRole('link', { name: /Is my order on its way/ }).waitFor()
    await expectAccessibleThemes(page, 'first run')
    await screenshots(page, 'first-run-card')
    await card.getByLabel('Your answer').fill('Yes, tomorrow.')
    await page.keyboard.press('Enter')
    await card.getByText('Yes, tomorrow.').waitFor()
    // A user who has answered has read.
    await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
    for (const step of ['Sent', 'Delivered', 'Read']) await card.getByText(`${step}: done`).waitFor()
    await expectAccessibleThemes(page, 'first answer')
    await screenshots(page, 'first-run-ticks')
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1360, height: 850 })
    await card.getByRole('link', { name: 'Open the conversation' }).press('Enter')
    await page.getByRole('log').getByText('Yes, tomorrow.').waitFor()
    expect(await card.count()).toBe(0)
    const { items } = (await office.owner.api.get(`/sandbox/sent?inboxId=${office.inboxId}`)).body
    expect(items).toHaveLength(1)
  })

  test("a customer's message appears without a reload, and the phone shows one pane", async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
    // The undo bar must stay until it was measured.
    await page.addInitScript(() => localStorage.setItem('parley.preferences', '{"undoSendSeconds":120}'))
    await signIn(page, service, office.owner)
    await expectAccessible(page, 'empty inbox')
    await page.getByRole('button', { name: 'Play a customer' }).click()
    await page.getByRole('link', { name: /Is my order on its way/ }).waitFor()
    await screenshot(page, 'list-phone-dark')
    await page.getByRole('link', { name: /Is my order on its way/ }).click()
    await page.getByRole('log').waitFor()
    expect(await page.getByRole('navigation', { name: 'Views' }).isVisible()).toBe(false)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'thread-phone-dark')
    await expectAccessible(page, 'thread on a phone')
    const conversation = new URL(page.url()).pathname.split('/').at(-1)
    for (const n of [1, 2]) {
      const content = { type: 'text', text: { body: `${n}\n`.repeat(18) } }
      const path = `/conversations/${conversation}/messages`
      expect((await office.owner.api.post(path, { content })).status).toBe(202)
    }
    await page.getByRole('article').filter({ hasText: '2 2 2' }).waitFor()
    await page.getByRole('textbox', { name: 'Reply' }).fill('Tomorrow')
    await page.keyboard.press('Enter')
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    const [mark, bar] = [page.getByRole('article').last().locator('time'), undo.locator('..')]
    const freePx = async () => {
      const [above, below] = [await mark.boundingBox(), await bar.boundingBox()]
      return below!.y - above!.y - above!.height
    }
    await expect.poll(freePx).toBeGreaterThanOrEqual(0)
    await screenshot(page, 'undo-phone-dark')
    await undo.click()
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
  })
})
