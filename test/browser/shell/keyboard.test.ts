/** Walks through the day of an agent by keyboard alone: from the form to the reply, the settings and the way out. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { isFocused, tabTo } from '../support/keys.ts'
import { openOffice, password } from '../support/people.ts'

describe.skipIf(!hasBrowser)('keyboard', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('an agent signs in, answers, organises, changes settings and signs out without a pointer', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550190', 'no mouse today', 'Kim Customer')
    const conversation = async () => (await api.get('/conversations')).body.conversations[0]
    await expect.poll(conversation).toBeDefined()
    const { page } = await openTab()
    const { keyboard } = page
    await page.goto(`${service.url}/inbox`)
    await tabTo(page, page.getByLabel('E-mail'))
    await keyboard.type(office.owner.email)
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await keyboard.type(password)
    await keyboard.press('Enter')

    const log = page.getByRole('log')
    await page.getByRole('link', { name: /no mouse today/ }).waitFor()
    await keyboard.press('j')
    await log.getByText('no mouse today').waitFor()
    await keyboard.press('r')
    await expect.poll(() => isFocused(page.getByRole('textbox', { name: 'Reply' }))).toBe(true)
    await keyboard.type('Keys are enough')
    await keyboard.press('Enter')
    await log.getByText('Delivered').waitFor()
    await keyboard.press('Escape')
    await keyboard.press('i')
    await expect.poll(() => isFocused(page.getByRole('textbox', { name: 'Note' }))).toBe(true)
    await keyboard.type('prefers keys')
    await keyboard.press('Enter')
    await log.getByText('prefers keys').waitFor()
    await keyboard.press('Escape')

    await keyboard.press('m')
    await expect.poll(async () => (await conversation()).activeOwner?.id).toBe(office.owner.id)
    await keyboard.press('l')
    await page.getByRole('dialog', { name: 'Labels' }).waitFor()
    await keyboard.type('keys')
    await page.getByRole('option', { name: 'Create the label “keys”' }).waitFor()
    await keyboard.press('Enter')
    await page.getByRole('option', { name: 'keys (chosen)' }).waitFor()
    await keyboard.press('Escape')
    await expect.poll(async () => (await conversation()).labelIds.length).toBe(1)

    const message = log.getByRole('article').filter({ hasText: 'no mouse today' })
    await tabTo(page, message.getByRole('button', { name: 'React', exact: true }))
    await keyboard.press('Enter')
    await expect.poll(() => isFocused(message.getByRole('button', { name: 'React with 👍' }))).toBe(true)
    await keyboard.press('Enter')
    await message.getByRole('button', { name: '👍 from You' }).waitFor()

    const name = page.getByRole('button', { name: /^Name of the contact/ })
    await tabTo(page, name)
    await keyboard.press('Enter')
    await keyboard.press('Control+A')
    await keyboard.type('Kim Keys')
    await keyboard.press('Enter')
    await expect.poll(async () => (await conversation()).name).toBe('Kim Keys')

    const palette = page.getByRole('dialog').getByRole('combobox')
    await keyboard.press('Control+K')
    await palette.waitFor()
    await keyboard.type('Settings')
    await page.getByRole('option', { name: /Go to: Settings/ }).waitFor()
    await keyboard.press('Enter')
    const sendWith = page.getByLabel('Send with')
    await tabTo(page, sendWith)
    await keyboard.press('ArrowDown')
    await expect.poll(() => sendWith.inputValue()).toBe('mod+enter')
    await tabTo(page, page.getByRole('link', { name: 'Skip to content' }), 'Shift+Tab')
    await keyboard.press('g')
    await keyboard.press('i')
    await page.getByRole('link', { name: /Kim Keys/ }).waitFor()
    await keyboard.press('j')
    await log.getByText('no mouse today').waitFor()
    await keyboard.press('e')
    await expect
      .poll(async () => (await api.get('/conversations?status=closed')).body.conversations.length)
      .toBe(1)
    await keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    await keyboard.press('Control+K')
    await palette.waitFor()
    await keyboard.type('Sign out')
    await page.getByRole('option', { name: /Sign out/ }).waitFor()
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})
