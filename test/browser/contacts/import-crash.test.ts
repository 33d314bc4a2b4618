/** Tests that an import continues on the screen when the service is killed in the middle of it. */
import { afterAll, describe, expect, test } from 'vitest'
import { cleanUp, fresh, scratch, start } from '../../system/program.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { password } from '../support/people.ts'

const rowCount = 10_000
const invalidCount = 37

const lines = Array.from({ length: rowCount }, (_, n) =>
  n % 270 === 5 && n / 270 < invalidCount ? `Bad ${n},nonsense` : `Person ${n},+1415${String(6_000_000 + n)}`,
)

describe.skipIf(!hasBrowser)('import', () => {
  afterAll(cleanUp)

  test('the service is killed in the middle of 10,000 rows: the page continues, and the counts add up', async () => {
    const dataDir = fresh(scratch(), 'import')
    const options = { dataDir, env: { CONSOLE: 'on' } }
    let service = await start(options)
    await service.ready()
    const port = Number(new URL(service.url).port)
    // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies freely
    const call = async (method: string, path: string, body?: unknown): Promise<any> =>
      (await service.call(method, path, body)).json()
    const invitation = { email: 'ana@example.com', role: 'admin' }
    const { token } = await call('POST', '/users/invitations', invitation)
    const before = (await call('GET', '/contacts/count')).totalSize as number
    const { page } = await openTab({ expected: /Failed to load resource|WebSocket connection|status of 5/ })
    await page.goto(`${service.url}/invitation#${token}`)
    await page.getByLabel('Your name').fill('Ana')
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor()
    await page.goto(`${service.url}/contacts/import`)
    const buffer = Buffer.from(['name,phone', ...lines].join('\n'))
    await page
      .getByLabel('Choose a CSV file')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer })
    await page.getByText('The first 20 rows').waitFor()
    const started = page.waitForResponse(response => response.url().endsWith('/v1/contacts/import'))
    await page.getByRole('button', { name: 'Import without checking' }).click()
    const { importId } = await (await started).json()
    await service.kill()
    await page.getByText('Reconnecting…').waitFor()
    service = await start({ ...options, port })
    await service.ready()
    const { successCount, failedCount } = await call('GET', `/contacts/imports/${importId}`)
    expect(successCount + failedCount).toBeLessThan(rowCount)
    const figure = (label: string) =>
      page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).getByRole('definition')
    await page.getByText('Rows imported').waitFor({ timeout: 240_000 })
    expect(await figure('Rows imported').innerText()).toBe('9,963')
    expect(await figure('Rows not imported').innerText()).toBe(String(invalidCount))
    expect(await figure('Contacts created').innerText()).toBe('9,963')
    expect(await figure('Rows that updated contacts').innerText()).toBe('0')
    expect(await page.getByRole('table').getByRole('row').count()).toBe(1 + invalidCount)
    expect((await call('GET', '/contacts/count')).totalSize).toBe(before + rowCount - invalidCount)
  })
})
