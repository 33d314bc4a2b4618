/**
 * Stops the service in the middle of the main task of every screen: nothing is lost, the screen says so, and the task is
 * completed once after the service is back.
 */
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { client } from '../../harness/api.ts'
import { cleanUp, fresh, type Service, scratch, start } from '../../system/program.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { type Call, type Task, unreachable } from './outage-task.ts'
import { listTasks, prepare } from './outage-tasks.ts'
import { isSampled } from './screens.ts'

describe.skipIf(!hasBrowser)('outage', () => {
  afterAll(cleanUp)

  test('the service stops in the middle of the task of every screen', async () => {
    const dataDir = fresh(scratch(), 'outage')
    const options = { dataDir, env: { CONSOLE: 'on', OUTBOUND_LOOPBACK: 'on' } }
    let service: Service = await start(options)
    await service.ready()
    const port = Number(new URL(service.url).port)
    const { owner } = service.credentials()
    const { body: login } = await client(service.url, '', '', '').post('/auth/login', owner)
    const api = client(service.url, '', '', login.accessToken)
    const call: Call = async (method, path, body) => (await api.request(method, path, body)).body
    const tasks = listTasks(await prepare(call)).filter(isSampled)
    const tab = await openTab({ expected: /Failed to load resource|WebSocket connection|status of 5/ })
    await tab.page
      .context()
      .addInitScript(() => localStorage.setItem('parley.preferences', '{"undoSendSeconds":0}'))
    await tab.page.goto(`${service.url}/inbox`)
    await tab.page.getByLabel('E-mail').fill(owner.email)
    await tab.page.getByLabel('Password', { exact: true }).fill(owner.password)
    await tab.page.getByRole('button', { name: 'Sign in' }).click()
    await tab.page.getByRole('navigation', { name: 'Navigation' }).waitFor()
    const desks = await Promise.all(tasks.map(async task => ({ task, page: (await tab.another()).page })))
    const failures: string[] = []
    /** Runs the step of all tasks, some at a time: a browser with 20 active pages is slow. */
    const forEachDesk = async (step: (page: Page, task: Task) => Promise<unknown>) => {
      const waiting = [...desks]
      const work = async () => {
        for (let desk = waiting.shift(); desk; desk = waiting.shift()) {
          const { page, task } = desk
          await step(page, task).catch((error: Error) => failures.push(`${task.at}: ${error.message}`))
        }
      }
      await Promise.all([work(), work(), work(), work()])
      expect(failures).toEqual([])
    }
    await forEachDesk(async (page, task) => {
      await page.goto(`${service.url}${task.at}`)
      await task.begin(page)
    })

    await service.kill()
    await forEachDesk(async (page, task) => {
      await page.getByText('Reconnecting… Your changes are kept.').waitFor()
      await task.finish(page)
      await page.getByText(task.says).first().waitFor()
      await expectKept(page, task)
    })

    service = await start({ ...options, port })
    await service.ready()
    await forEachDesk(async (page, task) => {
      await page.getByText('Reconnecting…').waitFor({ state: 'detached', timeout: 60_000 })
      await expectKept(page, task)
      if (!task.isAutomatic) await task.finish(page)
      const { stored, expected, shown } = task
      if (shown) await page.getByText(shown).first().waitFor()
      const find = async () => (await stored?.(call))?.filter(value => value === expected)
      if (stored) await expect.poll(find, { message: task.at }).toEqual([expected])
      await expect.poll(() => page.getByText(unreachable).count(), { message: task.at }).toBe(0)
    })
  })
})

async function expectKept(page: Page, { kept, at }: Task): Promise<void> {
  if (!kept) return
  expect(await page.getByLabel(kept.label, { exact: true }).first().inputValue(), at).toBe(kept.value)
}
