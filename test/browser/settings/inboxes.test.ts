/** Tests the settings of inboxes: connect, check, change, replace the token and delete, for each channel. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startVisitor } from '../../../src/webchat/testing/visitor.ts'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  hasBrowser,
  holdConnections,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { type Office, openOffice, type Person, sendImmediately, signIn } from '../support/people.ts'
import { expectEmptyList, expectGoodScreen, requestAs } from '../support/settings.ts'

describe.skipIf(!hasBrowser)('settings of inboxes', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function openInboxes(person: Person, options?: Parameters<typeof openTab>[0]) {
    const tab = await openTab(options)
    await signIn(tab.page, service, person, '/settings/inboxes')
    return tab
  }

  async function startConnecting(page: Page, channel: string) {
    await page.getByRole('button', { name: 'Connect an inbox' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect an inbox' })
    await dialog.getByLabel('Channel').selectOption({ label: channel })
    await dialog.getByRole('button', { name: 'Use a sandbox account' }).click()
    return dialog
  }

  /** Replies in the inbox to the customer who wrote through the inbox on the page, and returns to its settings. */
  async function reply(page: Page, { owner: { api } }: Office): Promise<void> {
    const settings = page.url()
    const inboxId = settings.split('/').at(-1)
    const find = async () => (await api.get(`/conversations?inboxId=${inboxId}`)).body.conversations[0]
    await expect.poll(find).toBeDefined()
    await page.goto(`${service.url}/inbox/${(await find()).id}`)
    await page.getByRole('log').getByText('hello', { exact: true }).waitFor()
    const field = page.getByRole('textbox', { name: 'Reply' })
    await field.fill('answer')
    await field.press('Enter')
    await page.getByRole('log').getByText('answer', { exact: true }).waitFor()
    await page.goto(settings)
    await page.getByRole('button', { name: 'Delete the inbox' }).waitFor()
  }

  /** Lets a customer write, and replies through the inbox on the page. */
  async function exchange(page: Page, office: Office, from: string): Promise<void> {
    const { api } = office.owner
    const inboxId = page.url().split('/').at(-1)
    const content = { type: 'text', text: { body: 'hello' } }
    const { status } = await api.post('/sandbox/inbound', { inboxId, from, content })
    expect(status).toBe(202)
    await reply(page, office)
    const listSent = async () => (await api.get(`/sandbox/sent?inboxId=${inboxId}`)).body.items
    await expect.poll(listSent).toHaveLength(1)
    expect(JSON.stringify(await listSent())).toContain('answer')
  }

  test('each channel is connected with a sandbox account, sends, receives and is deleted', async () => {
    const office = await openOffice(service)
    const { page } = await openInboxes(office.owner)
    await sendImmediately(page)
    for (const [channel, id, from] of [
      ['Chat (WhatsApp)', 'chatapp', '+14155550101'],
      ['SMS (Twilio)', 'sms', '+14155550102'],
      ['Social (Instagram)', 'socialapp', '7700000001'],
    ] as const) {
      const dialog = await startConnecting(page, channel)
      if (id === 'chatapp') await expectAccessible(page, 'connect an inbox')
      if (id === 'socialapp') await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
      else {
        await dialog.getByRole('button', { name: 'Find the numbers' }).click()
        await dialog.getByRole('group', { name: 'Numbers' }).getByRole('checkbox').first().check()
        if (id === 'sms') await screenshot(page, 'settings-connect-numbers')
        await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
      }
      await page.getByRole('heading', { name: 'Health' }).waitFor()
      await page.getByText('Active', { exact: true }).waitFor()
      await exchange(page, office, from)
      await page.getByRole('button', { name: 'Delete the inbox' }).click()
      const question = page.getByRole('dialog', { name: /^Delete the inbox/ })
      await question.getByText('1 open conversation in this inbox: they are closed.').waitFor()
      if (id === 'chatapp') {
        await expectAccessible(page, 'delete an inbox')
        await screenshot(page, 'settings-inbox-delete')
      }
      await question.getByRole('button', { name: 'Delete the inbox' }).click()
      await page.getByRole('button', { name: 'Connect an inbox' }).waitFor()
    }
    const { inboxes } = (await office.owner.api.get('/inboxes')).body
    expect(inboxes.map((inbox: { id: string }) => inbox.id)).toEqual([office.inboxId])
  })

  test('a web chat is created, embedded, sends, receives, is changed and deleted', async () => {
    const office = await openOffice(service)
    const { owner } = office
    const { page } = await openInboxes(owner, { expected: /400/ })
    await sendImmediately(page)
    await page.getByRole('button', { name: 'Connect an inbox' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect an inbox' })
    expect(await dialog.getByLabel('Channel').inputValue()).toBe('webchat')
    await dialog.getByLabel('Name').fill('Shop')
    await dialog.getByLabel('Websites').fill('shop.example')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.locator('[aria-invalid]').waitFor()
    await dialog.getByText('Enter at most 50 addresses that begin with https://').waitFor()
    await expectAccessible(page, 'new web chat')
    await dialog.getByLabel('Websites').fill('https://shop.example/lamps?page=2')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('heading', { name: 'Put it on your website' }).waitFor()
    const at = `/inboxes/${page.url().split('/').at(-1)}`
    const read = async () => (await owner.api.get(at)).body
    const { inboxKey, allowedOrigins } = (await read()).webchat
    expect(allowedOrigins).toEqual(['https://shop.example'])
    await page.getByText(`src="${service.url}/widget.js" data-inbox="${inboxKey}"`).waitFor()
    expect(await page.getByLabel('New token').count()).toBe(0)
    const visitor = await startVisitor(service.url, inboxKey)
    await visitor.say('hello')
    await reply(page, office)
    await expect.poll(async () => JSON.stringify(await visitor.messages())).toContain('answer')

    const part = page.locator('form').filter({ has: page.getByLabel('Websites') })
    await part.getByLabel('Title', { exact: true }).fill('Ask the shop')
    await part.getByLabel('Colour').fill('#0a6b3d')
    await part.getByLabel('Side of the page').selectOption('left')
    await part.getByLabel('E-mail').selectOption('required')
    await part.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await read()).webchat).toMatchObject({
      appearance: { title: 'Ask the shop', accent: '#0a6b3d', position: 'left', subtitle: null },
      preChat: { fields: [{ key: 'email', label: null, isRequired: true }] },
    })
    await expectGoodScreen(page, 'settings-webchat')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const shown = page.getByRole('dialog', { name: 'Identity key' })
    const secret = await shown.getByRole('status', { name: 'Identity key' }).innerText()
    await shown.getByRole('checkbox').check()
    await shown.getByRole('button', { name: 'Done' }).click()
    const { keyId } = (await read()).webchat.identity
    await page.getByText(`Key in use: ${keyId}`).waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: 'Replace the key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the key' }).click()
    await shown.waitFor()
    expect((await read()).webchat.identity.keyId).not.toBe(keyId)
    await shown.getByRole('checkbox').check()
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Delete the inbox' }).click()
    await page
      .getByRole('dialog', { name: /^Delete the inbox/ })
      .getByRole('button', { name: 'Delete the inbox' })
      .click()
    await page.getByRole('button', { name: 'Connect an inbox' }).waitFor()
    expect((await owner.api.get(at)).status).toBe(404)
  })

  test('a number that is connected elsewhere is explained in plain words', async () => {
    const [office, other] = await Promise.all([openOffice(service), openOffice(service)])
    const { config } = (await other.owner.api.get(`/inboxes/${other.inboxId}`)).body
    const { page } = await openInboxes(office.owner, { expected: /409/ })
    await page.getByRole('button', { name: 'Connect an inbox' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Channel').selectOption('chatapp')
    await dialog.getByLabel('Business account id').fill(config.wabaId)
    await dialog.getByLabel('Own token').fill('any-token')
    await dialog.getByLabel('Phone number ids').fill(config.phoneNumberId)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByText(/is already connected, here or in another workspace/).waitFor()
    await expectAccessible(page, 'number connected elsewhere')
  })

  /** Sends a campaign to the customer; returns its address. */
  async function sendCampaign({ owner, inboxId, receive }: Office): Promise<string> {
    await receive('+14155550177', 'hello', 'Bo Customer')
    const everyone = { match: 'all', conditions: [] }
    const count = async () =>
      (await owner.api.post('/contacts/search/count', { filter: everyone })).body.totalSize
    await expect.poll(count).toBe(1)
    const segment = (await owner.api.post('/segments', { name: 'Everyone', filter: everyone })).body
    const { body } = await owner.api.post('/campaigns', { name: 'Spring' })
    const content = { type: 'text', text: { body: 'The lamps are here' } }
    const parts = { segmentId: segment.id, inboxId, content }
    expect((await owner.api.patch(`/campaigns/${body.id}`, parts)).status).toBe(200)
    expect((await owner.api.post(`/campaigns/${body.id}/schedule`, { sendAt: 'now' })).status).toBe(200)
    return `/campaigns/${body.id}`
  }

  test('an expired token makes the card red and a campaign wait; a new token clears both', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { page } = await openInboxes(office.owner, { expected: /409/ })
    const { name } = (await api.get(`/inboxes/${office.inboxId}`)).body
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    await card.getByText('Active', { exact: true }).waitFor()
    await card.getByText('Last event').waitFor()
    await api.put('/sandbox/faults', { requests: [{ answer: 'tokenExpired' }] })
    expect((await api.post(`/inboxes/${office.inboxId}/check`)).body.ok).toBe(false)
    // The health is pushed to the open page.
    await card.getByText('The provider rejects the token. Messages wait.').waitFor()
    await card.getByText('Degraded', { exact: true }).waitFor()
    expect(await card.getAttribute('data-tone')).toBe('danger')
    await expectGoodScreen(page, 'settings-inboxes')
    const campaign = await sendCampaign(office)
    const { page: sending } = await openTab()
    await signIn(sending, service, office.owner, campaign)
    const notice = sending.getByText(`Messages wait: the provider rejects the token of the inbox “${name}”.`)
    await notice.waitFor()
    await screenshots(sending, 'campaign-waits')
    await card.getByRole('link', { name }).click()
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText(/^The check failed:/).waitFor()
    await page.getByLabel('New token').fill('expired-again')
    await page.getByRole('button', { name: 'Save the token' }).click()
    await page.getByText('The provider rejects this token. The stored one stays.').waitFor()
    await api.delete('/sandbox/faults')
    await page.getByLabel('New token').fill('fresh-token')
    await page.getByRole('button', { name: 'Save the token' }).click()
    await page.getByText('Token saved. The provider accepts it.').waitFor()
    await page.getByText('Active', { exact: true }).waitFor()
    expect(await page.getByLabel('New token').inputValue()).toBe('')
    expect(await page.content()).not.toContain('fresh-token')
    await notice.waitFor({ state: 'hidden' })
    await sending.getByText('Finished').waitFor()
    expect((await api.get(`${campaign}/analytics`)).body.counts).toMatchObject({ pending: 0, failed: 0 })
  })

  test('name, team, hours and replies are changed by keyboard', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const team = (await api.post('/teams', { name: 'Harbor team' })).body
    const tab = await openTab()
    const { page } = tab
    await signIn(page, service, office.owner, `/settings/inboxes/${office.inboxId}`)
    const field = page.getByLabel('Name', { exact: true })
    await field.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Front desk')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Harbor')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Chosen')
    await page.getByRole('group', { name: 'Hours 1' }).waitFor()
    const greeting = page.getByRole('textbox', { name: 'Greeting' })
    for (let i = 0; i < 20 && !(await greeting.evaluate(element => element === document.activeElement)); i++)
      await page.keyboard.press('Tab')
    await page.keyboard.type('Welcome aboard')
    await page.keyboard.press('Tab')
    await page.keyboard.type('We are closed')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    const hours = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }]
    expect((await api.get(`/inboxes/${office.inboxId}`)).body).toMatchObject({
      name: 'Front desk',
      teamId: team.id,
      businessHours: hours,
      greeting: 'Welcome aboard',
      away: 'We are closed',
    })
    await page.getByRole('heading', { level: 1, name: 'Front desk' }).waitFor()
    await expectGoodScreen(page, 'settings-inbox')
  })

  test('templates and flows have a preview, with the texts of the provider', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { page } = await openTab({ expected: /404/ })
    await signIn(page, service, office.owner, `/settings/inboxes/${office.inboxId}`)
    const catalogue = `/inboxes/${office.inboxId}/chatapp`
    const unfold = async (name: string) => {
      const entry = page
        .getByRole('group')
        .filter({ hasText: new RegExp(`^\\s*${name}`) })
        .first()
      await entry.locator('summary').click()
      return entry
    }
    const { templates } = (await api.get(`${catalogue}/templates`)).body
    type Template = { name: string; components: { text?: string; buttons?: { text: string }[] }[] }
    const { name, components } = (templates as Template[]).find(one =>
      one.components.some(part => part.buttons),
    )!
    await page.getByText('pt_BR', { exact: true }).waitFor()
    const entry = await unfold(name)
    const shown = entry.getByRole('figure', { name: `Preview of ${name}` })
    for (const { text, buttons = [] } of components)
      for (const part of [text, ...buttons.map(button => button.text)])
        if (part) await shown.getByText(part, { exact: true }).waitFor()
    const { flows } = (await api.get(`${catalogue}/flows`)).body
    for (const flow of flows as { id: string; name: string }[]) {
      const { screens } = (await api.get(`${catalogue}/flows/${flow.id}/preview`)).body
      const details = await unfold(flow.name)
      const figures = details.getByRole('figure')
      await expect.poll(() => figures.count()).toBe(screens.length)
      for (const [i, { title, parts }] of screens.entries()) {
        const figure = details.getByRole('figure', { name: `Screen ${i + 1} of ${screens.length}` })
        await figure.getByText(title).first().waitFor()
        for (const { text, options } of parts)
          for (const part of [text, ...options]) await figure.getByText(part).first().waitFor()
      }
    }
    expect(flows.map(({ name }: { name: string }) => name)).toEqual(['Feedback', 'Book an appointment'])
    await page.getByText('Describe your order ORD-4711.').waitFor()
    await page.getByText('Main station', { exact: true }).waitFor()
    await screenshots(page, 'settings-previews')
    await shown.scrollIntoViewIfNeeded()
    await screenshots(page, 'settings-template-preview')
    await expectAccessible(page, 'previews')
  })

  test('a failed request shows its code and is repeated; without inboxes, the page says so', async () => {
    const office = await openOffice(service)
    await office.owner.api.delete(`/inboxes/${office.inboxId}`)
    const tab = await openTab({ expected: /500/ })
    const { page } = tab
    const problem = { code: 'internal_error', title: 'Internal error', requestId: 'req_1' }
    await page.route(/\/v1\/inboxes$/, route => route.fulfill({ status: 500, json: problem }), { times: 1 })
    await holdConnections(page)
    await signIn(page, service, office.owner, '/settings/inboxes')
    await page.getByText('internal_error · req_1').waitFor()
    await expectAccessible(page, 'inboxes that could not be read')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectEmptyList(
      page,
      'No inbox is connected yet.',
      'Connect an inbox',
      'An inbox is a number or an account through which customers write to you.',
    )
    await expectAccessible(page, 'no inboxes')
  })

  test('an agent sees the inboxes without controls, and the service refuses the requests', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    const { page } = await openInboxes(agent, { expected: /403/ })
    await page.getByRole('listitem').getByText('Active', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Connect an inbox' }).count()).toBe(0)
    await page.goto(`${service.url}/settings/inboxes/${office.inboxId}`)
    await page.getByRole('heading', { name: 'Templates' }).waitFor()
    const content = page.getByRole('region', { name: 'Settings' })
    expect(await content.getByRole('button').count()).toBe(0)
    expect(await content.getByRole('textbox').count()).toBe(0)
    expect(await requestAs(page, 'DELETE', `/inboxes/${office.inboxId}`)).toBe(403)
    expect(await requestAs(page, 'POST', `/inboxes/${office.inboxId}/check`)).toBe(403)
  })
})
