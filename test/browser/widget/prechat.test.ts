/** Tests the form before the chat: that of an inbox, and the one that a flooded inbox asks new visitors for. */
import type { Page, Route } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { admitNewVisitor } from '../../../src/webchat/limits.ts'
import { testService, until } from '../../harness/service.ts'
import { expectAccessibleThemes, hasBrowser, openTab } from '../support/browser.ts'
import { openOffice } from '../support/people.ts'
import { addWebchat, findWidget, renderPage, startSite } from '../support/site.ts'

describe.skipIf(!hasBrowser)('form before the web chat', async () => {
  const service = await testService({ CONSOLE: 'development', RATE_LIMIT: '10000' }, { console: true })
  const site = await startSite()

  async function openShop(settings: object = {}) {
    const office = await openOffice(service)
    const webchat = await addWebchat(service, office, [site.origin], settings)
    const path = `/${webchat.inboxKey}`
    site.set(path, { body: renderPage(webchat.script) })
    const { api } = office.owner
    const conversations = async () => (await api.get('/conversations?channel=webchat')).body.conversations
    return {
      ...webchat,
      address: site.origin + path,
      conversations,
      visitor: async () => {
        const [{ id }] = await until(conversations, found => found.length === 1)
        return (await api.get(`/conversations/${id}/visitor`)).body
      },
      texts: async () => {
        const [{ id }] = await until(conversations, found => found.length === 1)
        const { messages } = (await api.get(`/conversations/${id}/messages`)).body
        return messages.map((one: { content: { text?: { body: string } } }) => one.content.text?.body)
      },
    }
  }

  const fields = [
    { key: 'name', label: 'Your name', isRequired: true },
    { key: 'email', label: null, isRequired: true },
    { key: 'phone', label: null, isRequired: false },
  ]

  const countSessions = (page: Page) => {
    const sessions: string[] = []
    page.on('request', request => {
      if (request.method() === 'POST' && request.url().endsWith('/sessions')) sessions.push(request.url())
    })
    return sessions
  }

  test('is filled in by keyboard, says what is wrong, survives a reload, and is asked once', async () => {
    const shop = await openShop({ webchat: { preChat: { fields } } })
    const { page } = await openTab()
    const sessions = countSessions(page)
    await page.goto(shop.address)
    const { button, frame, field, log, say } = findWidget(page)
    const form = frame.getByRole('region', { name: 'Before we start' })
    const input = (name: string) => form.getByRole('textbox', { name, exact: true })
    const [name, email, phone] = [input('Your name'), input('E-mail'), input('Phone optional')]
    const isFocused = (target: typeof name) => target.evaluate(item => item === document.activeElement)
    await button.focus()
    await page.keyboard.press('Enter')
    await form.waitFor()
    expect(await field.count(), 'no message without the form').toBe(0)
    await expect.poll(() => isFocused(name), { message: 'the form has the focus' }).toBe(true)
    const required = await form
      .getByRole('textbox')
      .evaluateAll(all => all.map(item => (item as HTMLInputElement).required))
    expect(required).toEqual([true, true, false])

    // Errors are words that belong to their fields; the first wrong field has the focus.
    await page.keyboard.press('Enter')
    const describe = async (target: typeof name) => ({
      isInvalid: await target.getAttribute('aria-invalid'),
      error: await target.evaluate(
        item => document.getElementById(item.getAttribute('aria-describedby') ?? '')?.textContent ?? null,
      ),
    })
    const missing = { isInvalid: 'true', error: 'Please fill in this field.' }
    await expect.poll(() => describe(name)).toEqual(missing)
    expect(await describe(email)).toEqual(missing)
    expect(await describe(phone)).toEqual({ isInvalid: 'false', error: null })
    expect(await isFocused(name)).toBe(true)
    await page.keyboard.type('Ana')
    await page.keyboard.press('Tab')
    await page.keyboard.type('not an address')
    await page.keyboard.press('Tab')
    await page.keyboard.type('030 123')
    await page.keyboard.press('Enter')
    await expect.poll(() => describe(email)).toMatchObject({ error: 'Please check the e-mail address.' })
    expect((await describe(phone)).error).toMatch(/with its country code/)
    expect(await isFocused(email)).toBe(true)
    expect((await describe(name)).isInvalid).toBe('false')
    const content = page.frames().find(item => item.url().includes('/widget/frame'))!
    // A file is no way around the form.
    await form.evaluate(target => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['1,2'], 'a.csv', { type: 'text/csv' }))
      target.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
    })
    await expectAccessibleThemes(page, 'form with errors', undefined, content)
    expect(sessions).toEqual([])

    // Nothing is stored at the service before the form is complete; in the frame it survives a reload.
    await page.reload()
    await button.click()
    await form.waitFor()
    const values = () => Promise.all([name, email, phone].map(one => one.inputValue()))
    expect(await values()).toEqual(['Ana', 'not an address', '030 123'])
    expect(sessions).toEqual([])
    await email.fill('ana@example.com')
    await phone.fill('+49 30 123456')
    await phone.press('Enter')
    await field.waitFor()
    await expect.poll(() => isFocused(field), { message: 'the message has the focus' }).toBe(true)
    const stored = await frame.locator('html').evaluate(() => JSON.stringify(localStorage))
    expect(stored).not.toContain('ana@example.com')
    expect(await shop.conversations()).toEqual([])
    await page.reload()
    await button.click()
    await field.waitFor()
    expect(await form.count(), 'the form is not shown again').toBe(0)
    await say('Hello')
    await log.getByText('Sent').waitFor()
    expect(await shop.visitor()).toMatchObject({ isVerified: false, name: 'Ana', email: 'ana@example.com' })
    expect((await shop.visitor()).phone.replaceAll(' ', '')).toBe('+4930123456')
    expect(await shop.texts()).toEqual(['Hello'])
  })

  test('is not refused because of what the page says wrongly', async () => {
    const shop = await openShop({ webchat: { preChat: { fields: [fields[0]] } } })
    const { page } = await openTab({ expected: /400/ })
    await page.goto(shop.address)
    const { button, frame, field, log, say } = findWidget(page)
    await button.waitFor()
    await page.evaluate(() => window.parley!.setContact({ phone: 'none' }))
    await button.click()
    await frame.getByLabel('Your name').fill('Ana')
    await frame.getByRole('button', { name: 'Start the chat' }).click()
    await field.waitFor()
    await say('Hello')
    await log.getByText('Sent').waitFor()
    expect(await shop.visitor()).toMatchObject({ name: 'Ana', phone: null })
  })

  /** Lets as many new visitors come, from many networks, as the inbox admits in the next ten minutes. */
  function flood(inboxId: string): void {
    const later = performance.now() + 600_000
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    const admit = (i: number) => admitNewVisitor(service.deps, { id: inboxId }, { network: `10.0.${i}` })
    expect(() => Array.from({ length: 2_000 }, (_, i) => admit(i))).toThrow()
    clock.mockRestore()
  }

  test('a flooded inbox asks a new visitor who it is, and then gets the message once', async () => {
    const shop = await openShop()
    flood(shop.inboxId)
    const { page } = await openTab({ expected: /429/ })
    await page.goto(shop.address)
    const widget = findWidget(page)
    await widget.open()
    const refused = page.waitForResponse(response => response.status() === 429)
    await widget.say('Is anybody there?')
    expect((await (await refused).json()).code).toBe('pre_chat_required')
    const form = widget.frame.getByRole('region', { name: 'Before we start' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana')
    await widget.log.getByText('Is anybody there?').waitFor()
    // The message waits, and what was typed stays.
    await page.reload()
    await widget.button.click()
    expect(await form.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Ana')
    await widget.log.getByText('Is anybody there?').waitFor()
    // The message is tried again without the form while the form is sent.
    const held = await new Promise<Route>(resolve =>
      page.route(/\/sessions$/, route =>
        route.request().postDataJSON().contact ? route.continue() : resolve(route),
      ),
    )
    await form.getByRole('textbox', { name: 'E-mail', exact: true }).fill('ana@example.com')
    await form.getByRole('button', { name: 'Start the chat' }).click()
    await held.continue()
    await page.unrouteAll()
    await widget.field.waitFor()
    await widget.log.getByText('Sent').waitFor()
    expect(await widget.log.getByText('Is anybody there?').count()).toBe(1)
    expect(await shop.visitor()).toMatchObject({ isVerified: false, name: 'Ana', email: 'ana@example.com' })
    await widget.say('Good')
    await expect.poll(async () => (await shop.texts()).length).toBe(2)
    expect((await shop.texts()).sort()).toEqual(['Good', 'Is anybody there?'])
    // A visitor who is known is not asked again.
    await page.reload()
    await widget.open()
    await expect
      .poll(() => widget.log.locator('.bubble').allInnerTexts())
      .toEqual(['Is anybody there?', 'Good'])
  })
})
