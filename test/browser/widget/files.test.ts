/** Tests the files of visitors: sent in the order in which they were chosen, refused with a reason, and cancelled. */
import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { openOffice } from '../support/people.ts'
import { addWebchat, findWidget, renderPage, startSite } from '../support/site.ts'

describe.skipIf(!hasBrowser)('files in the web chat', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const site = await startSite()

  test('files are sent in the order in which they were chosen; one that is refused or cancelled does not hold up the others', async () => {
    const office = await openOffice(service)
    const { inboxId, script } = await addWebchat(service, office, [site.origin])
    site.set('/', { body: renderPage(script) })
    const { page } = await openTab({ expected: /415/ })
    await page.goto(site.origin)
    const { frame, log, open, say } = findWidget(page)
    await open()
    await say('Two files')
    await log.getByText('Sent').waitFor()
    const held: Route[] = []
    await page.route(/\/widget\/uploads$/, route => {
      if (/slow/.test(route.request().postData() ?? '')) held.push(route)
      else void route.continue()
    })
    const choose = async (...names: string[]) => {
      const chooser = page.waitForEvent('filechooser')
      await frame.getByRole('button', { name: 'Attach a file' }).click()
      const files = names.map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }))
      await (await chooser).setFiles(files)
    }
    await choose('slow.txt', 'quick.txt')
    await expect.poll(() => held.length).toBe(1)
    const progress = frame.getByRole('progressbar')
    await expect.poll(() => progress.count()).toBe(1)
    await held[0]!.continue()
    await log.getByRole('link', { name: 'quick.txt' }).waitFor()
    await choose('page.html')
    await frame.getByText('page.html cannot be sent: its type or size is not accepted.').waitFor()
    await frame.getByRole('button', { name: 'Cancel' }).click()
    await choose('slow too.txt', 'last.txt')
    await expect.poll(() => held.length).toBe(2)
    await expect.poll(() => progress.count()).toBe(1)
    await frame.getByRole('button', { name: 'Cancel' }).click()
    await log.getByRole('link', { name: 'last.txt' }).waitFor()
    expect(await progress.count()).toBe(0)

    const { api } = office.owner
    const [{ id }] = (await api.get(`/conversations?inboxId=${inboxId}`)).body.conversations
    const list = async () => (await api.get(`/conversations/${id}/messages`)).body.messages
    type Message = { content: { media?: { filename: string } }; createdAt: string }
    const messages: Message[] = await until(list, found => found.length === 4)
    const names = messages.flatMap(({ content }) => content.media?.filename ?? [])
    expect([...names].sort()).toEqual(['last.txt', 'quick.txt', 'slow.txt'])
    expect(await log.getByRole('link').allInnerTexts()).toEqual(
      ['slow.txt', 'quick.txt', 'last.txt'].map(name => expect.stringContaining(name)),
    )
  })
})
