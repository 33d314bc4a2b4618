/** Tests the reference page of the API. */
import { afterAll, describe, expect, test } from 'vitest'
import { cleanUp, fresh, scratch, start } from '../../system/program.ts'
import { hasBrowser, openTab } from '../support/browser.ts'

/** The ids of the examples in the document. */
const exampleId = /_01k4xq7d9h/

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

  test('sends working requests on the first try, with the key, the examples and ids of the workspace', async () => {
    const service = await start({ dataDir: fresh(scratch(), 'data') })
    await service.ready()
    const { page } = await openTab()
    page.setDefaultTimeout(120_000)
    await page.goto(`${service.url}/docs`)
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.auth-container input').first().fill(service.credentials().apiKey)
    await page.locator('.auth-btn-wrapper .authorize').first().click()
    await page.locator('.auth-btn-wrapper .btn-done').first().click()

    const open = async (operation: string) => {
      const [tag] = operation.split('-')
      const group = page.locator(`#operations-tag-${tag}`)
      if ((await group.getAttribute('data-is-open')) !== 'true') await group.click()
      const block = page.locator(`#operations-${operation}`)
      await block.locator('.opblock-summary').click()
      return block
    }
    /** Waits for the ids that the page fills in, and presses Execute; nothing is typed. */
    const execute = async (operation: string, { method, url }: { method: string; url: RegExp }) => {
      const block = await open(operation)
      for (const field of await block.locator('tr[data-param-in="path"] input').all())
        await expect.poll(() => field.inputValue()).toMatch(/^[a-z]+_/)
      if (url.source.includes('messages'))
        await expect.poll(() => block.locator('textarea').inputValue()).not.toMatch(exampleId)
      const answer = page.waitForResponse(
        response => response.request().method() === method && url.test(response.url()),
      )
      await block.getByRole('button', { name: 'Execute' }).click()
      return answer
    }
    const created = await execute('Contacts-createContact', { method: 'POST', url: /v1\/contacts$/ })
    expect(created.status()).toBe(201)
    const { id } = (await created.json()) as { id: string }
    expect((await service.call('GET', `/contacts/${id}`)).status).toBe(200)
    await page.locator('#operations-Contacts-createContact .live-responses-table', { hasText: id }).waitFor()

    const read = await execute('Contacts-getContact', {
      method: 'GET',
      url: new RegExp(`v1/contacts/${id}$`),
    })
    expect(read.status()).toBe(200)
    const sent = await execute('Messaging-sendMessage', { method: 'POST', url: /v1\/messages$/ })
    expect(sent.status()).toBe(202)
    const { conversation } = (await sent.json()) as { conversation: { id: string } }
    const at = `v1/conversations/${conversation.id}`
    const found = await execute('Messaging-getConversation', { method: 'GET', url: new RegExp(`${at}$`) })
    expect(found.status()).toBe(200)
    const reply = { method: 'POST', url: new RegExp(`${at}/messages$`) }
    expect((await execute('Messaging-replyToConversation', reply)).status()).toBe(202)

    const tags = 'Tags_and_custom_field_definitions'
    const tag = await execute(`${tags}-createTag`, { method: 'POST', url: /v1\/tags$/ })
    const { id: tagId } = (await tag.json()) as { id: string }
    const tagged = { method: 'POST', url: new RegExp(`/contacts/[^/]+/tags/${tagId}$`) }
    expect((await execute('Contacts-addContactTag', tagged)).status()).toBeLessThan(300)

    // A DELETE is not one key press away from a customer.
    const remove = await open('Contacts-deleteContact')
    await page.waitForLoadState('networkidle')
    expect(await remove.locator('tr[data-param-in="path"] input').inputValue()).toBe('')
  })
})
