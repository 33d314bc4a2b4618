/** Tests the bell: notifications arrive, are read in all tabs, lead to the message, and appear as the user prefers. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('notifications', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('a mention appears in all tabs, leads to the note, and is then read everywhere', async () => {
    const office = await openOffice(service)
    const colleague = await office.hire('Dee Park', 'admin')
    await office.receive('+14155550140', 'where is it?', 'Bo Customer')
    const list = async () => (await office.owner.api.get('/conversations')).body.conversations
    await expect.poll(async () => (await list()).length).toBe(1)
    const [{ id }] = await list()
    const { page, another } = await openTab()
    await signIn(page, service, colleague)
    const second = (await another()).page
    await second.goto(`${service.url}/settings`)
    await second.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
    const path = `/conversations/${id}`
    const note = await office.owner.api.post(`${path}/notes`, {
      text: 'look at this',
      mentions: [colleague.id],
    })
    expect(note.status).toBe(201)
    await office.owner.api.put(`${path}/owner`, { type: 'user', id: colleague.id })
    await second.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor()
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    const sheet = page.getByRole('dialog', { name: 'Notifications' })
    await sheet
      .getByRole('button', { name: /Ana Lima assigned you the conversation with Bo Customer/ })
      .waitFor()
    await screenshot(page, 'notifications')
    await expectAccessible(page, 'notifications')
    await sheet.getByRole('button', { name: /Ana Lima mentioned you in a note about Bo Customer/ }).click()
    await page.getByRole('log').getByText('look at this').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/inbox/${id}`)
    await second.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
    await second.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    await second.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
    await expect.poll(async () => (await colleague.api.get('/notifications')).body.unreadCount).toBe(0)
  })

  test('kinds, sound and desktop notifications follow the settings; one tab of two shows them', async () => {
    const office = await openOffice(service)
    const { page, another } = await openTab({ permissions: ['notifications'] })
    const shown: string[] = []
    await page.context().exposeFunction('noteShown', (text: string) => shown.push(text))
    await page.context().addInitScript(() => {
      class Recorder {
        static permission = 'granted'
        static requestPermission = async () => 'granted'
        close() {}
        constructor(_title: string, { body }: { body: string }) {
          void (window as unknown as { noteShown: (text: string) => void }).noteShown(body)
        }
      }
      Object.assign(window, { Notification: Recorder })
    })
    await signIn(page, service, office.owner, '/settings')
    await page.getByRole('checkbox', { name: 'Desktop notifications' }).check()
    await page.getByRole('checkbox', { name: 'Notify me of assignments' }).uncheck()
    await expectAccessible(page, 'settings of notifications')
    await page.getByRole('button', { name: 'Try it' }).click()
    await expect.poll(() => shown).toEqual(['This is how a notification looks.'])
    const saved = async () => (await office.owner.api.get('/users/me/notification-preferences')).body
    await expect.poll(saved).toEqual({ mention: true, assignment: false, message: true })
    const second = (await another()).page
    await second.goto(`${service.url}/inbox`)
    await second.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
    await office.receive('+14155550141', 'hello', 'Cy Customer')
    await second.getByRole('link', { name: /Cy Customer/ }).click()
    await second.keyboard.press('m')
    await second.goto(`${service.url}/settings`)
    await second.getByRole('heading', { name: 'Preferences' }).waitFor()
    await office.receive('+14155550141', 'are you there?', 'Cy Customer')
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
    await second.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
    await expect.poll(() => shown.slice(1)).toEqual(['1 new message from Cy Customer'])
    // The other tab follows, and does not save what it has received.
    const savedBySecond: string[] = []
    second.on('request', request => {
      if (request.method() === 'PUT') savedBySecond.push(request.url())
    })
    await page.getByRole('checkbox', { name: 'Sound', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Notify me of assignments' }).check()
    await expect
      .poll(() => second.getByRole('checkbox', { name: 'Sound', exact: true }).isChecked())
      .toBe(true)
    await expect
      .poll(() => second.getByRole('checkbox', { name: 'Notify me of assignments' }).isChecked())
      .toBe(true)
    await second.getByRole('checkbox', { name: 'Desktop notifications' }).uncheck()
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Desktop notifications' }).isChecked())
      .toBe(false)
    expect(savedBySecond).toHaveLength(1)
  })
})
