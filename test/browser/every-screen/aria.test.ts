/** Compares what screen readers find on the main screens with the files in `aria`; `npm test -- -u` writes them again. */
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { insertConversations } from '../support/many-conversations.ts'
import { openOffice, signIn } from '../support/people.ts'

async function expectGolden(part: Locator, name: string): Promise<void> {
  const text = (await part.ariaSnapshot()).replace(/\bview_\w+/g, 'view_1')
  await expect(`${text}\n`).toMatchFileSnapshot(`./aria/${name}.txt`)
}

describe.skipIf(!hasBrowser)('ARIA snapshots', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('every part of the design system reads as before', async () => {
    const { page } = await openTab()
    await page.goto(`${service.url}/console/kit`)
    await page.getByRole('heading', { name: 'States' }).waitFor()
    await expectGolden(page.getByRole('main'), 'kit')
  })

  test('sign-in, navigation, list, selection, views and filter read as before', async () => {
    const office = await openOffice(service)
    await insertConversations(service, office, 2)
    await office.owner.api.post('/views', { name: 'Second line', filter: { status: ['open'] } })
    const { page } = await openTab()
    await page.goto(`${service.url}/inbox`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await expectGolden(page.locator('body'), 'sign-in')
    await signIn(page, service, office.owner, '/inbox?priority=none')
    const list = page.getByRole('region', { name: 'Conversations' })
    await list.getByRole('link', { name: 'All 2', exact: true }).waitFor()
    await list.getByRole('link', { name: 'Second line 2', exact: true }).waitFor()
    await expectGolden(page.getByRole('navigation', { name: 'Navigation' }), 'navigation')
    await page.keyboard.press('*')
    await page.keyboard.press('a')
    await list.getByText('2 selected').waitFor()
    await expectGolden(list, 'list')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'All views' }).click()
    await expectGolden(page.getByRole('menu', { name: 'All views' }), 'views')
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    const filter = page.getByRole('dialog', { name: 'Filter by…' })
    await filter.getByRole('option', { name: 'Owner' }).waitFor()
    await expectGolden(filter, 'filter')
  })
})
