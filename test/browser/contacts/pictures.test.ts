/** Tests pictures of users and contacts and the logo of the workspace in the console: upload, refusal, removal, initials. */
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
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

describe.skipIf(!hasBrowser)('pictures', async () => {
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

  function draw(red: number, green: number, blue: number): Buffer {
    const png = new PNG({ width: 450, height: 300 })
    for (let i = 0; i < 450 * 300; i++)
      png.data.set([red, green, i % 450 > 225 ? blue : Math.floor(blue / 2), 255], i * 4)
    return PNG.sync.write(png)
  }

  const upload = (page: Page, label: string, buffer: Buffer) =>
    page.getByLabel(label, { exact: true }).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  const photos = (page: Page) => page.locator('img[src^="/v1/pictures/"]')
  /** Waits until every picture of the page was loaded. */
  const expectLoaded = async (page: Page, count: number) => {
    await expect.poll(() => photos(page).count()).toBe(count)
    await expect
      .poll(() =>
        photos(page).evaluateAll(all => all.every(one => (one as HTMLImageElement).naturalWidth === 256)),
      )
      .toBe(true)
  }

  test('uploaded and removed on the profile, refused if broken, with initials without one', async () => {
    const office = await openOffice(service)
    const { page } = await openTab({ expected: /400/ })
    await signIn(page, service, office.owner, '/settings/profile')
    await upload(page, 'your picture', draw(200, 60, 90))
    // In the navigation and in the form.
    await expectLoaded(page, 2)
    expect((await office.owner.api.get('/users/me')).body.avatarUrl).toMatch(/^\/v1\/pictures\//)
    await capture(page, 'pictures-profile')
    await upload(page, 'your picture', draw(1, 2, 3).subarray(0, 120))
    await page.getByRole('alert').filter({ hasText: 'not a complete PNG or JPEG' }).waitFor()
    await page.getByRole('button', { name: 'Remove your picture' }).click()
    await expectLoaded(page, 0)
    await expect.poll(() => page.locator('[data-initials="AL"]').count()).toBe(2)
    expect((await office.owner.api.get('/users/me')).body.avatarUrl).toBeNull()
  })

  test('the picture of a contact is in the list, the thread and the details; the logo in the navigation', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    await office.receive('+14155550166', 'Is the ferry late?', 'Bo Customer')
    const list = async () => (await api.get('/conversations')).body.conversations
    const [{ id, contactId }] = await until(list, found => found.length === 1)
    const { page } = await openTab()
    await signIn(page, service, office.owner, `/contacts/${contactId}`)
    await upload(page, 'the picture', draw(60, 140, 80))
    await expectLoaded(page, 1)
    await capture(page, 'pictures-contact')
    await page.goto(`${service.url}/settings/workspace`)
    await upload(page, 'the logo', draw(40, 80, 200))
    await expectLoaded(page, 2)
    await capture(page, 'pictures-workspace')
    await page.goto(`${service.url}/inbox/${id}`)
    await page.getByText('Is the ferry late?').last().waitFor()
    await expect.poll(() => photos(page).count()).toBeGreaterThanOrEqual(3)
    await capture(page, 'pictures-inbox')
    // Removed elsewhere: the list follows the contact.
    await api.delete(`/contacts/${contactId}/avatar`)
    await expectLoaded(page, 1)
  })
})
