/** Finds things by keyboard alone: in the palette, and on the search page up to the message. The focus is never lost. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { eventually } from '../../harness/wait.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { expectFocus, expectFocusKept, startWalk, tabTo, watchFocus } from '../support/keys.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('search by keyboard', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('an agent opens a contact from the palette, and a message from the search page', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550197', 'Where is my parcel ORD-4711?', 'Ada Customer')
    const count = async () => (await api.get('/messages/search?q=parcel')).body.items.length
    await eventually(async () => expect(await count()).toBe(1))
    const [conversation] = (await api.get('/conversations')).body.conversations
    const note = await api.post(`/conversations/${conversation.id}/notes`, { text: 'parcel was late before' })
    expect(note.status).toBe(201)
    const { page } = await openTab()
    await watchFocus(page)
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /Ada Customer/ }).waitFor()
    const keys = startWalk(page)

    await keys.press('ControlOrMeta+k')
    const palette = page.getByRole('dialog')
    await expectFocus(palette.getByRole('combobox'))
    await keys.type('@ada')
    await palette.getByRole('option', { name: 'Ada Customer', selected: true }).waitFor()
    await keys.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Ada Customer' }).waitFor()
    await expectFocusKept(page)

    await keys.press('g')
    await keys.press('/')
    const words = page.getByRole('searchbox', { name: 'Words' })
    await expectFocus(words)
    await keys.type('parcel')
    const results = page.getByRole('list', { name: 'Results' }).getByRole('link')
    await expect.poll(() => results.allInnerTexts()).toEqual([expect.stringContaining('ORD-4711')])
    await tabTo(page, page.getByLabel('Search in'))
    await keys.press('ArrowDown')
    await expect.poll(() => results.allInnerTexts()).toEqual([expect.stringContaining('late before')])
    await keys.press('ArrowUp')
    await expect.poll(() => results.allInnerTexts()).toEqual([expect.stringContaining('ORD-4711')])
    await keys.activate(results.first())
    const entry = page.getByRole('log').locator(':focus')
    await entry.getByText('Where is my parcel ORD-4711?').waitFor()
    await expectFocusKept(page)
  })
})
