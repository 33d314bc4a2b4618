/** Tests saved replies and emoji: managed in the settings, inserted while typing. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  type OpenOptions,
  openTab,
  screenshot,
} from '../support/browser.ts'
import { type Office, openOffice, type Person, sendImmediately, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('saved replies', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function openThread(office: Office, person: Person, options: OpenOptions = {}) {
    await office.receive('+14155550160', 'where is it?', 'Bo Customer')
    const { page } = await openTab(options)
    await sendImmediately(page)
    await signIn(page, service, person)
    await page.getByRole('link', { name: /where is it/ }).click()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.waitFor()
    return { page, reply }
  }
  const createReply = async ({ owner }: Office, shortcut: string, text: string) => {
    const { status } = await owner.api.post('/saved-replies', { shortcut, text, scope: 'workspace' })
    expect(status).toBe(201)
  }

  test('/ finds a saved reply, which is inserted with the values of the conversation', async () => {
    const office = await openOffice(service)
    await createReply(office, 'delay', 'Sorry for the delay, {{contact.firstName}}. {{user.name}}')
    await createReply(office, 'thanks', 'Thank you, {{contact.email}}!')
    const { page, reply } = await openThread(office, office.owner)
    await reply.pressSequentially('Hello! /')
    const option = page.getByRole('listbox', { name: 'Saved replies' }).getByRole('option')
    await expect.poll(() => option.count()).toBe(2)
    await reply.pressSequentially('del')
    await expect.poll(() => option.count()).toBe(1)
    await screenshot(page, 'saved-replies')
    await expectAccessible(page, 'saved replies')
    await page.keyboard.press('Enter')
    await expect.poll(() => reply.inputValue()).toBe('Hello! Sorry for the delay, Bo. Ana Lima')
    await reply.pressSequentially(' /thanks')
    await option.click()
    await page.getByText('Without a value: contact.email').waitFor()
    await reply.fill('')
    await createReply(office, 'later', 'See you later')
    await reply.pressSequentially('/later')
    await page.getByRole('option', { name: /later/ }).waitFor()
    await page.keyboard.press('Escape')
    await reply.fill('well done :tad')
    await reply.press('End')
    await reply.pressSequentially('a')
    await page.getByRole('option', { name: '🎉 tada' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await reply.inputValue()).toBe('well done 🎉 ')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('well done 🎉').waitFor()
  })

  test('the button lists the saved replies, also on a phone, and keeps what was typed', async () => {
    const office = await openOffice(service)
    await createReply(office, 'delay', 'Sorry for the delay.')
    for (const [typed, viewport] of [
      ['', { width: 1360, height: 850 }],
      ['Hello!', { width: 360, height: 740 }],
    ] as const) {
      const { page, reply } = await openThread(office, office.owner, { viewport })
      await reply.fill(typed)
      await page.getByRole('button', { name: 'Saved replies' }).click()
      await page.getByRole('option', { name: /delay/ }).click()
      await expect.poll(() => reply.inputValue()).toBe(`${typed} Sorry for the delay.`.trim())
      await reply.fill('')
    }
  })

  test('{{ offers the values of the contact, the user and the workspace, and inserts one', async () => {
    const office = await openOffice(service)
    const { page, reply } = await openThread(office, office.owner)
    const { contacts } = (await office.owner.api.get('/contacts')).body
    await office.owner.api.post('/contacts/custom-fields', { name: 'plan', type: 'text' })
    const saved = await office.owner.api.patch(`/contacts/${contacts[0].id}`, {
      customFields: { cf_email: 'bo@example.com', plan: 'gold' },
    })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    await reply.pressSequentially('Dear {{')
    const options = page.getByRole('listbox', { name: 'Insert a value' }).getByRole('option')
    await expect
      .poll(() => options.allInnerTexts())
      .toEqual([
        'contact.name\nBo Customer',
        'contact.firstName\nBo',
        'contact.email\nbo@example.com',
        'contact.phone\n+14155550160',
        'contact.customFields.plan\ngold',
        'user.name\nAna Lima',
        'user.firstName\nAna',
        'workspace.name\nHarbor Lights',
      ])
    await screenshot(page, 'values')
    await expectAccessible(page, 'values')
    await reply.pressSequentially('firstN')
    await expect.poll(() => options.count()).toBe(2)
    await page.keyboard.press('Enter')
    await expect.poll(() => reply.inputValue()).toBe('Dear Bo')
    await reply.pressSequentially(', {{plan')
    await options.click()
    await expect.poll(() => reply.inputValue()).toBe('Dear Bo, gold')
  })

  test('a reply is sent from another inbox of the channel', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const number = String(Math.floor(Math.random() * 1e9))
    const chatapp = { resourceIds: [number], phoneNumberIds: [`${number}1`] }
    const other = (await api.post('/inboxes', { chatapp })).body.inboxes[0]
    await api.patch(`/inboxes/${other.id}`, { name: 'Second shop' })
    const { page, reply } = await openThread(office, office.owner)
    await page.getByRole('button', { name: /^Sends from/ }).click()
    await expectAccessible(page, 'inboxes')
    await page.getByRole('menuitemcheckbox', { name: 'Second shop' }).click()
    await page.getByRole('button', { name: 'Sends from Second shop. Change' }).waitFor()
    await screenshot(page, 'inbox-switch')
    await reply.fill('from the second shop')
    await reply.press('Enter')
    const sent = async () => (await api.get(`/sandbox/sent?inboxId=${other.id}`)).body.items
    await expect.poll(sent).toMatchObject([{ payload: { text: { body: 'from the second shop' } } }])
  })

  test('saved replies are created, changed, shared and deleted in the settings', async () => {
    const office = await openOffice(service)
    await createReply(office, 'taken', 'In use')
    const { page } = await openTab({ expected: /409/ })
    await signIn(page, service, office.owner, '/settings/saved-replies')
    await page.getByRole('button', { name: 'New saved reply' }).click()
    const dialog = page.getByRole('dialog', { name: 'New saved reply' })
    await dialog.getByLabel('Shortcut').fill('taken')
    await dialog.getByLabel('Text', { exact: true }).fill('We are open from nine to five.')
    await dialog.getByLabel('Who sees it').selectOption('Everyone')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Another saved reply has this shortcut.').waitFor()
    await expectAccessible(page, 'new saved reply')
    await dialog.getByLabel('Shortcut').fill('hours')
    await screenshot(page, 'saved-reply-dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('/hours').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await expectAccessible(page, 'saved replies in the settings')
    await screenshot(page, 'saved-replies-settings')
    await page.getByRole('button', { name: 'Edit /hours' }).click()
    await page.getByRole('dialog').getByLabel('Text', { exact: true }).fill('We are open from ten to five.')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('listitem').getByText('We are open from ten to five.').waitFor()
    await page.getByRole('button', { name: 'Delete /taken' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => page.getByText('In use').count()).toBe(0)
    const { savedReplies } = (await office.owner.api.get('/saved-replies')).body
    expect(savedReplies.map(({ shortcut }: { shortcut: string }) => shortcut)).toEqual(['hours'])
  })

  test('an agent on a phone inserts the shared ones and cannot change them', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    await createReply(office, 'hours', 'Nine to five')
    const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const
    const { page, reply } = await openThread(office, agent, phone)
    await reply.pressSequentially('/ho')
    await page.getByRole('option', { name: /hours/ }).click()
    await expect.poll(() => reply.inputValue()).toBe('Nine to five')
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'saved-replies-phone-dark')
    await page.goto(`${service.url}/settings/saved-replies`)
    await page.getByText('/hours').waitFor()
    expect(await page.getByRole('button', { name: /hours/ }).count()).toBe(0)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'saved replies on a phone')
  })
})
