/** Tests satisfaction surveys in the console: settings of an inbox, the answer in the thread, ratings in the reports. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import {
  expectAccessibleThemes,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshots,
} from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('surveys', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  async function capture(page: Page, name: string): Promise<void> {
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 1360, height: 900 })
    await expectAccessibleThemes(page, name)
    await screenshots(page, name)
    await page.setViewportSize({ width: 360, height: 800 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize(size)
  }

  test('turned on in the settings, answered by the customer, shown in the thread and the reports', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    // The blank question is refused.
    const { page } = await openTab({ expected: /400/ })
    await signIn(page, service, office.owner, `/settings/inboxes/${office.inboxId}`)
    const heading = page.getByRole('heading', { name: 'Satisfaction survey' })
    const section = page.locator('section').filter({ has: heading }).last()
    await section.getByLabel('Send a survey').check()
    await section.getByLabel('Question', { exact: true }).fill('Were we helpful?')
    await section.getByLabel('When').selectOption('Right after closing')
    await section.getByLabel('Question for a comment').fill('What could be better?')
    await section.scrollIntoViewIfNeeded()
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await api.get(`/inboxes/${office.inboxId}`)).body.csat).toEqual({
      question: 'Were we helpful?',
      delayMinutes: 0,
      commentQuestion: 'What could be better?',
    })
    await section.getByLabel('Question', { exact: true }).fill('   ')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('must have a visible character').waitFor()
    await section.getByLabel('Question', { exact: true }).fill('Were we helpful?')
    await section.scrollIntoViewIfNeeded()
    await capture(page, 'csat-settings')

    await office.receive('+14155550177', 'My lamp is broken', 'Bo Customer')
    const list = async () => (await api.get('/conversations')).body.conversations
    const [{ id }] = await until(list, found => found.length === 1)
    await page.goto(`${service.url}/inbox/${id}`)
    await page.getByText('My lamp is broken').last().waitFor()
    await api.post(`/conversations/${id}/close`)
    await page.getByText('Were we helpful?').last().waitFor()
    const write = (content: object) =>
      api.post('/sandbox/inbound', { inboxId: office.inboxId, from: '+14155550177', content })
    await write({ type: 'text', text: { body: '4' } })
    await page.getByText('The customer’s rating: 4 of 5').waitFor()
    await page.getByText('What could be better?').last().waitFor()
    await write({ type: 'text', text: { body: 'A faster reply' } })
    await page.getByText('The customer on the rating: “A faster reply”').waitFor()
    await write({ type: 'text', text: { body: '5' } })
    await page.getByText('The customer changed the rating to 5 of 5').waitFor()
    await capture(page, 'csat-thread')

    await page.goto(`${service.url}/reports`)
    const tiles = page.getByLabel('Satisfaction', { exact: true })
    await expect.poll(() => tiles.locator('dd').allInnerTexts()).toEqual(['5', '1', '1', '100 %'])
    const figure = page.getByRole('region', { name: 'Distribution of the ratings' })
    await figure.getByText('Show as table').press('Enter')
    await expect
      .poll(() => figure.locator('tbody tr').allInnerTexts())
      .toEqual(expect.arrayContaining([expect.stringMatching(/5 ★\s+1/), expect.stringMatching(/4 ★\s+0/)]))
    await figure.scrollIntoViewIfNeeded()
    await capture(page, 'csat-reports')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the ratings as CSV' }).click()
    const chunks: Buffer[] = []
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer)
    const rows = Buffer.concat(chunks).toString().trim().split('\r\n')
    expect(rows[0]).toBe('Day,sent,count,average,responseRate,rating1,rating2,rating3,rating4,rating5')
    expect(rows.at(-1)).toBe('Totals,1,1,5,1,0,0,0,0,1')
  })
})
