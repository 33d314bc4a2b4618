/** Tests the settings of the workspace, its labels, tags and custom fields, and the audit log. */
import { describe, expect, test } from 'vitest'
import { auditActions } from '../../../src/identity/audit-actions.ts'
import { testService } from '../../harness/service.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { expectFocus } from '../support/keys.ts'
import { openOffice, password, signIn } from '../support/people.ts'
import { expectEmptyList, expectGoodScreen, requestAs } from '../support/settings.ts'

const purposes = {
  labels: 'Labels mark conversations, so that the inbox can be filtered by them.',
  tags: 'Tags mark contacts, for segments, campaigns and journeys.',
}

describe.skipIf(!hasBrowser)('settings of the workspace', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('name, time zone, language and hours are changed; a wrong language is refused at its field', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ expected: /400/ })
    await signIn(page, service, office.owner, '/settings/workspace')
    const name = page.getByLabel('Name', { exact: true })
    await name.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Harbor Works')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Europe/Madrid')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('not a language')
    await page.keyboard.press('Enter')
    const language = page.getByLabel('Language of the workspace')
    await expect.poll(() => language.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page, 'refused workspace settings')
    await language.fill('es')
    await page.getByLabel('Business hours').selectOption('Chosen hours')
    await page.getByRole('group', { name: 'Hours 1' }).getByLabel('Fri').uncheck()
    await page.getByLabel('Keep messages for').selectOption('90 days')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await office.owner.api.get('/workspace')).body).toMatchObject({
      name: 'Harbor Works',
      timezone: 'Europe/Madrid',
      locale: 'es',
      businessHours: [{ days: ['mon', 'tue', 'wed', 'thu'], from: '09:00', to: '17:00' }],
      retention: { messageDays: 90 },
    })
    await page.getByRole('button', { name: 'Account of Ana Lima in Harbor Works' }).waitFor()
    await expectGoodScreen(page, 'settings-workspace')
  })

  test('an admin who enforces the second factor is led to the setup, and agents read only', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    const reader = (await openTab({ expected: /403/ })).page
    await signIn(reader, service, agent, '/settings/workspace')
    await reader.getByText('Owners and admins change these settings.').waitFor()
    expect(await reader.getByRole('button', { name: 'Save' }).count()).toBe(0)
    expect(await requestAs(reader, 'PATCH', '/workspace', { name: 'Mine' })).toBe(403)
    const { page } = await openTab({ expected: /403/ })
    await signIn(page, service, office.owner, '/settings/workspace')
    await page.getByLabel('Members must have a second factor').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'A second factor is required' }).waitFor()
    await page.getByLabel('Confirm with your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Secret', { exact: true }).waitFor()
  })

  test('labels, tags and custom fields are created, renamed and deleted', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ expected: /409/ })
    await signIn(page, service, office.owner, '/settings/labels')
    for (const [path, create, list] of [
      ['labels', 'New label', 'Labels'],
      ['tags', 'New tag', 'Tags'],
      ['fields', 'New custom field', 'Custom fields'],
    ] as const) {
      await page.getByRole('link', { name: list, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: list }).waitFor()
      // Custom fields have predefined ones.
      if (path !== 'fields') await expectEmptyList(page, `No ${path} yet.`, create, purposes[path])
      await page.getByRole('button', { name: create }).press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').waitFor()
      await page.keyboard.type('First')
      await expectAccessible(page, create)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Edit First' }).waitFor()
      await expectFocus(page.getByRole('button', { name: create }))
      await page.getByRole('button', { name: 'Edit First' }).press('Enter')
      await dialog.getByLabel('Name').fill('Second')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Edit Second' }).waitFor()
      await page.getByRole('button', { name: create }).click()
      await dialog.getByLabel('Name').fill('Second')
      await page.keyboard.press('Enter')
      await dialog.getByText('This name is in use.').waitFor()
      await page.keyboard.press('Escape')
      if (path === 'labels') await expectGoodScreen(page, 'settings-labels')
      else await screenshot(page, `settings-${path}`)
      await page.getByRole('button', { name: 'Delete Second' }).press('Enter')
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Edit Second' }).waitFor({ state: 'detached' })
    }
    // A colleague's change appears.
    await page.getByRole('link', { name: 'Labels', exact: true }).click()
    await page.getByText('No labels yet.').waitFor()
    const agent = await office.hire('Kim Lee')
    const other = (await openTab({ expected: /403/ })).page
    await signIn(other, service, agent, '/settings/labels')
    await expectEmptyList(other, 'No labels yet.', undefined, purposes.labels)
    await office.owner.api.post('/labels', { name: 'Billing' })
    await page.getByRole('button', { name: 'Edit Billing' }).waitFor()
    await other.getByText('Billing').waitFor()
    expect(await other.getByRole('region', { name: 'Settings' }).getByRole('button').count()).toBe(0)
    expect(await requestAs(other, 'POST', '/labels', { name: 'x' })).toBe(403)
  })

  test('the audit log shows who changed what, before and after, and its filter survives a reload', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    await office.owner.api.put(`/users/${agent.id}/role`, { role: 'admin' })
    await office.owner.api.patch('/workspace', { name: 'Harbor Works' })
    const team = (await office.owner.api.post('/teams', { name: 'Second line' })).body
    await office.owner.api.put(`/inboxes/${office.inboxId}/team`, { teamId: team.id })
    const robot = await office.addRobot('Shop sync')
    await robot.post('/segments', { name: 'Everyone', filter: { match: 'all', conditions: [] } })
    await office.owner.api.delete(`/service-accounts/${robot.id}`)
    const { page } = await openTab({ expected: /403/ })
    await signIn(page, service, office.owner, '/settings/audit')
    const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
    const change = rows.filter({ hasText: 'user.role_changed' })
    await change.getByText(/Before: Agent\s*After: Admin/).waitFor()
    await change.getByText('Kim Lee', { exact: false }).first().waitFor()
    await rows
      .filter({ hasText: 'workspace.updated' })
      .getByText(/Before: Harbor Lights\s*After: Harbor Works/)
      .waitFor()
    // Details and their values have names instead of those of the API.
    const created = rows.filter({ hasText: 'service_account.created' })
    await created.getByText('Role', { exact: true }).waitFor()
    await created.getByText('Admin', { exact: true }).waitFor()
    expect(await rows.getByText('scopes', { exact: true }).count()).toBe(0)
    // Teams, people and inboxes have their names.
    await rows
      .filter({ hasText: 'inbox.team_changed' })
      .getByText(/Before: empty\s*After: Second line/)
      .waitFor()
    const action = page.getByRole('combobox', { name: 'Action' })
    await action.selectOption('Role changed')
    await expect.poll(() => rows.count()).toBe(1)
    await rows.getByText('Ana Lima · Role changed').waitFor()
    expect(page.url()).toContain('action=user.role_changed')
    // Every action that is in the list has a name.
    const named = await action
      .locator('option')
      .evaluateAll(options =>
        options.map(option => ({ action: (option as HTMLOptionElement).value, name: option.textContent })),
      )
    expect(named.slice(1).map(option => option.action)).toEqual([...auditActions])
    expect(named.filter(option => option.action === option.name)).toEqual([])
    await expectGoodScreen(page, 'settings-audit')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await action.inputValue()).toBe('user.role_changed')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(() => rows.count()).toBeGreaterThan(2)
    const today = new Date().toISOString().slice(0, 10)
    await page.getByLabel('From').fill(today)
    await page.getByLabel('To', { exact: true }).fill('2020-01-31')
    await page.getByText('The end is before the beginning.').waitFor()
    await page.getByLabel('From').fill('2020-01-01')
    await page.keyboard.press('Enter')
    await page.getByText('No entry matches.').waitFor()
    await page.reload()
    await page.getByText('No entry matches.').waitFor()
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2020-01-31')
    await page.getByLabel('To', { exact: true }).fill(today)
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBeGreaterThan(2)
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByLabel('Who').selectOption('Kim Lee')
    await expect.poll(() => rows.filter({ hasText: 'Ana Lima' }).count()).toBe(0)
    // A deleted service account keeps its name.
    await page.getByLabel('Who').selectOption('Shop sync')
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('segment.created')])
    await rows.getByText('Service account Shop sync · Segment created').waitFor()
    await office.owner.api.put(`/users/${agent.id}/role`, { role: 'agent' })
    const other = (await openTab({ expected: /403/ })).page
    await signIn(other, service, agent, '/settings/audit')
    await other.getByText('You need the scope audit:read. Owners and admins have it.').waitFor()
    expect(await requestAs(other, 'GET', '/audit-log')).toBe(403)
  })
})
