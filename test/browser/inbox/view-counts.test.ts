/** Tests the counts of views: those of the first response, and frames that change them without a request. */
import type { Page, WebSocketRoute } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true })

/** Records the requests of the page from now on. */
function watchRequests(page: Page): string[] {
  const paths: string[] = []
  page.on('request', request => paths.push(new URL(request.url()).pathname))
  return paths
}

describe.skipIf(!hasBrowser)('counts of views', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('a change by one agent changes the counts of another within two seconds, without a request', async () => {
    const office = await openOffice(service)
    const colleague = await office.hire('Dee Park')
    await office.receive('+14155550310', 'first', 'Ada')
    await office.receive('+14155550311', 'second', 'Bo')
    const list = async () => (await office.owner.api.get('/conversations')).body.conversations
    await expect.poll(async () => (await list()).length).toBe(2)
    const [first, second] = await list()
    await office.owner.api.post('/views', {
      name: 'Urgent',
      scope: 'workspace',
      filter: { priority: ['urgent'] },
    })
    const pages = [(await openTab()).page, (await openTab()).page] as const
    const [ours, theirs] = pages
    const requests = pages.map(watchRequests)
    await signIn(ours, service, office.owner)
    await signIn(theirs, service, colleague)
    for (const page of pages) await tab(page, 'Unassigned 2').waitFor()

    await office.owner.api.put(`/conversations/${first.id}/owner`, { type: 'user', id: colleague.id })
    const limit = { timeout: 2_000 }
    await tab(theirs, 'Mine 1').waitFor(limit)
    for (const page of pages) await tab(page, 'Unassigned 1').waitFor(limit)
    await office.owner.api.put(`/conversations/${second.id}/priority`, { priority: 'urgent' })
    for (const page of pages) await tab(page, 'Urgent 1').waitFor(limit)
    // A view that is saved later has a count too.
    await office.owner.api.post('/views', { name: 'Open', scope: 'workspace', filter: { status: ['open'] } })
    for (const page of pages) await tab(page, 'Open 2').waitFor(limit)
    await office.owner.api.post(`/conversations/${second.id}/close`)
    for (const page of pages) await tab(page, 'All 1').waitFor(limit)
    for (const paths of requests) expect(paths).not.toContain('/v1/conversations/counts')
  })

  test('the first response has the counts, and a new connection brings those that were missed', async () => {
    const office = await openOffice(service)
    await office.receive('+14155550312', 'first', 'Cy')
    await office.receive('+14155550313', 'second', 'Di')
    const list = async () => (await office.owner.api.get('/conversations')).body.conversations
    await expect.poll(async () => (await list()).length).toBe(2)
    const { page } = await openTab()
    let socket: WebSocketRoute | undefined
    let isUp = false
    await page.routeWebSocket(/\/v1\/realtime/, each => {
      socket = each
      if (isUp) each.connectToServer()
      else void each.close({ code: 1012 })
    })
    const requests = watchRequests(page)
    await signIn(page, service, office.owner)
    await tab(page, 'All 2').waitFor()
    isUp = true
    await expect.poll(() => page.getByText('Reconnecting…').count(), { timeout: 20_000 }).toBe(0)
    isUp = false
    await socket!.close({ code: 1012 })
    await office.owner.api.post(`/conversations/${(await list())[0].id}/close`)
    isUp = true
    await tab(page, 'All 1').waitFor({ timeout: 20_000 })
    expect(requests).not.toContain('/v1/conversations/counts')
  })
})
