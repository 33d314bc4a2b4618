/** Tests the reference page of the API. */
import { afterAll, describe, expect, test } from 'vitest'
import { cleanUp, fresh, scratch, start } from '../system/program.ts'
import { hasBrowser, openTab } from './browser.ts'

describe.skipIf(!hasBrowser)('/docs', () => {
  afterAll(cleanUp)

  test('shows the operations and requests nothing from other hosts', async () => {
    const service = await start({ dataDir: fresh(scratch(), 'data') })
    await service.ready()
    const { page } = await openTab()
    page.setDefaultTimeout(120_000)
    const origins = new Set<string>()
    page.on('request', request => {
      if (/^https?:/.test(request.url())) origins.add(new URL(request.url()).origin)
    })
    await page.goto(`${service.url}/docs`)
    const { tags } = (await (await fetch(`${service.url}/v1/openapi.json`)).json()) as { tags: unknown[] }
    await page.locator('.opblock-tag').first().waitFor()
    expect(await page.locator('.opblock-tag').count()).toBe(tags.length)
    await page.locator('#operations-tag-Users').click()
    await page.locator('.opblock-summary', { hasText: '/users/me' }).first().click()
    await page.locator('.responses-wrapper').first().waitFor()
    expect(origins).toEqual(new Set([service.url]))
  })

  test('sends a working request on the first try, with the key and the example', async () => {
    const service = await start({ dataDir: fresh(scratch(), 'data') })
    await service.ready()
    const { page } = await openTab()
    page.setDefaultTimeout(120_000)
    await page.goto(`${service.url}/docs`)
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.auth-container input').first().fill(service.credentials().apiKey)
    await page.locator('.auth-btn-wrapper .authorize').first().click()
    await page.locator('.auth-btn-wrapper .btn-done').first().click()
    await page.locator('#operations-tag-Contacts').click()
    const create = page.locator('#operations-Contacts-createContact')
    await create.locator('.opblock-summary').click()
    const created = page.waitForResponse(response => response.url() === `${service.url}/v1/contacts`)
    await create.getByRole('button', { name: 'Execute' }).click()
    const response = await created
    expect(response.status()).toBe(201)
    const { id } = (await response.json()) as { id: string }
    expect((await service.call('GET', `/contacts/${id}`)).status).toBe(200)
    await create.locator('.live-responses-table', { hasText: id }).waitFor()
  })
})
