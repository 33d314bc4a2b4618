/** Tests how the progress of actions on many things is followed: by frames, and by reading it again without a connection. */
import type { Page, WebSocketRoute } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

/** Holds back frames about bulk actions, or cuts the connection. */
async function controlFrames(page: Page) {
  let isUp = true
  let held: { socket: WebSocketRoute; frame: string }[] | undefined
  const sockets = new Set<WebSocketRoute>()
  await page.routeWebSocket(/\/v1\/realtime/, socket => {
    if (!isUp) return void socket.close({ code: 1012 })
    sockets.add(socket)
    socket.connectToServer().onMessage(message => {
      const frame = String(message)
      const { type, data } = JSON.parse(frame)
      if (held && type === 'changed' && /^(contact_)?bulk$/.test(data.kind)) held.push({ socket, frame })
      else socket.send(frame)
    })
  })
  return {
    hold: () => {
      held = []
    },
    release: () => {
      const frames = held ?? []
      held = undefined
      for (const { socket, frame } of frames) socket.send(frame)
    },
    cut: async () => {
      isUp = false
      await Promise.all([...sockets].map(socket => socket.close({ code: 1012 })))
    },
  }
}

/** Counts the readings of the progress. The first one finds the action unfinished, also on a fast machine. */
async function watchReadings(page: Page, path: RegExp): Promise<() => number> {
  let count = 0
  await page.route(path, async route => {
    if (route.request().method() !== 'GET' || count++ > 0) return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), status: 'running', changed: 0 } })
  })
  return () => count
}

describe.skipIf(!hasBrowser)('progress of bulk actions', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

  const kinds = [
    {
      kind: 'contacts',
      at: '/contacts',
      prepare: async (page: Page) => {
        await page.getByRole('checkbox', { name: 'Select all loaded contacts' }).check()
        return page.getByRole('button', { name: 'Archive the selection' })
      },
      label: 'Archive the selection',
      done: '3 contacts archived',
    },
    {
      kind: 'conversations',
      at: '/inbox?view=all',
      prepare: async (page: Page) => {
        await page.getByRole('link', { name: /Hello/ }).first().waitFor()
        await page.keyboard.press('*')
        await page.keyboard.press('a')
        return page.getByRole('button', { name: 'Close the selection' })
      },
      label: 'Close the selection',
      done: '3 conversations closed',
    },
  ]
  for (const { kind, at, prepare, label, done } of kinds)
    test(`on ${kind}: a frame shows the end; without a connection it is read again`, async () => {
      const office = await openOffice(service)
      for (const n of [0, 1, 2]) await office.receive(`+1415555071${n}`, 'Hello', `Person ${n}`)
      await expect.poll(async () => (await office.owner.api.get('/contacts')).body.contacts.length).toBe(3)
      const { page } = await openTab({ expected: /WebSocket/ })
      const frames = await controlFrames(page)
      const countReadings = await watchReadings(page, new RegExp(`/${kind}/bulk/\\w+$`))
      await signIn(page, service, office.owner, at)
      const isRunning = () => page.getByRole('progressbar', { name: label }).isVisible()
      frames.hold()
      await (await prepare(page)).click()
      await expect.poll(countReadings).toBe(1)
      await pause(2_500)
      expect(countReadings(), 'nothing is read without updates').toBe(1)
      expect(await isRunning()).toBe(true)
      frames.release()
      await page.getByText(done).waitFor()
      await frames.cut()
      await page.getByText(/Reconnecting/).waitFor()
      const before = countReadings()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(done.replace(/\w+$/, 'restored')).waitFor()
      expect(countReadings()).toBeGreaterThan(before)
    })
})
