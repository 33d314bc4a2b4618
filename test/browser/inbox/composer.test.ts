/** Tests writing: a message is shown immediately, sent exactly once, and a draft is never lost. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { within } from '../../harness/wait.ts'
import {
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshot,
  screenshots,
} from '../support/browser.ts'
import { type Office, openOffice, sendImmediately, signIn } from '../support/people.ts'

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
const log = (page: Page) => page.getByRole('log')

/** Returns the texts that the provider accepted, in order. */
async function listSent({ owner, inboxId }: Office): Promise<string[]> {
  const { items } = (await owner.api.get(`/sandbox/sent?inboxId=${inboxId}`)).body
  return items.map((item: { payload: { text: { body: string } } }) => item.payload.text.body)
}

async function openThread(page: Page, text: string): Promise<void> {
  await page.getByRole('link', { name: new RegExp(text) }).click()
  await log(page).getByText(text).waitFor()
}

describe.skipIf(!hasBrowser)('composer', async () => {
  const service = await testService({ CONSOLE: 'development', SANDBOX: 'strict' }, { console: true })

  test('the own message is on the screen within 50 ms and two frames, while the service has not answered', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550130', 'quick?')
    const { page } = await openTab()
    await sendImmediately(page)
    await signIn(page, service, office.owner)
    await openThread(page, 'quick?')
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/v1/conversations/*/messages', async route => {
      if (route.request().method() === 'POST') await released
      await route.continue()
    })
    await reply(page).fill('as quick as a frame')
    await page.evaluate(() => {
      const shown = new Promise<{ isShown: boolean; ms: number }>(resolve => {
        const measure = ({ timeStamp }: Event) => {
          const isShown = () =>
            document.querySelector('[role="log"]')!.textContent!.includes('as quick as a frame')
          let ms = Number.POSITIVE_INFINITY
          // Callbacks of a frame run before it is drawn.
          const check = () => {
            if (isShown()) ms = Math.min(ms, performance.now() - timeStamp)
          }
          requestAnimationFrame(() => {
            check()
            requestAnimationFrame(() => {
              check()
              resolve({ isShown: isShown(), ms })
            })
          })
        }
        document.addEventListener('keydown', measure, { once: true, capture: true })
      })
      Object.assign(window, { shown })
    })
    await page.keyboard.press('Enter')
    const { isShown, ms } = await page.evaluate(
      () => (window as unknown as { shown: Promise<{ isShown: boolean; ms: number }> }).shown,
    )
    expect(isShown).toBe(true)
    expect(ms).toBeLessThanOrEqual(within(50))
    await log(page).getByText('Sending').waitFor()
    release()
    await log(page).getByText('Delivered').waitFor()
  })

  test('a message whose response is lost is sent once, although it is retried and the tab is reloaded', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550131', 'twice?')
    const { page } = await openTab({ expected: /ERR_FAILED|net::/ })
    await sendImmediately(page)
    await signIn(page, service, office.owner)
    await openThread(page, 'twice?')
    let attempts = 0
    await page.route('**/v1/conversations/*/messages', async route => {
      if (route.request().method() !== 'POST') return route.continue()
      attempts++
      // The service accepts each of them; the browser does not learn it.
      await route.fetch().catch(() => {})
      await route.abort().catch(() => {})
    })
    await reply(page).fill('only once')
    await page.keyboard.press('Enter')
    await expect.poll(() => attempts).toBeGreaterThan(1)
    await page.reload()
    await expect.poll(() => attempts).toBeGreaterThan(2)
    await page.unroute('**/v1/conversations/*/messages')
    await log(page).getByText('Delivered').waitFor()
    await expect.poll(() => log(page).getByText('only once').count()).toBe(1)
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain('only once')
    expect(await listSent(office)).toEqual(['only once'])
  })

  test('undo takes a message back into the composer, also with the key, and nothing is sent', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550132', 'undo?')
    const { page } = await openTab()
    // Long enough for the slowest machine.
    await page.addInitScript(() => localStorage.setItem('parley.preferences', '{"undoSendSeconds":600}'))
    await signIn(page, service, office.owner)
    await openThread(page, 'undo?')
    await reply(page).fill('too early')
    await page.keyboard.press('Enter')
    await log(page).getByText('too early').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('z')
    await expect.poll(() => reply(page).inputValue()).toBe('too early')
    await expect.poll(() => log(page).getByText('too early').count()).toBe(0)
    expect(await listSent(office)).toEqual([])
  })

  test('the undo bar covers nothing of the composer, also on a phone', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550131', 'where is the bar?')
    const { page } = await openTab()
    await page.addInitScript(() => localStorage.setItem('parley.preferences', '{"undoSendSeconds":600}'))
    await signIn(page, service, office.owner)
    await openThread(page, 'where is the bar?')
    await reply(page).fill('one\ntwo\nthree')
    await page.keyboard.press('Enter')
    const undo = page.getByRole('button', { name: 'Undo' })
    const kind = page.getByRole('group', { name: 'Reply or note' })
    const gap = async () => {
      const bar = (await undo.boundingBox())!
      return (await kind.boundingBox())!.y - (bar.y + bar.height)
    }
    for (const width of [1360, 360]) {
      await page.setViewportSize({ width, height: 740 })
      await undo.waitFor()
      await reply(page).fill('one\ntwo\nthree')
      await expect.poll(gap).toBeGreaterThanOrEqual(0)
      await reply(page).fill('one\ntwo\nthree\nfour')
      await expect.poll(gap).toBeGreaterThanOrEqual(0)
    }
    await page.goto(`${service.url}/inbox`)
    const space = () => page.evaluate(() => document.documentElement.style.getPropertyValue('--bottom-field'))
    await expect.poll(space).toBe('')
  })

  test('a message that waited for an undo is sent after a reload', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550133', 'reload?')
    const { page } = await openTab()
    await page.addInitScript(() => localStorage.setItem('parley.preferences', '{"undoSendSeconds":2}'))
    await signIn(page, service, office.owner)
    await openThread(page, 'reload?')
    await reply(page).fill('after the reload')
    await page.keyboard.press('Enter')
    await log(page).getByText('after the reload').waitFor()
    await page.reload()
    await log(page).getByText('Delivered').waitFor()
    expect(await listSent(office)).toEqual(['after the reload'])
  })

  test('drafts of replies and notes survive switching, a reload and signing out, each in its conversation', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550134', 'first customer')
    await office.receive('+14155550135', 'second customer')
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await openThread(page, 'first customer')
    await reply(page).fill('for the first')
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('about the first')
    await openThread(page, 'second customer')
    expect(await reply(page).inputValue()).toBe('')
    await reply(page).fill('for the second')
    await page.getByRole('link', { name: /Draft/ }).waitFor()
    await page.reload()
    await expect.poll(() => reply(page).inputValue()).toBe('for the second')
    await page.getByRole('button', { name: /Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').waitFor()
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /Draft/ }).first().waitFor()
    const { conversations } = (await office.owner.api.get('/conversations')).body
    const texts: Record<string, string> = {
      'first customer': 'for the first',
      'second customer': 'for the second',
    }
    for (const { id, lastMessagePreview } of conversations) {
      await page.goto(`${service.url}/inbox/${id}`)
      await expect.poll(() => reply(page).inputValue()).toBe(texts[lastMessagePreview])
    }
    const first = conversations.find(
      (item: { lastMessagePreview: string }) => item.lastMessagePreview === 'first customer',
    )
    await page.goto(`${service.url}/inbox/${first.id}`)
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('about the first')
  })

  test('the composer offers only templates when the messaging window has closed', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550136', 'see you tomorrow')
    const { page } = await openTab()
    await sendImmediately(page)
    await signIn(page, service, office.owner)
    await openThread(page, 'see you tomorrow')
    await reply(page).fill('kept while the window is closed')
    await office.owner.api.post('/sandbox/clock', { advanceSeconds: 25 * 3600 })
    // The page asks again automatically, without input.
    await page.getByText('The customer has not written for 24 hours: only templates can be sent.').waitFor()
    await page.getByRole('button', { name: 'Templates' }).click()
    await page.getByRole('button', { name: /^greeting en_US/ }).click()
    await page.getByLabel('Value of {{1}}').fill('Bo')
    await screenshot(page, 'template')
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await log(page).getByText('Delivered').waitFor()
    expect(await reply(page).inputValue()).toBe('kept while the window is closed')
  })

  test('a text is counted in the unit of its channel, and beside a file it is a message of its own without captions', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const account = String(Date.now())
    const { id: inboxId } = (await api.post('/inboxes', { socialapp: { resourceIds: [account] } })).body
      .inboxes[0]
    const content = { type: 'text', text: { body: 'how long is long?' } }
    await api.post('/sandbox/inbound', { inboxId, from: 'demo.customer', content })
    const { page } = await openTab()
    await sendImmediately(page)
    await signIn(page, service, office.owner)
    await openThread(page, 'how long is long')
    await reply(page).fill('é'.repeat(501))
    await page.getByText('Too long: 1002 of 1000 bytes').waitFor()
    expect(await reply(page).getAttribute('aria-invalid')).toBe('true')
    await expectAccessibleThemes(page, 'too long')
    await screenshots(page, 'composer-too-long')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Messages about your actions' }).getByText('Too long').waitFor()
    await reply(page).fill('beside a file')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach a file' }).click()
    const buffer = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await (await chooser).setFiles({ name: 'lamp.png', mimeType: 'image/png', buffer })
    await page.getByText('lamp.png').waitFor()
    await page.getByLabel('Uploading lamp.png').waitFor({ state: 'hidden' })
    await reply(page).press('Enter')
    const countSent = async () => (await api.get(`/sandbox/sent?inboxId=${inboxId}`)).body.items.length
    await expect.poll(countSent).toBe(2)
    await log(page).getByRole('img', { name: 'Image lamp.png' }).waitFor()
    expect(await log(page).getByText('Not sent').count()).toBe(0)
  })

  test('a conversation that a channel begins only with a template is started with one', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ expected: /403|409|422/ })
    await signIn(page, service, office.owner)
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New conversation' })
    await dialog.waitFor()
    await page.keyboard.type('+14155550178')
    await dialog.getByRole('button', { name: 'Write to +14155550178' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Message').fill('Hello')
    await page.keyboard.press('ControlOrMeta+Enter')
    await dialog.getByText('The customer has not written for 24 hours: only templates can be sent.').waitFor()
    expect((await office.owner.api.get('/conversations')).body.conversations).toEqual([])
    await dialog.getByRole('button', { name: 'Choose a template' }).click()
    await page.getByRole('button', { name: /^greeting en_US/ }).click()
    await page.getByLabel('Value of {{1}}').fill('Bo')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await log(page).getByText('Delivered').waitFor()
    expect((await office.owner.api.get('/conversations')).body.conversations).toHaveLength(1)
  })

  test('markup, script addresses, emoji, right-to-left and long text are shown as text', async () => {
    const office = await openOffice(service)
    const texts = [
      '<img src=x onerror="window.hacked=1">',
      'javascript:window.hacked=1 [link](javascript:window.hacked=1)',
      'שלום *עולם* 123',
      '🎉🎉',
      `${'long '.repeat(800)}end`,
    ]
    for (const [n, text] of texts.entries()) await office.receive(`+1415555014${n}`, text, `Zed Zero ${n}`)
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    for (const [n, text] of texts.entries()) {
      await page.getByRole('link', { name: new RegExp(`Zed Zero ${n}`) }).click()
      await page.getByRole('heading', { level: 1, name: `Zed Zero ${n}` }).waitFor()
      const message = log(page).getByRole('article')
      await message.waitFor()
      const shown = await message.innerText()
      expect(shown.replaceAll('*', '')).toContain(text.replaceAll('*', '').slice(0, 50).trim())
      expect(await message.locator('img, script, a[href^="javascript"]').count()).toBe(0)
      expect(await page.evaluate(() => 'hacked' in window), text).toBe(false)
    }
  })

  test('long messages show their beginning, one of 64 KiB fits the column, and the thread stays usable', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550138', 'replaced by a long one', 'Zed Zero')
    const readLast = async () =>
      (await office.owner.api.get('/conversations')).body.conversations[0]?.lastMessagePreview
    await expect.poll(readLast).toBe('replaced by a long one')
    await office.receive('+14155550138', 'replaced by a blank one', 'Zed Zero')
    await expect.poll(readLast).toBe('replaced by a blank one')
    const text = `${'<b>long</b> '.repeat(64 * 1024).slice(0, 32 * 1024)}${'x'.repeat(32 * 1024 - 4)} end`
    const { page } = await openTab()
    // No provider sends so much, but a thread may have it.
    await page.route(/\/timeline/, async route => {
      const response = await route.fetch()
      const body = (await response.text())
        .replaceAll('replaced by a long one', text)
        .replaceAll('replaced by a blank one', `above${'\\n'.repeat(10_000)}below`)
      await route.fulfill({ response, body })
    })
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /Zed Zero/ }).click()
    const [message, blank] = [log(page).getByRole('article').first(), log(page).getByRole('article').last()]
    await blank.getByText(/^above\s+below …/).waitFor()
    expect((await blank.boundingBox())!.height).toBeLessThan(200)
    const more = message.getByRole('button', { name: 'Show more' })
    await more.waitFor()
    expect((await message.innerText()).length).toBeLessThan(2_200)
    await more.click()
    await message.getByRole('button', { name: 'Show less' }).waitFor()
    const shown = await message.innerText()
    expect(shown).toContain('<b>long</b> <b>long</b>')
    expect(shown).toContain('xxx end')
    expect(await message.locator('b').count()).toBe(0)
    const width = await log(page).evaluate(element => element.scrollWidth - element.clientWidth)
    expect(width).toBe(0)
    await expectNoSidewaysScroll(page)
    await reply(page).fill('still usable')
    expect(await reply(page).inputValue()).toBe('still usable')
  })
})
