/** Tests the settings of webhooks: endpoints, verification, signing keys, live attempts, resend and the disabled state. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { ok, startEndpoint, status } from '../../../src/webhooks/testing/endpoint.ts'
import { testService } from '../../harness/service.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'
import { expectEmptyList, expectGoodScreen, requestAs } from '../support/settings.ts'

describe.skipIf(!hasBrowser)('settings of webhooks', async () => {
  const service = await testService({ CONSOLE: 'development', OUTBOUND_LOOPBACK: 'on' }, { console: true })
  const path = '/settings/webhooks'

  async function startReceiver() {
    const endpoint = await startEndpoint()
    onTestFinished(() => endpoint.close())
    return endpoint
  }

  test('an endpoint that fails twice shows its attempts live, and a resend succeeds', async () => {
    const receiver = await startReceiver()
    receiver.respond = status(500, {}, 'database is down')
    const office = await openOffice(service)
    const { page } = await openTab()
    await signIn(page, service, office.owner, path)
    await expectEmptyList(
      page,
      'No endpoint receives events yet.',
      'New endpoint',
      'Parley sends events to endpoints as signed HTTP requests, so that your systems learn of them.',
    )
    await expectAccessible(page, 'no endpoints')
    await page.getByRole('button', { name: 'New endpoint' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New endpoint' })
    await dialog.getByLabel('URL').waitFor()
    await page.keyboard.type(receiver.url)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Orders')
    await expectAccessible(page, 'new endpoint')
    await screenshot(page, 'settings-webhook-new')
    // The buttons stay in view while the fields scroll.
    const save = dialog.getByRole('button', { name: 'Save' })
    const [frame, button] = [(await dialog.boundingBox())!, (await save.boundingBox())!]
    expect(await dialog.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true)
    expect(button.y + button.height).toBeLessThanOrEqual(frame.y + frame.height)
    await page.keyboard.press('Enter')
    const card = page.getByRole('region', { name: receiver.url })
    await card.getByText('Not verified').waitFor()
    await card.getByRole('button', { name: 'Verify' }).click()
    await card.getByText('The endpoint answered 500 instead of 2xx.').waitFor()

    await office.owner.api.post('/contacts', { name: 'Bo Customer', phone: '+14155550199' })
    const rows = page
      .getByRole('list', { name: 'Attempts' })
      .getByRole('listitem')
      .filter({ hasText: 'contact.created' })
    // The second attempt follows after five seconds, without a reload.
    await expect.poll(() => rows.count()).toBe(2)
    await card.getByText(/failures? in a row since/).waitFor()
    await rows.first().getByText('500', { exact: true }).click()
    await rows.first().getByText('database is down').waitFor()
    const year = new Date().getFullYear()
    await rows
      .first()
      .getByText(new RegExp(`${year}.* · Attempt 2 · [\\d,]+ ms$`))
      .waitFor()
    await expectGoodScreen(page, 'settings-webhooks')

    receiver.respond = ok
    await rows.first().getByRole('button', { name: 'Send contact.created again' }).click()
    await rows.filter({ hasText: '200' }).first().waitFor()
    await card.getByRole('button', { name: 'Verify' }).click()
    await card.getByText('The endpoint answered 200. It is verified.').waitFor()
    await page.getByLabel('Result').selectOption('Succeeded')
    await expect.poll(() => rows.count()).toBe(1)
    await page.reload()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await page.getByLabel('Result').inputValue()).toBe('succeeded')
    const before = receiver.received.length
    await card.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page.getByText(/^Events since .* are delivered again$/).waitFor()
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before)
  })

  test('attempts wait while Live is off, and events since a chosen time are delivered again', async () => {
    const receiver = await startReceiver()
    const office = await openOffice(service)
    const { api } = office.owner
    await api.post('/webhooks/endpoints', { url: receiver.url, eventTypes: ['contact.created'] })
    const { page } = await openTab()
    await signIn(page, service, office.owner, path)
    const rows = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
    await api.post('/contacts', { name: 'Ada First' })
    await expect.poll(() => rows.count()).toBe(1)
    const live = page.getByRole('checkbox', { name: 'Live' })
    await live.press('Space')
    await api.post('/contacts', { name: 'Bo Second' })
    const list = async () => (await api.get('/webhooks/attempts')).body.attempts.length
    await expect.poll(list).toBe(2)
    // Longer than the time between two readings of a live list.
    const later = Date.now() + 3_000
    await expect.poll(async () => [await rows.count(), Date.now() > later]).toEqual([1, true])
    await live.press('Space')
    await expect.poll(() => rows.count()).toBe(2)

    const card = page.getByRole('region', { name: receiver.url })
    await card.getByRole('button', { name: 'Replay' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Deliver events again' })
    const since = dialog.getByLabel('All events since')
    const isRefused = () => since.evaluate((input: HTMLInputElement) => input.validity.rangeOverflow)
    await since.fill('2999-01-01T00:00')
    expect(await isRefused()).toBe(true)
    const day = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10)
    await since.fill(`${day}T08:30`)
    const request = page.waitForRequest(/webhooks\/replay$/)
    await page.keyboard.press('Enter')
    // Tests are in Berlin.
    const sent = new Date((await request).postDataJSON().since)
    const local = new Intl.DateTimeFormat('sv', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'short',
    })
    expect(local.format(sent)).toBe(`${day} 08:30`)
    await expect.poll(() => rows.count()).toBe(4)
    expect(receiver.received).toHaveLength(4)
  })

  test('a signing key is shown once, rotated with an overlap and revoked', async () => {
    const receiver = await startReceiver()
    const office = await openOffice(service)
    await office.owner.api.post('/webhooks/endpoints', { url: receiver.url })
    const { page } = await openTab()
    await signIn(page, service, office.owner, path)
    await page.getByRole('button', { name: 'Show the keys' }).click()
    const secret = page.getByLabel('Signing key', { exact: true })
    const keyRow = (version: number) => page.getByRole('listitem').filter({ hasText: `Key ${version}` })
    const first = await secret.innerText()
    expect(first).toMatch(/^whsec_/)
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await keyRow(1).waitFor()
    expect(await page.content()).not.toContain(first)
    await page.getByRole('button', { name: 'Rotate the key' }).click()
    const question = page.getByRole('dialog', { name: 'Rotate the signing key?' })
    await question.getByText(/^For 24 hours requests are signed with both keys/).waitFor()
    await expectAccessible(page, 'rotate the signing key')
    await question.getByRole('button', { name: 'Rotate the key' }).click()
    await expect.poll(() => secret.innerText()).not.toBe(first)
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await keyRow(2).waitFor()
    await page.getByText(/^Signs until/).waitFor()
    await page.getByRole('button', { name: 'Revoke key 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(() => keyRow(1).count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Show the keys' }).click()
    await keyRow(2).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('410 shows the endpoint as disabled with the reason; a second one is not affected', async () => {
    const [gone, fine] = await Promise.all([startReceiver(), startReceiver()])
    gone.respond = status(410)
    const office = await openOffice(service)
    const { api } = office.owner
    for (const { url } of [gone, fine]) await api.post('/webhooks/endpoints', { url })
    const { page } = await openTab()
    await signIn(page, service, office.owner, path)
    const card = page.getByRole('region', { name: gone.url })
    await card.getByText('Enabled', { exact: true }).waitFor()
    await api.post('/contacts', { name: 'Bo Customer', phone: '+14155550198' })
    await card.getByText(/^The endpoint answered 410 Gone, so it was disabled/).waitFor()
    await page.getByRole('region', { name: fine.url }).getByText('Enabled', { exact: true }).waitFor()
    // Each attempt names its endpoint.
    const attempts = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
    await attempts.filter({ hasText: gone.url }).getByText('410', { exact: true }).waitFor()
    await attempts.filter({ hasText: fine.url }).getByText('200', { exact: true }).waitFor()
    await screenshot(page, 'settings-webhooks-gone')
    gone.respond = ok
    await card.getByRole('button', { name: 'Enable' }).click()
    await card.getByText('Enabled', { exact: true }).waitFor()
    await card.getByRole('button', { name: `Delete ${gone.url}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await card.waitFor({ state: 'detached' })
  })

  test('the page names the scope that an agent lacks, and the service refuses the requests', async () => {
    const office = await openOffice(service)
    const agent = await office.hire('Kim Lee')
    const { page } = await openTab({ expected: /403/ })
    await signIn(page, service, agent, path)
    await page.getByText('You need the scope webhook:read. Owners and admins have it.').waitFor()
    expect(await page.getByRole('region', { name: 'Settings' }).getByRole('button').count()).toBe(0)
    expect(await requestAs(page, 'GET', '/webhooks/endpoints')).toBe(403)
    expect(await requestAs(page, 'POST', '/webhooks/signing-keys/rotate')).toBe(403)
  })
})
