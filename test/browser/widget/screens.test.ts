/** Tests what visitors see: forms, cards, files and ratings, accessible in light and dark, on phones and from right to left. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import {
  expectAccessible,
  expectAccessibleThemes,
  hasBrowser,
  openTab,
  screenshot,
} from '../support/browser.ts'
import { openOffice } from '../support/people.ts'
import { addWebchat, findWidget, renderPage, startSite, type Webchat } from '../support/site.ts'

describe.skipIf(!hasBrowser)('screens of the web chat', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const site = await startSite()
  const office = await openOffice(service)
  const { api } = office.owner

  async function embed(settings: object = {}): Promise<Webchat & { address: string }> {
    const webchat = await addWebchat(service, office, [site.origin], settings)
    const path = `/${webchat.inboxKey}`
    site.set(path, { body: renderPage(webchat.script) })
    return { ...webchat, address: site.origin + path }
  }

  async function findConversation({ inboxId }: Webchat): Promise<string> {
    const list = async () => (await api.get(`/conversations?inboxId=${inboxId}`)).body.conversations
    const [{ id }] = await until(list, found => found.length === 1)
    return id
  }

  async function answer(webchat: Webchat, content: object): Promise<void> {
    const sent = await api.post(`/conversations/${await findConversation(webchat)}/messages`, { content })
    expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300)
  }

  /** Checks the page and the frame, which axe does not enter from outside. */
  async function check(page: Page, name: string): Promise<void> {
    await expectAccessible(page, `${name}, page`)
    const frame = page.frames().find(item => item.url().includes('/widget/frame'))!
    await expectAccessibleThemes(page, name, undefined, frame)
    const isWide = await frame.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(isWide, `${name} scrolls sideways`).toBe(false)
    await screenshot(page, `widget-${name}`)
  }

  test('W3: closed, open and with the form before the chat, whose values the agent gets as claims', async () => {
    const fields = [
      { key: 'name', label: null, isRequired: true },
      { key: 'email', label: 'Your e-mail', isRequired: true },
      { key: 'phone', label: null, isRequired: false },
    ]
    const webchat = await embed({ greeting: 'Hi! Ask us anything.', webchat: { preChat: { fields } } })
    const { page } = await openTab()
    await page.goto(webchat.address)
    const { button, frame, field, log } = findWidget(page)
    await button.waitFor()
    await expectAccessibleThemes(page, 'closed')
    await page.emulateMedia({ forcedColors: 'active' })
    const outline = await button.evaluate(element => {
      const { outlineColor, outlineStyle } = getComputedStyle(element)
      return { outlineColor, outlineStyle }
    })
    expect(outline.outlineStyle).toBe('solid')
    expect(outline.outlineColor, 'visible with forced colours').not.toContain('rgba(')
    await page.emulateMedia({ forcedColors: 'none' })
    await button.click()
    await frame.getByRole('button', { name: 'Start the chat' }).click()
    await frame.getByText('Please fill in this field.').first().waitFor()
    expect(await frame.getByLabel('Name').evaluate(input => input === document.activeElement)).toBe(true)
    await check(page, 'form')
    await frame.getByLabel('Name').fill('Ana')
    await frame.getByLabel('Your e-mail').fill('ana@example.com')
    await frame.getByRole('button', { name: 'Start the chat' }).click()
    await field.waitFor()
    await check(page, 'open')
    await field.fill('Hello')
    await field.press('Enter')
    await log.getByText('Sent').waitFor()
    const id = await findConversation(webchat)
    const visitor = (await api.get(`/conversations/${id}/visitor`)).body
    expect(visitor).toMatchObject({ name: 'Ana', email: 'ana@example.com', isVerified: false })
  })

  test('the chat appears when the browser draws late and the answer is early', async () => {
    const webchat = await embed()
    const { page } = await openTab()
    await page.addInitScript(() => {
      const { setTimeout } = window
      const delay = (task: () => void) => setTimeout(task, 2_000)
      Object.assign(window, { requestAnimationFrame: delay, setTimeout: delay })
    })
    await page.goto(webchat.address)
    await findWidget(page).open()
  })

  test('the chat is there without its language, which is loaded when the page says it again', async () => {
    const webchat = await embed()
    const { page } = await openTab({ expected: /ERR_FAILED/ })
    await page.route(/\/widget\/assets\/part-/, route => route.abort())
    await page.goto(webchat.address)
    const widget = findWidget(page)
    await widget.button.waitFor()
    await page.evaluate(() => window.parley!.setLocale('de'))
    await widget.open()
    await page.unrouteAll()
    await page.evaluate(() => window.parley!.setLocale('de'))
    await widget.frame.getByRole('textbox', { name: 'Nachricht' }).waitFor()
  })

  test('W3: cards, a request for contact data, files and an emoji, also on a phone', async () => {
    const webchat = await embed()
    const { page } = await openTab({ viewport: { width: 375, height: 740 } })
    await page.goto(webchat.address)
    const widget = findWidget(page)
    await widget.open()
    const box = await page.locator('iframe').boundingBox()
    expect(box).toMatchObject({ x: 0, y: 0, width: 375, height: 740 })
    await page.setViewportSize({ width: 740, height: 375 })
    const turned = await page.locator('iframe').boundingBox()
    expect(turned).toMatchObject({ x: 0, y: 0, width: 740, height: 375 })
    await page.setViewportSize({ width: 375, height: 740 })
    await widget.frame.getByRole('button', { name: 'Insert an emoji' }).click()
    await check(page, 'emoji')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => widget.field.inputValue()).toBe('😄')
    await widget.field.press('Enter')
    await widget.log.getByText('Sent').waitFor()

    const png = readFileSync('docs/images/inbox-light.png')
    const choose = page.waitForEvent('filechooser')
    await widget.frame.getByRole('button', { name: 'Attach a file' }).click()
    await (await choose).setFiles([
      { name: 'lamp.png', mimeType: 'image/png', buffer: png },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Order 4711') },
    ])
    const image = widget.log.getByRole('img', { name: 'lamp.png' })
    await expect
      .poll(() => image.evaluate(item => (item as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
    await widget.log.getByRole('link', { name: /notes\.txt/ }).waitFor()

    const actions = [
      { type: 'reply', id: 'return', title: 'Return it' },
      { type: 'url', title: 'Our guarantee', url: 'https://shop.example/guarantee' },
    ]
    const header = { type: 'text', text: 'A broken lamp' }
    await answer(webchat, {
      type: 'rich',
      rich: { header, body: { text: 'What should we do?' }, footer: { text: 'Free of charge' }, actions },
    })
    await widget.log.getByRole('link', { name: 'Our guarantee' }).waitFor()
    await answer(webchat, {
      type: 'contactInfoRequest',
      contactInfoRequest: { body: { text: 'Where are you?' } },
    })
    await widget.frame.getByLabel('E-mail').fill('not an address')
    await widget.frame.getByRole('button', { name: 'Submit' }).click()
    await widget.frame.getByText('Please check the e-mail address.').waitFor()
    await check(page, 'cards')
    await widget.frame.getByLabel('E-mail').fill('bob@example.com')
    await widget.frame.getByRole('button', { name: 'Submit' }).click()
    await widget.log.locator('.own').getByText('bob@example.com').waitFor()
    expect(await widget.frame.getByRole('button', { name: 'Submit' }).count()).toBe(0)
  })

  test('W3: a rating after the end, the transcript, and Arabic from right to left', async () => {
    const webchat = await embed({ csat: { question: 'How was it?', delayMinutes: 0, commentQuestion: null } })
    const { page } = await openTab()
    await page.goto(webchat.address)
    const widget = findWidget(page)
    await widget.open()
    await widget.say('Thank you, all is well')
    await widget.log.getByText('Sent').waitFor()
    await answer(webchat, { type: 'text', text: { body: 'Glad to help' } })
    await widget.log.getByText('Glad to help').waitFor()
    const id = await findConversation(webchat)
    expect((await api.post(`/conversations/${id}/close`)).status).toBe(200)
    // The question of the inbox is asked once, with faces.
    await widget.log.getByText('How was it?').waitFor()
    expect(await widget.log.getByRole('button').count()).toBe(0)
    // The face stands for the radio button, which is not drawn; the log scrolls to it when it appears.
    await widget.frame.getByTitle('Very good').click()
    expect(await widget.frame.getByRole('radio', { name: 'Very good' }).isChecked()).toBe(true)
    await check(page, 'rating')
    await widget.frame.getByRole('button', { name: 'Submit' }).click()
    await widget.log.getByText('Thank you for your rating.').waitFor()
    const timeline = async () => JSON.stringify((await api.get(`/conversations/${id}/timeline`)).body)
    await expect.poll(timeline).toContain('"rated"')
    const download = page.waitForEvent('download')
    await widget.frame.getByRole('button', { name: 'Download the conversation' }).click()
    const chunks: Buffer[] = []
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toMatch(/: Glad to help\n.*: How was it\?\n$/)
    await widget.say('One more thing')
    await widget.log.getByText('Thank you for your rating.').waitFor({ state: 'detached' })
    await page.evaluate(() => window.parley!.setLocale('ar'))
    await widget.frame.getByRole('textbox', { name: 'رسالة' }).waitFor()
    await check(page, 'arabic')
  })

  test('the greeting stays first when the service sends it, and the view stays at the end when content grows', async () => {
    const webchat = await embed({ greeting: 'Hi! Ask us anything.' })
    const { page } = await openTab()
    await page.goto(webchat.address)
    const widget = findWidget(page)
    await widget.open()
    const greeting = widget.log.getByText('Hi! Ask us anything.')
    await greeting.waitFor()
    await widget.say('Do you have lamps?')
    const id = await findConversation(webchat)
    const texts = () => widget.log.locator('.bubble').allInnerTexts()
    const listSent = async () => (await api.get(`/conversations/${id}/messages`)).body.messages
    await until(listSent, found => found.length === 2)
    await answer(webchat, { type: 'text', text: { body: 'Many' } })
    await widget.log.getByText('Many').waitFor()
    const all = ['Hi! Ask us anything.', 'Do you have lamps?', 'Many']
    expect(await texts()).toEqual(all)
    await page.reload()
    await widget.open()
    await expect.poll(texts).toEqual(all)

    for (let n = 0; n < 12; n++) await answer(webchat, { type: 'text', text: { body: `Lamp ${n}` } })
    await widget.log.getByText('Lamp 11').waitFor()
    const measureDistance = () =>
      widget.log.evaluate(log => log.scrollHeight - log.scrollTop - log.clientHeight)
    await expect.poll(measureDistance).toBeLessThan(2)
    // The event of an earlier scroll arrives after something else was added.
    await widget.log.evaluate(log => {
      ;(log.firstElementChild as HTMLElement).style.paddingBottom = '300px'
      log.dispatchEvent(new Event('scroll'))
    })
    await expect.poll(measureDistance).toBeLessThan(2)
    // The visitor reads further up.
    await widget.log.evaluate(log => {
      log.scrollTop = 0
    })
    await widget.frame.locator('body').evaluate(() => new Promise(requestAnimationFrame))
    await answer(webchat, { type: 'text', text: { body: 'The last one' } })
    await widget.frame.getByRole('button', { name: 'New messages' }).waitFor()
    expect(await widget.log.evaluate(log => log.scrollTop)).toBe(0)
  })

  test('W10: with an invalid or expired token the visitor stays anonymous; a valid one is a verified contact', async () => {
    const webchat = await embed()
    const key = (await api.post(`/inboxes/${webchat.inboxId}/identity-key`)).body
    const customer = randomUUID()
    const sign = (secret: string, expiresIn: string) =>
      new SignJWT({ name: 'Ana', email: 'ana@example.com' })
        .setProtectedHeader({ alg: 'HS256', kid: key.keyId })
        .setSubject(customer)
        .setIssuedAt()
        .setExpirationTime(expiresIn)
        .sign(new TextEncoder().encode(secret))
    const { page } = await openTab({ expected: /401/ })
    await page.goto(webchat.address)
    const widget = findWidget(page)
    await widget.open()
    await widget.say('Who am I?')
    await widget.log.getByText('Sent').waitFor()
    const identify = async (jwt: string) =>
      page.evaluate(
        token =>
          new Promise(resolve => {
            const stop = window.parley!.on('identified', result => {
              stop()
              resolve(result)
            })
            window.parley!.identify({ jwt: token })
          }),
        jwt,
      )
    const id = await findConversation(webchat)
    const visitor = async () => (await api.get(`/conversations/${id}/visitor`)).body
    const refused = { isVerified: false, code: 'identity_invalid' }
    expect(await identify('not.a.token')).toEqual(refused)
    expect(await identify(await sign('a'.repeat(64), '2m'))).toEqual(refused)
    expect(await identify(await sign(key.secret, '-1m'))).toEqual(refused)
    expect(await identify(await sign(key.secret, '2h'))).toEqual(refused)
    expect(await visitor()).toMatchObject({ isVerified: false, name: null })
    expect(await identify(await sign(key.secret, '2m'))).toEqual({ isVerified: true, code: null })
    expect(await visitor()).toMatchObject({ isVerified: true, name: 'Ana' })
    await widget.log.getByText('Who am I?').waitFor()
  })
})
