/** Tests that nothing is lost or sent twice when the service is killed while agents work. */
import { afterAll, describe, expect, test } from 'vitest'
import { cleanUp, fresh, scratch, start } from '../../system/program.ts'
import { type ConsoleTab, hasBrowser, openTab } from '../support/browser.ts'
import { password } from '../support/people.ts'

interface Desk extends ConsoleTab {
  name: string
  customer: string
  /** The messages that this agent sent, in order. */
  sent: string[]
}

describe.skipIf(!hasBrowser)('crash', () => {
  afterAll(cleanUp)

  test('the service is killed and restarted while three agents type and send', async () => {
    const dataDir = fresh(scratch(), 'crash')
    const options = { dataDir, env: { CONSOLE: 'on' } }
    let service = await start(options)
    await service.ready()
    const port = Number(new URL(service.url).port)
    // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies freely
    const call = async (method: string, path: string, body?: unknown): Promise<any> =>
      (await service.call(method, path, body)).json()
    const { inboxes } = await call('GET', '/inboxes')
    const inboxId = inboxes.find((inbox: { channel: string }) => inbox.channel === 'chatapp').id as string
    const desks: Desk[] = []
    for (const [n, name] of ['Ana', 'Ben', 'Cleo'].entries()) {
      const customer = `+1415555018${n}`
      const content = { type: 'text', text: { body: `question for ${name}` } }
      await call('POST', '/sandbox/inbound', { inboxId, from: customer, content })
      const email = `${name.toLowerCase()}@example.com`
      const { token } = await call('POST', '/users/invitations', { email, role: 'agent' })
      const tab = await openTab({ expected: /Failed to load resource|WebSocket connection|status of 5/ })
      await tab.page.addInitScript(() => localStorage.setItem('parley.preferences', '{"undoSendSeconds":0}'))
      await tab.page.goto(`${service.url}/invitation#${token}`)
      await tab.page.getByLabel('Your name').fill(name)
      await tab.page.getByLabel('New password', { exact: true }).fill(password)
      await tab.page.getByRole('button', { name: 'Join' }).click()
      await tab.page.getByRole('link', { name: new RegExp(`question for ${name}`) }).click()
      await tab.page.getByRole('textbox', { name: 'Reply' }).waitFor()
      desks.push({ ...tab, name, customer, sent: [] })
    }
    const write = async ({ page, name, sent }: Desk, count: number) => {
      for (let n = 0; n < count; n++) {
        const text = `${name} ${sent.length + 1}`
        await page.getByRole('textbox', { name: 'Reply' }).fill(text)
        await page.keyboard.press('Enter')
        sent.push(text)
      }
    }
    // Killed between the messages of all three, written to while it is down, and started again.
    const writing = Promise.all(desks.map(desk => write(desk, 6)))
    await desks[0]!.page.getByRole('log').getByText('Ana 2', { exact: true }).waitFor()
    await service.kill()
    await writing
    await Promise.all(desks.map(desk => write(desk, 2)))
    for (const { page, name } of desks) {
      await page.getByText('Reconnecting…').waitFor()
      await page.getByRole('textbox', { name: 'Reply' }).fill(`draft of ${name}`)
    }
    service = await start({ ...options, port })
    await service.ready()
    for (const { page, name, customer, sent } of desks) {
      const received = async () => {
        const { items } = await call(
          'GET',
          `/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(customer)}`,
        )
        return items.map((item: { payload: { text: { body: string } } }) => item.payload.text.body)
      }
      await expect.poll(received).toEqual(sent)
      // A send that the kill interrupted is taken over when its lease expires, and its result is looked up first.
      const id = new URL(page.url()).pathname.split('/').at(-1)
      const listPending = async () => {
        const { messages } = await call('GET', `/conversations/${id}/messages`)
        return messages.filter(({ status }: { status: string }) => status === 'pending')
      }
      await expect.poll(listPending, { timeout: 180_000 }).toEqual([])
      await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
      await expect.poll(() => page.getByRole('log').getByText('Sending').count()).toBe(0)
      for (const text of sent)
        await expect.poll(() => page.getByRole('log').getByText(text, { exact: true }).count()).toBe(1)
      expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe(`draft of ${name}`)
    }
  })
})
