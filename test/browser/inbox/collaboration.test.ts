/** Tests two browsers at one conversation: drafts follow the user, and colleagues see each other. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { type Office, openOffice, type Person, sendImmediately, signIn } from '../support/people.ts'

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
const log = (page: Page) => page.getByRole('log')

describe.skipIf(!hasBrowser)('collaboration', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  /** Lets a customer write; returns the id of the conversation. */
  async function startConversation({ owner, receive }: Office, from: string, text: string): Promise<string> {
    await receive(from, text)
    const find = async () => {
      const { conversations } = (await owner.api.get('/conversations')).body
      return conversations.find((item: { lastMessagePreview: string }) => item.lastMessagePreview === text)
        ?.id
    }
    await expect.poll(find).toBeDefined()
    return find()
  }

  async function openThread(person: Person, id: string): Promise<Page> {
    const { page } = await openTab({
      expected: /ERR_INTERNET_DISCONNECTED|WebSocket connection|status of 409/,
    })
    await sendImmediately(page)
    await signIn(page, service, person, `/inbox/${id}`)
    await reply(page).waitFor()
    return page
  }
  const draftOf = async ({ owner }: Office, id: string) =>
    (await owner.api.get(`/conversations/${id}/draft`)).body.draft?.content.text

  test('a draft is in another browser, follows both, and is removed everywhere when it is sent', async () => {
    const office = await openOffice(service)
    const first = await startConversation(office, '+14155550141', 'first customer')
    const second = await startConversation(office, '+14155550142', 'second customer')
    const page = await openThread(office.owner, first)
    await reply(page).fill('begun here')
    await expect.poll(() => draftOf(office, first)).toBe('begun here')
    const other = await openThread(office.owner, first)
    await expect.poll(() => reply(other).inputValue()).toBe('begun here')
    await reply(other).fill('begun here, continued there')
    await expect.poll(() => reply(page).inputValue()).toBe('begun here, continued there')
    await other.getByRole('link', { name: /second customer/ }).click()
    await log(other).getByText('second customer').waitFor()
    expect(await reply(other).inputValue()).toBe('')
    await other.getByRole('link', { name: /Draft/ }).waitFor()
    await reply(page).press('Enter')
    await log(page).getByText('begun here, continued there').waitFor()
    await expect.poll(() => other.getByRole('link', { name: /Draft/ }).count()).toBe(0)
    await expect.poll(() => draftOf(office, first)).toBeUndefined()
    expect(await draftOf(office, second)).toBeUndefined()
  })

  test('of two drafts that were written offline and elsewhere, the newer one stays', async () => {
    const office = await openOffice(service)
    const id = await startConversation(office, '+14155550143', 'which one?')
    const page = await openThread(office.owner, id)
    await page.context().setOffline(true)
    await reply(page).fill('older, offline')
    const content = { text: 'newer, elsewhere' }
    const saved = await office.owner.api.put(`/conversations/${id}/draft`, {
      kind: 'reply',
      content,
      revision: 0,
    })
    expect(saved.status).toBe(200)
    await page.context().setOffline(false)
    await expect.poll(() => reply(page).inputValue()).toBe('newer, elsewhere')
    await reply(page).fill('newest, here')
    await expect.poll(() => draftOf(office, id)).toBe('newest, here')
  })

  test('colleagues see who views and who writes; both end', async () => {
    const office = await openOffice(service)
    const colleague = await office.hire('Dee Park', 'admin')
    const id = await startConversation(office, '+14155550144', 'who is there?')
    const page = await openThread(office.owner, id)
    const other = await openThread(colleague, id)
    await page.getByRole('img', { name: 'Dee Park is viewing this conversation' }).waitFor()
    await other.getByRole('img', { name: 'Ana Lima is viewing this conversation' }).waitFor()
    const { page: third } = await openTab()
    await signIn(third, service, office.owner)
    const row = third.getByRole('link', { name: /who is there/ })
    await row.getByRole('img', { name: 'Dee Park is viewing this conversation' }).waitFor()
    // Awaited before it begins: on a slow machine it may be over soon after the last key.
    const seen = Promise.all([
      row.getByRole('img', { name: 'Dee Park is writing' }).waitFor(),
      page.getByText('Dee Park is writing', { exact: true }).waitFor(),
    ])
    await reply(other).pressSequentially('I am on it')
    await seen
    await screenshot(third, 'row-writing')
    await screenshot(page, 'writing')
    await expectAccessible(page, 'a colleague writes')
    // The service ends it five seconds after the last keystroke.
    const writing = page.getByText('Dee Park is writing', { exact: true })
    await writing.waitFor({ state: 'hidden' })
    await reply(other).press('!')
    await writing.waitFor({ timeout: within(1_000) })
    await writing.waitFor({ state: 'hidden', timeout: within(6_000) })
    await other.getByRole('button', { name: 'Note', exact: true }).click()
    const seenNote = page.getByText('Dee Park is writing a note').waitFor()
    await other.getByRole('textbox', { name: 'Note' }).pressSequentially('look')
    await seenNote
    await other.close()
    await expect.poll(() => page.getByRole('img', { name: /is viewing/ }).count()).toBe(0)
    await expect.poll(() => row.getByRole('img', { name: /Dee Park/ }).count()).toBe(0)
    expect(await page.getByText(/is writing/).count()).toBe(0)
  })

  test('a reply of a colleague since the first keystroke is shown, and confirmed once', async () => {
    const office = await openOffice(service)
    const colleague = await office.hire('Dee Park', 'admin')
    const id = await startConversation(office, '+14155550145', 'who answers?')
    const page = await openThread(office.owner, id)
    await log(page).getByText('who answers?').waitFor()
    await reply(page).fill('my answer')
    const content = { type: 'text', text: { body: 'answer of Dee' } }
    await colleague.api.post(`/conversations/${id}/messages`, { content })
    await log(page).getByText('answer of Dee').waitFor()
    await reply(page).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Dee Park replied while you were writing' })
    await dialog.getByText('answer of Dee').waitFor()
    await screenshot(page, 'collision')
    await expectAccessible(page, 'collision')
    await dialog.getByRole('button', { name: 'Keep writing' }).click()
    expect(await reply(page).inputValue()).toBe('my answer')
    await reply(page).press('Enter')
    await log(page).getByText('my answer').waitFor()
    expect(await dialog.count()).toBe(0)
    await reply(page).fill('and another')
    await reply(page).press('Enter')
    await log(page).getByText('and another').waitFor()
  })
})
