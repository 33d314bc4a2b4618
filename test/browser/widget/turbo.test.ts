/** Tests the web chat on a site with Turbo Drive: it survives navigation without loading again, until it is destroyed. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { openOffice } from '../support/people.ts'
import { addWebchat, findWidget, startSite } from '../support/site.ts'

declare global {
  interface Window {
    /** Is lost when the browser loads a page. */
    isSameDocument?: boolean
  }
}

const turbo = createRequire(import.meta.url).resolve('@hotwired/turbo/dist/turbo.es2017-umd.js')

describe.skipIf(!hasBrowser)('web chat on a site with Turbo', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const site = await startSite()
  site.set('/turbo.js', {
    body: readFileSync(turbo, 'utf8'),
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  })
  const links =
    '<nav><a href="/lamps">Lamps</a> <a href="/shades">Shades</a> <a href="/plain">Plain</a></nav>'
  const render = (title: string, { head = '', body = '' }) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
    <script src="/turbo.js"></script>${head}</head><body>${links}<main><h1>${title}</h1></main>${body}</body></html>`

  /** The script of the chat is in the head of one page, in the body of another, and not on the third. */
  async function openShop() {
    const office = await openOffice(service)
    const webchat = await addWebchat(service, office, [site.origin])
    site.set('/lamps', { body: render('Lamps', { head: webchat.script }) })
    site.set('/shades', { body: render('Shades', { body: webchat.script }) })
    site.set('/plain', { body: render('Plain', {}) })
    const { page } = await openTab()
    const frames: string[] = []
    page.on('request', request => {
      if (request.isNavigationRequest() && request.frame() !== page.mainFrame()) frames.push(request.url())
    })
    await page.goto(`${site.origin}/lamps`)
    await page.evaluate(() => {
      window.isSameDocument = true
    })
    return { api: office.owner.api, page, widget: findWidget(page), frames }
  }

  const expectHeading = (page: Page, name: string) =>
    page.getByRole('heading', { name, exact: true }).waitFor()

  async function visit(page: Page, name: string): Promise<void> {
    await page.getByRole('link', { name, exact: true }).click()
    await expectHeading(page, name)
    expect(await page.evaluate(() => window.isSameDocument), 'Turbo replaced the body').toBe(true)
  }

  test('the open chat with a draft survives links and the back button; its frame is loaded once', async () => {
    const { api, page, widget, frames } = await openShop()
    await widget.open()
    await widget.say('From the lamps')
    await widget.log.getByText('Sent').waitFor()
    await widget.field.fill('half a mess')
    const expectChat = async () => {
      expect(await page.getByRole('region', { name: 'Harbor Lights' }).count()).toBe(1)
      expect(await page.locator('iframe').count()).toBe(1)
      expect(await widget.button.getAttribute('aria-expanded')).toBe('true')
      expect(await widget.field.inputValue()).toBe('half a mess')
      await widget.log.getByText('From the lamps').waitFor()
    }
    for (const name of ['Shades', 'Plain', 'Lamps', 'Shades']) {
      await visit(page, name)
      await expectChat()
    }
    await page.goBack()
    await expectHeading(page, 'Lamps')
    await expectChat()
    await page.goForward()
    await expectHeading(page, 'Shades')
    await expectChat()
    await visit(page, 'Lamps')
    await visit(page, 'Plain')
    expect(frames).toHaveLength(1)

    // The draft is continued in the same field, and the agent sees where it was sent.
    await widget.field.press('End')
    await widget.field.pressSequentially('age')
    await widget.field.press('Enter')
    await widget.log.getByText('half a message').waitFor()
    const list = async () => (await api.get('/conversations?channel=webchat')).body.conversations
    const [{ id }] = await until(list, found => found.length === 1)
    const load = async () => (await api.get(`/conversations/${id}/messages`)).body.messages
    const messages = await until(load, found => found.length === 2)
    expect(
      messages.map((one: { content: { text: { body: string } } }) => one.content.text.body).sort(),
    ).toEqual(['From the lamps', 'half a message'])
    expect((await api.get(`/conversations/${id}/visitor`)).body.page).toBe(`${site.origin}/plain`)
  })

  test('the closed chat keeps its unread badge and goes on receiving', async () => {
    const { api, page, widget, frames } = await openShop()
    await widget.open()
    await widget.say('Hello')
    await widget.log.getByText('Sent').waitFor()
    await widget.frame.getByRole('button', { name: 'Close the chat' }).click()
    const list = async () => (await api.get('/conversations?channel=webchat')).body.conversations
    const [{ id }] = await until(list, found => found.length === 1)
    const answer = (body: string) =>
      api.post(`/conversations/${id}/messages`, { content: { type: 'text', text: { body } } })
    const badge = (count: number) => page.getByRole('button', { name: `Harbor Lights, ${count} unread` })
    await answer('Good morning')
    await badge(1).waitFor()
    await visit(page, 'Shades')
    await badge(1).waitFor()
    await answer('How can we help?')
    await badge(2).waitFor()
    await visit(page, 'Plain')
    await page.goBack()
    await expectHeading(page, 'Shades')
    expect(await widget.button.count()).toBe(1)
    expect(await widget.button.getAttribute('aria-expanded')).toBe('false')
    await badge(2).click()
    await expect
      .poll(() => widget.log.locator('.bubble').allInnerTexts())
      .toEqual(['Hello', 'Good morning', 'How can we help?'])
    await expect.poll(() => widget.button.getAttribute('aria-label')).toBe('Harbor Lights')
    expect(frames).toHaveLength(1)
  })

  test('destroy leaves nothing behind, also on the pages that follow', async () => {
    const { page, widget } = await openShop()
    await visit(page, 'Shades')
    await widget.open()
    await widget.say('Bye')
    await widget.log.getByText('Sent').waitFor()
    await page.evaluate(() => window.parley!.destroy())
    const look = () =>
      page.evaluate(() => ({
        children: [...document.documentElement.children].map(({ localName }) => localName),
        isNamed: 'parley' in window,
        frames: window.frames.length,
        stored: Object.keys(localStorage),
      }))
    const nothing = { children: ['head', 'body'], isNamed: false, frames: 0, stored: [] }
    expect(await look()).toEqual(nothing)
    await visit(page, 'Plain')
    await page.evaluate(() => history.pushState({}, '', '/plain?again'))
    expect(await look()).toEqual(nothing)
    // A page with the script has the chat again, with the conversation.
    await visit(page, 'Shades')
    await widget.open()
    await widget.log.getByText('Bye').waitFor()
    expect(await page.getByRole('region', { name: 'Harbor Lights' }).count()).toBe(1)
  })
})
