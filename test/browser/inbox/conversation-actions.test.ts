/** Tests what an agent does with a conversation, by keys: every change is shown immediately and can be undone. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { type Office, openOffice, sendImmediately, signIn } from '../support/people.ts'

/** Chooses an entry of the open list by typing a part of it. */
async function choose(page: Page, list: string, text: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: list })
  await dialog.getByRole('combobox').fill(text)
  await dialog.getByRole('option', { name: text }).first().waitFor()
  await page.keyboard.press('Enter')
}

const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages about your actions' }).getByText(text)

describe.skipIf(!hasBrowser)('conversation actions', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function open(office: Office, text: string) {
    await office.receive('+14155550120', text, 'Bo Customer')
    const tab = await openTab()
    await sendImmediately(tab.page)
    await signIn(tab.page, service, office.owner)
    await tab.page.getByRole('link', { name: new RegExp(text) }).click()
    await tab.page.getByRole('log').getByText(text).waitFor()
    const id = new URL(tab.page.url()).pathname.split('/').at(-1)!
    const read = async () => (await office.owner.api.get(`/conversations/${id}`)).body
    return { ...tab, id, read }
  }

  test('close, reopen and their undo follow the keys, and the thread says who did it', async () => {
    const office = await openOffice(service)
    const { page, read } = await open(office, 'close me')
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await toast(page, 'Conversation with Bo Customer closed').waitFor()
    await expect.poll(async () => (await read()).status).toBe('closed')
    await page.getByRole('log').getByText('Closed by you').waitFor()
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
    await expect.poll(async () => (await read()).status).toBe('open')
    await page.getByRole('log').getByText('Reopened by you').waitFor()
  })

  test('an undo while a change is in flight undoes that change; nothing if it fails', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550120', 'undo me', 'Bo Customer')
    const { page } = await openTab({ expected: /503/ })
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /undo me/ }).click()
    await page.getByRole('log').getByText('undo me').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    const read = async () => (await office.owner.api.get(`/conversations/${id}`)).body
    await page.keyboard.press('m')
    await toast(page, 'Assigned to you').waitFor()
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/close', async route => {
      await released
      await route.continue()
    })
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await page.keyboard.press('z')
    release()
    await page.getByRole('log').getByText('Reopened by you').waitFor()
    await expect.poll(async () => (await read()).status).toBe('open')
    expect((await read()).activeOwner).toMatchObject({ type: 'user' })

    await page.unroute('**/close')
    const refused = page.waitForResponse('**/close')
    await page.route('**/close', route => route.fulfill({ status: 503, json: { code: 'x', title: 'x' } }))
    await page.keyboard.press('e')
    await page.keyboard.press('z')
    await refused
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
    await page.keyboard.press('z')
    await expect.poll(async () => (await read()).activeOwner).toBeNull()
  })

  test('owner, team, priority, label and snooze are chosen by keys; each list is accessible', async () => {
    const office = await openOffice(service)
    const colleague = await office.hire('Dee Park')
    const team = (await office.owner.api.post('/teams', { name: 'Night shift' })).body
    const { page, read, id } = await open(office, 'organise me')
    const step = async (key: string, list: string, text: string) => {
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name: list }).waitFor()
      await expectAccessible(page, list)
      await choose(page, list, text)
    }
    await page.keyboard.press('m')
    await toast(page, 'Assigned to you').waitFor()
    await page.keyboard.press('z')
    await expect.poll(async () => (await read()).activeOwner).toBeNull()
    await step('a', 'Assign', 'Dee Park')
    await toast(page, 'Assigned to Dee Park').waitFor()
    await expect.poll(async () => (await read()).activeOwner).toEqual({ type: 'user', id: colleague.id })
    await page.keyboard.press('z')
    await expect.poll(async () => (await read()).activeOwner).toBeNull()
    await step('t', 'Assign to a team', 'Night shift')
    await expect.poll(async () => (await read()).activeOwner).toEqual({ type: 'team', id: team.id })
    await page.keyboard.press('a')
    await choose(page, 'Assign', 'Nobody')
    await expect.poll(async () => (await read()).activeOwner).toBeNull()
    await step('p', 'Priority', 'Urgent')
    await expect.poll(async () => (await read()).priority).toBe('urgent')
    await page.keyboard.press('l')
    await page.getByRole('dialog', { name: 'Labels' }).getByRole('combobox').fill('refund')
    await page.getByRole('option', { name: 'Create the label “refund”' }).click()
    await toast(page, 'Label “refund” added').waitFor()
    await page.getByRole('option', { name: 'refund (chosen)' }).waitFor()
    await expectAccessible(page, 'labels')
    await page.keyboard.press('Escape')
    const [labelId] = (await read()).labelIds
    expect((await office.owner.api.get('/labels')).body.labels[0]).toMatchObject({
      id: labelId,
      name: 'refund',
    })
    await step('h', 'Snooze', 'Until the customer writes')
    await expect.poll(async () => (await read()).snoozed).toBe(true)
    const row = page.getByRole('link', { name: /Bo Customer.*Urgent.*Snoozed.*refund/s })
    await expect.poll(() => row.count()).toBe(0)
    await page.getByRole('link', { name: /^Snoozed/ }).click()
    await row.click()
    const details = page.getByRole('complementary', { name: 'Details' })
    for (const text of ['Snoozed', 'Urgent', 'refund'])
      await details.getByText(text, { exact: true }).waitFor()
    const name = 'waiting for the maker in Portugal'
    const { body: long } = await office.owner.api.post('/labels', { name })
    await office.owner.api.put(`/conversations/${id}/labels/${long.id}`)
    await details.getByText(name).waitFor()
    const { scroll, client } = await details.evaluate(({ scrollWidth, clientWidth }) => ({
      scroll: scrollWidth,
      client: clientWidth,
    }))
    expect(scroll).toBeLessThanOrEqual(client)
    await screenshot(page, 'organised')
    await page.keyboard.press('h')
    await expect.poll(async () => (await read()).snoozed).toBe(false)
    await page.getByText('No conversation is snoozed.').waitFor()
    await page.getByRole('log').getByText('Label “refund” added by you').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Labels' }).waitFor()
    await expectAccessible(page, 'menu of actions')
  })

  test('a conversation that is marked as unread stays unread while it is open', async () => {
    const office = await openOffice(service)
    const { page, read } = await open(office, 'read me later')
    await expect.poll(async () => (await read()).unreadCount).toBe(0)
    await page.keyboard.press('u')
    await page.getByRole('link', { name: /read me later.*1 unread message/s }).waitFor()
    await page.getByRole('link', { name: 'Inbox, 1 unread message' }).waitFor()
    await expect.poll(async () => (await read()).unreadCount).toBe(1)
  })

  test('a note with a mention reaches the colleague and never the customer', async () => {
    const office = await openOffice(service)
    const colleague = await office.hire('Dee Park', 'admin')
    const { page, id } = await open(office, 'what about notes?')
    const other = await openTab()
    await signIn(other.page, service, colleague, `/inbox/${id}`)
    await other.page.getByRole('log').getByText('what about notes?').waitFor()
    await page.keyboard.press('i')
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.pressSequentially('ask @De')
    await page.getByRole('option', { name: 'Dee Park' }).waitFor()
    await expectAccessible(page, 'mention')
    await page.keyboard.press('Enter')
    expect(await note.inputValue()).toBe('ask @Dee Park ')
    await note.pressSequentially('about the refund')
    await screenshot(page, 'note')
    await page.keyboard.press('Enter')
    const text = /ask @Dee Park about the refund/
    await page
      .getByRole('log')
      .getByRole('article')
      .filter({ hasText: text })
      .getByText('Note · You')
      .waitFor()
    await other.page.getByRole('log').getByText('Note · Ana Lima').waitFor()
    const { items } = (await office.owner.api.get(`/conversations/${id}/timeline`)).body
    expect(items[0].note.mentions).toEqual([colleague.id])
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await page.getByRole('textbox', { name: 'Reply' }).fill('a reply')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Delivered').waitFor()
    const sent = (await office.owner.api.get(`/sandbox/sent?inboxId=${office.inboxId}`)).body.items
    expect(sent.map((item: { payload: { text: { body: string } } }) => item.payload.text.body)).toEqual([
      'a reply',
    ])
  })

  test('a failed message shows the reason, and a retry delivers it', async () => {
    const office = await openOffice(service)
    const { page } = await open(office, 'does it fail?')
    const faults = { requests: [{ answer: 'accountLocked' }] }
    expect((await office.owner.api.put('/sandbox/faults', faults)).status).toBeLessThan(300)
    await page.getByRole('textbox', { name: 'Reply' }).fill('try this')
    await page.keyboard.press('Enter')
    const log = page.getByRole('log')
    await log.getByText('Failed').waitFor()
    await log.getByRole('button', { name: 'Try again' }).waitFor()
    await screenshot(page, 'failed')
    await office.owner.api.delete('/sandbox/faults')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+R')
    await log.getByText('Delivered').waitFor()
    await expect.poll(() => log.getByText('try this').count()).toBe(1)
  })

  test('a message is sent later, listed, cancelled, and scheduled again by undo', async () => {
    const office = await openOffice(service)
    const { page, id } = await open(office, 'write me tomorrow')
    const scheduled = async () => (await office.owner.api.get(`/conversations/${id}/scheduled`)).body.messages
    await page.getByRole('textbox', { name: 'Reply' }).fill('good morning')
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('dialog', { name: 'Send later' }).waitFor()
    await expectAccessible(page, 'send later')
    await choose(page, 'Send later', 'Another time')
    await page.getByText('Time zone: Europe/Berlin').waitFor()
    await expectAccessible(page, 'another time')
    await page.getByRole('dialog').getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('button', { name: '1 scheduled message' }).click()
    const dialog = page.getByRole('dialog', { name: 'Scheduled messages' })
    await dialog.getByText('good morning').waitFor()
    await expectAccessible(page, 'scheduled messages')
    const [message] = await scheduled()
    expect(new Date(message.sendAt).getTime()).toBeGreaterThan(Date.now())
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await toast(page, 'Scheduled message cancelled').waitFor()
    await expect.poll(scheduled).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('z')
    await page.getByRole('button', { name: '1 scheduled message' }).waitFor()
    await expect.poll(async () => (await scheduled())[0]?.sendAt).toBe(message.sendAt)
    await expect.poll(() => page.getByRole('log').getByText('good morning').count()).toBe(0)
  })

  test('the sandbox panel plays the customer: writes, reacts, sends a file, lets time pass and delays callbacks', async () => {
    const office = await openOffice(service)
    const { page } = await open(office, 'play me')
    const log = page.getByRole('log')
    await page.getByRole('textbox', { name: 'Reply' }).fill('a reply to react to')
    await page.keyboard.press('Enter')
    await log.getByText('Delivered').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    await page.getByLabel('Write as Bo Customer').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('it is me again')
    await page.keyboard.press('Enter')
    await log.getByText('it is me again').waitFor()
    await page.getByRole('button', { name: 'React with 👍' }).click()
    await log.getByRole('article').filter({ hasText: 'a reply to react to' }).getByText('👍').waitFor()
    const advanced = page.waitForResponse(/sandbox\/clock/)
    await page.getByRole('button', { name: 'Advance the clock by 24 h' }).click()
    expect((await advanced).status()).toBe(200)
    await page.locator('[data-sandbox] input[type=file]').setInputFiles({
      name: 'receipt.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('paid'),
    })
    await log.getByText('receipt.txt').waitFor()
    const callbacks = page.getByLabel('Callbacks of the provider')
    const lost = page.waitForResponse(/sandbox\/faults/)
    await callbacks.selectOption('Never')
    expect((await lost).status()).toBe(200)
    await expect.poll(() => callbacks.inputValue()).toBe('never')
    const restored = page.waitForResponse(/sandbox\/faults/)
    await callbacks.selectOption('Immediately')
    expect((await restored).status()).toBe(204)
    await expect.poll(() => callbacks.inputValue()).toBe('none')
    await screenshot(page, 'sandbox')
    await expectAccessible(page, 'sandbox')
  })
})
