/** Tests who the visitor of a web chat is: signed by the site, another person in the same browser, or only a claim. */
import { setTimeout } from 'node:timers/promises'
import { SignJWT } from 'jose'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'
import { addWebchat, findWidget, renderPage, startSite } from '../support/site.ts'

describe.skipIf(!hasBrowser)('identity in the web chat', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const site = await startSite()

  async function openShop() {
    const office = await openOffice(service)
    const webchat = await addWebchat(service, office, [site.origin])
    const path = `/${webchat.inboxKey}`
    site.set(path, { body: renderPage(webchat.script) })
    const { secret } = (await office.owner.api.post(`/inboxes/${webchat.inboxId}/identity-key`)).body
    const sign = (subject: string, claims: Record<string, string>) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(subject)
        .setExpirationTime('2m')
        .sign(new TextEncoder().encode(secret))
    const { inboxId } = webchat
    return { office, sign, inboxId, api: office.owner.api, address: site.origin + path }
  }
  type Shop = Awaited<ReturnType<typeof openShop>>

  /** Passes the token to the chat and returns the data of the event. */
  const identify = (page: Page, jwt: string) =>
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
  const verified = { isVerified: true, code: null }

  const listConversations = async ({ api }: Pick<Shop, 'api'>) =>
    (await api.get('/conversations?channel=webchat')).body.conversations as {
      id: string
      contactId: string
      contactName: string | null
      externalId: string
    }[]

  async function readTexts({ api }: Pick<Shop, 'api'>, id: string): Promise<string[]> {
    const { messages } = (await api.get(`/conversations/${id}/messages`)).body
    return messages.map(({ content }: { content: { text?: { body: string } } }) => content.text?.body).sort()
  }

  test('a signed visitor has the verified name in the console, and what it wrote before stays', async () => {
    const shop = await openShop()
    const [visitor, agent] = [await openTab(), await openTab()]
    await visitor.page.goto(shop.address)
    const widget = findWidget(visitor.page)
    await widget.open()
    await widget.say('Is my order on its way?')
    await widget.log.getByText('Sent').waitFor()
    await signIn(agent.page, service, shop.office.owner)
    await agent.page.getByRole('link', { name: /Is my order on its way/ }).click()
    await agent.page.getByText('Not verified').waitFor()
    const [anonymous] = await until(
      () => listConversations(shop),
      list => list.length === 1,
    )
    await shop.api.post(`/conversations/${anonymous!.id}/messages`, {
      content: { type: 'text', text: { body: 'Who are you?' } },
    })
    await widget.log.getByText('Who are you?').waitFor()

    // A message that is on its way when the visitor is identified is not lost.
    await widget.say('One moment')
    const jwt = await shop.sign('u1', { name: 'Bela Cruz', email: 'bela@example.com' })
    expect(await identify(visitor.page, jwt)).toEqual(verified)
    await widget.say('I am signed in now')
    const all = ['Is my order on its way?', 'Who are you?', 'One moment', 'I am signed in now']
    const shown = () => widget.log.locator('.bubble').allInnerTexts()
    await expect.poll(shown).toEqual(all)
    await expect.poll(() => widget.log.getByText('Sending…').count()).toBe(0)

    await agent.page.getByText('Identified by the site').waitFor()
    // In the facts of the visitor, and at the contact.
    await expect.poll(() => agent.page.getByText('bela@example.com', { exact: true }).count()).toBe(2)
    const thread = agent.page.getByRole('log')
    await thread.getByText('I am signed in now').waitFor()
    for (const text of all) expect(await thread.getByText(text, { exact: true }).count(), text).toBe(1)
    await agent.page.getByRole('link', { name: /Bela Cruz.*I am signed in now/ }).waitFor()
    const conversations = await listConversations(shop)
    expect(conversations).toMatchObject([{ contactName: 'Bela Cruz', externalId: 'user:u1' }])
    expect(await readTexts(shop, conversations[0]!.id)).toEqual(all.toSorted())
    // A reload is the same person, without a new token.
    await visitor.page.reload()
    await widget.open()
    await expect.poll(shown).toEqual(all)
  })

  test('an inbox for identified visitors asks the others to sign in', async () => {
    const shop = await openShop()
    const change = (isRequired: boolean) =>
      shop.api.patch(`/inboxes/${shop.inboxId}`, { webchat: { identity: { isRequired } } })
    expect((await change(true)).status).toBe(200)
    const { page } = await openTab()
    await page.goto(shop.address)
    const widget = findWidget(page)
    const notice = 'Please sign in on this site to write to us.'
    await widget.button.click()
    await widget.frame.getByText(notice).waitFor()
    expect(await widget.field.count()).toBe(0)
    expect(await identify(page, await shop.sign('u1', { name: 'Bela Cruz' }))).toEqual(verified)
    await widget.say('It is me')
    await widget.log.getByText('Sent').waitFor()
    expect(await widget.frame.getByText(notice).count()).toBe(0)
    await page.reload()
    await widget.open()
    await widget.log.getByText('It is me').waitFor()

    // The inbox changes while the chat of an anonymous visitor is open.
    expect((await change(false)).status).toBe(200)
    const { page: other } = await openTab({ expected: /status of 403/ })
    await other.goto(shop.address)
    const anonymous = findWidget(other)
    await anonymous.open()
    await anonymous.say('Hello')
    await anonymous.log.getByText('Sent').waitFor()
    expect((await change(true)).status).toBe(200)
    await anonymous.say('Are you there?')
    await anonymous.frame.getByText(notice).waitFor()
    await anonymous.log.getByText('Not sent').waitFor()
  })

  test('another person who signs in sees and sends nothing of the one before, who finds everything again', async () => {
    const shop = await openShop()
    const { page, another } = await openTab({ expected: /409|ERR_FAILED/ })
    await page.goto(shop.address)
    const widget = findWidget(page)
    await widget.open()
    const bela = () => shop.sign('u1', { name: 'Bela Cruz', email: 'bela@example.com' })
    const carl = () => shop.sign('u2', { name: 'Carl Dietz' })
    // Of two concurrent tokens the last one counts, also when the first one arrives later.
    let requests = 0
    await page.route(/\/widget\/identify$/, async route => {
      if (++requests === 1) await setTimeout(500)
      await route.continue()
    })
    await page.evaluate(
      tokens =>
        new Promise<void>(resolve => {
          let count = 0
          window.parley!.on('identified', () => ++count === tokens.length && resolve())
          for (const jwt of tokens) window.parley!.identify({ jwt })
        }),
      [await carl(), await bela()],
    )
    await page.unrouteAll()
    await widget.say('My card ends with 4711')
    await widget.log.getByText('Sent').waitFor()
    const [own] = await until(
      () => listConversations(shop),
      list => list.length === 1,
    )
    await widget.frame.getByRole('button', { name: 'Close the chat' }).click()
    await shop.api.post(`/conversations/${own!.id}/messages`, {
      content: { type: 'text', text: { body: 'We refund 30 euros' } },
    })
    await page.getByRole('button', { name: 'Harbor Lights, 1 unread' }).waitFor()
    const { page: secondPage } = await another()
    await secondPage.goto(shop.address)
    const second = findWidget(secondPage)
    await second.open()
    await second.log.getByText('My card ends with 4711').waitFor()
    await widget.open()

    // A message that is not sent yet and a draft are of the first person, too.
    const isPost = (url: URL) => url.pathname === '/v1/widget/messages'
    await page.route(isPost, route =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await widget.say('My password is plum')
    await widget.log.getByText('My password is plum').waitFor()
    await widget.field.fill('And my address is')
    expect(await identify(page, await carl())).toEqual(verified)
    await page.unroute(isPost)

    const secrets = /4711|30 euros|password|my address/
    for (const { log, field } of [widget, second]) {
      await expect.poll(() => log.innerText()).not.toMatch(secrets)
      expect(await field.inputValue()).toBe('')
    }
    await expect.poll(() => widget.button.getAttribute('aria-label')).toBe('Harbor Lights')
    await widget.say('Hello, I am new here')
    for (const { log } of [widget, second])
      await expect.poll(() => log.locator('.bubble').allInnerTexts()).toEqual(['Hello, I am new here'])
    await widget.log.getByText('Sent').waitFor()
    await page.reload()
    await widget.open()
    await widget.log.getByText('Hello, I am new here').waitFor()
    expect(await widget.log.innerText()).not.toMatch(secrets)
    expect(
      await page
        .locator('iframe')
        .contentFrame()
        .locator('html')
        .evaluate(() => JSON.stringify(localStorage)),
    ).not.toMatch(secrets)
    const transcript = page.waitForEvent('download')
    await widget.frame.getByRole('button', { name: 'Download the conversation' }).click()
    let text = ''
    for await (const chunk of await (await transcript).createReadStream()) text += chunk
    expect(text).toContain('Hello, I am new here')
    expect(text).not.toMatch(secrets)

    const conversations = await until(
      () => listConversations(shop),
      list => list.length === 2,
    )
    const find = (name: string) => conversations.find(({ contactName }) => contactName === name)!
    expect(find('Bela Cruz').contactId).not.toBe(find('Carl Dietz').contactId)
    expect(await readTexts(shop, find('Carl Dietz').id)).toEqual(['Hello, I am new here'])
    expect(await readTexts(shop, own!.id)).toEqual(['My card ends with 4711', 'We refund 30 euros'])
    expect(await identify(page, await bela())).toEqual(verified)
    await expect
      .poll(() => widget.log.locator('.bubble').allInnerTexts())
      .toEqual(['My card ends with 4711', 'We refund 30 euros'])
  })

  test('what the page says of the visitor is a claim for the agent, without influence on what is signed', async () => {
    const shop = await openShop()
    const [visitor, agent] = [await openTab({ expected: /409/ }), await openTab()]
    await visitor.page.goto(shop.address)
    const widget = findWidget(visitor.page)
    await widget.button.waitFor()
    const claims = { name: 'Dora Ek', email: 'dora@example.com', phone: '+4930123456' }
    await visitor.page.evaluate(data => window.parley!.setContact(data), claims)
    await widget.open()
    await widget.say('Do you deliver?')
    await widget.log.getByText('Sent').waitFor()
    await signIn(agent.page, service, shop.office.owner)
    await agent.page.getByRole('link', { name: /Do you deliver/ }).click()
    await agent.page.getByText('Not verified').waitFor()
    for (const value of Object.values(claims))
      await agent.page.getByText(value, { exact: true }).first().waitFor()
    const [conversation] = await listConversations(shop)
    const load = async () => (await shop.api.get(`/contacts/${conversation!.contactId}`)).body
    const contact = await until(load, ({ name }) => name === 'Dora Ek')
    expect(contact.phone ?? null).toBeNull()
    expect(contact.identities).toHaveLength(1)
    const { name: _, ...others } = contact
    expect(JSON.stringify(others)).not.toMatch(/dora@example\.com|30123456/)

    await identify(visitor.page, await shop.sign('u1', { name: 'Bela Cruz', email: 'bela@example.com' }))
    await visitor.page.evaluate(data => window.parley!.setContact(data), claims)
    await widget.say('It is me')
    await agent.page.getByText('Identified by the site').waitFor()
    // In the facts of the visitor, and at the contact.
    await expect.poll(() => agent.page.getByText('bela@example.com', { exact: true }).count()).toBe(2)
    expect(await agent.page.getByText('dora@example.com').count()).toBe(0)
    expect(await listConversations(shop)).toMatchObject([{ contactName: 'Bela Cruz' }])
  })
})
