/** Tests where the focus goes when the element that has it disappears: messages about actions, notes of a thread, dialogs. */
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { expectFocus, expectFocusKept, watchFocus } from '../support/keys.ts'
import { type Office, openOffice, type Person, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('kept focus', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const region = (page: Page) => page.getByRole('region', { name: 'Messages about your actions' })
  const article = (page: Page, text: string) =>
    page.getByRole('log').getByRole('article').filter({ hasText: text })
  const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })

  async function openThread(person: Person, id: string): Promise<Page> {
    const { page } = await openTab()
    await watchFocus(page)
    await signIn(page, service, person, `/inbox/${id}`)
    await article(page, 'about lamps').waitFor()
    return page
  }

  async function receive(office: Office): Promise<string> {
    const { api } = office.owner
    await office.receive('+14155550720', 'about lamps', 'Bo Customer')
    for (;;) {
      const [found] = (await api.get('/conversations')).body.conversations
      if (found) return found.id
    }
  }

  test('a message about an action returns the focus when it disappears, and after its button', async () => {
    const office = await openOffice(service)
    const page = await openThread(office.owner, await receive(office))
    const undo = region(page).getByRole('button', { name: 'Undo' })
    await page.keyboard.press('m')
    await undo.waitFor()
    await reply(page).focus()
    await undo.focus()
    await undo.waitFor({ state: 'detached' })
    await expectFocus(reply(page))
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await undo.waitFor()
    await reply(page).focus()
    await undo.press('Enter')
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
    await expectFocus(reply(page))
  })

  test('after a note was deleted, the next entry has the focus; after the last one, the composer', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const id = await receive(office)
    const notes: string[] = []
    for (const text of ['one', 'two', 'three', 'four'])
      notes.push((await api.post(`/conversations/${id}/notes`, { text: `Note ${text}` })).body.id)
    const page = await openThread(office.owner, id)
    const remove = (text: string) => article(page, text).getByRole('button', { name: 'Delete the note' })
    const entry = (n: number) => page.locator(`[data-entry="${notes[n]}"]`)
    await remove('Note one').press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the note' }).press('Enter')
    await expectFocus(entry(1))
    // A colleague deletes the note whose button has the focus.
    await remove('Note two').focus()
    await api.delete(`/notes/${notes[1]}`)
    await expectFocus(entry(2))
    await remove('Note four').press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the note' }).press('Enter')
    await expectFocus(reply(page))
    await expectFocusKept(page)
  })

  test('after an action on a selection, and after the selection is closed, the focus stays', async () => {
    const office = await openOffice(service)
    const page = await openThread(office.owner, `${await receive(office)}?view=all`)
    const bar = page.getByRole('region', { name: 'Selection' })
    await page.getByRole('link', { name: /about lamps/ }).waitFor()
    for (const button of ['Close the selection', 'Mark the selection as read']) {
      await page.keyboard.press('x')
      await bar.getByRole('button', { name: button }).press('Enter')
      await bar.waitFor({ state: 'detached' })
      await expectFocusKept(page)
    }
  })

  test('a dialog that replaces another returns the focus to the opener, also right after a change of screen', async () => {
    const office = await openOffice(service)
    const { page } = await openTab()
    await watchFocus(page)
    await signIn(page, service, office.owner, '/settings/labels')
    const dialog = page.getByRole('dialog')
    const invite = page.getByRole('button', { name: 'Invite', exact: true })
    await page.getByRole('link', { name: 'People and teams' }).press('Enter')
    await invite.press('Enter')
    await dialog.getByLabel('E-mail').fill('kim@example.com')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('I have stored it').press('Space')
    await dialog.getByRole('button', { name: 'Done' }).press('Enter')
    await expectFocus(invite)
  })
})
