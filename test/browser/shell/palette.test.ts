/** Tests the palette: what it finds, its prefixes and recent items. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { eventually } from '../../harness/wait.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  openTab,
  screenshot,
} from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

const input = (page: Page) => page.getByRole('dialog').getByRole('combobox')

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+K')
  await input(page).waitFor()
}

describe.skipIf(!hasBrowser)('palette', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('finds contacts, conversations, messages, segments, campaigns and settings, and remembers what was opened', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550190', 'the orchid arrived', 'Olga Orchid')
    await api.post('/segments', { name: 'Orchid lovers', filter: { match: 'all', conditions: [] } })
    await api.post('/campaigns', { name: 'Spring orchid' })
    await api.post('/contacts', { name: 'Audit Anna' })
    const journey = (await api.post('/journeys', { name: 'Orchid care' })).body
    await api.post('/chatbots', { name: 'Orchid questions' })
    await api.post('/teams', { name: 'Orchid growers' })
    await api.post('/saved-replies', { shortcut: 'orchid', text: 'Water it weekly', scope: 'workspace' })
    const label = (await api.post('/labels', { name: 'Orchids' })).body
    await office.hire('Kim Orchid')
    const kinds = async () =>
      (await api.get('/search?q=orchid')).body.results.map((result: { kind: string }) => result.kind)
    await eventually(async () => expect(await kinds()).toContain('message'))
    const { page } = await openTab()
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /Olga Orchid/ }).waitFor()
    await openPalette(page)
    expect(await page.getByRole('group', { name: 'Recent' }).count()).toBe(0)
    await page.keyboard.type('orchid')
    const group = (name: string) => page.getByRole('group', { name, exact: true })
    await group('Contacts').getByRole('option', { name: 'Olga Orchid' }).waitFor()
    await group('Conversations')
      .getByRole('option', { name: /^Olga Orchid/ })
      .waitFor()
    await group('Segments').getByRole('option', { name: 'Orchid lovers' }).waitFor()
    await group('Users')
      .getByRole('option', { name: /^Kim Orchid/ })
      .waitFor()
    const headings = () => page.locator('[cmdk-group-heading]').allInnerTexts()
    await expect
      .poll(headings)
      .toEqual([
        ...['Contacts', 'Conversations', 'Messages', 'Segments', 'Campaigns', 'Journeys', 'Chatbots'],
        ...['Users', 'Teams', 'Labels', 'Saved replies'],
      ])
    await expectAccessible(page, 'palette with results')
    await screenshot(page, 'palette')
    await group('Messages')
      .getByRole('option', { name: /the orchid arrived/ })
      .click()
    const entry = page.getByRole('log').getByText('the orchid arrived')
    await entry.waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toContain('the orchid arrived')

    await openPalette(page)
    await group('Recent').getByRole('option', { name: 'Olga Orchid' }).waitFor()
    await page.keyboard.type('spring')
    await group('Campaigns').getByRole('option', { name: 'Spring orchid' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('/campaigns/')
    await openPalette(page)
    await page.keyboard.type('audit')
    await group('Contacts').getByRole('option', { name: 'Audit Anna' }).waitFor()
    expect(await headings()).toEqual(['Contacts', 'Settings'])
    await group('Settings').getByRole('option', { name: 'Audit log' }).click()
    await expect.poll(() => page.url()).toContain('/settings/audit')

    // The actions of the screen come before those of all screens.
    await page.goto(`${service.url}/inbox`)
    await page.getByRole('link', { name: /Olga Orchid/ }).waitFor()
    await openPalette(page)
    await page.keyboard.type('>')
    const actionGroups = await headings()
    expect(actionGroups.length).toBeGreaterThan(2)
    expect(actionGroups.slice(-2)).toEqual(['Navigation', 'General'])
    await input(page).fill('orchid care')
    await group('Journeys').getByRole('option', { name: 'Orchid care' }).click()
    await expect.poll(() => page.url()).toContain(`/journeys/${journey.id}`)

    await openPalette(page)
    await page.keyboard.type('#orch')
    await page.getByRole('option', { name: 'Orchids' }).waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain(`label=${label.id}`)
    await openPalette(page)
    await page.keyboard.type('@')
    await page.getByText('Type a name.').waitFor()
    await page.keyboard.type('orchid')
    await group('Contacts').getByRole('option').waitFor()
    await group('Users').getByRole('option').waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await page.keyboard.press('Escape')
    await openPalette(page)
    await expect
      .poll(() => group('Recent').getByRole('option').allInnerTexts())
      .toEqual(['Orchids', 'Orchid care', 'Spring orchid', 'Olga Orchid'])
    await page.keyboard.type('>orchid')
    await page.getByText('Nothing found').waitFor()
  })

  test('a late response to an earlier text is dropped, and a failed search says so', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    for (const name of ['Alpha', 'Beta']) await api.post('/contacts', { name })
    const { page } = await openTab({ expected: /ERR_FAILED/ })
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(/\/v1\/search\?q=Alpha/, async route => {
      await held
      await route.continue().catch(() => {})
    })
    await signIn(page, service, office.owner)
    await openPalette(page)
    const asked = page.waitForRequest(/\/v1\/search\?q=Alpha/)
    await page.keyboard.type('Alpha')
    await asked
    await input(page).fill('Beta')
    await page.getByRole('option', { name: 'Beta', exact: true }).waitFor()
    release()
    await page.getByRole('option', { name: 'Search messages for “Beta”' }).waitFor()
    expect(await page.getByRole('option', { name: 'Alpha', exact: true }).count()).toBe(0)
    await page.route(/\/v1\/search/, route => route.abort())
    await input(page).fill('Gamma')
    await page.getByText('The search failed.').waitFor()
  })

  test('on a phone in the dark it fits and is accessible', async () => {
    const office = await openOffice(service)
    await office.owner.api.post('/contacts', { name: `Long ${'name '.repeat(12)}` })
    const { page } = await openTab({ viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
    await signIn(page, service, office.owner)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await input(page).fill('long')
    await page.getByRole('option', { name: /^Long name/ }).waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, 'palette on a phone')
    await screenshot(page, 'palette-phone-dark')
  })
})
