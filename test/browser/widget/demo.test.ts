/** Tests the demo page: the oldest web chat of the installation beside the inbox that answers it. */
import { describe, expect, test } from 'vitest'
import { testService } from '../../harness/service.ts'
import { expectAccessibleThemes, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { openOffice, password } from '../support/people.ts'
import { addWebchat, findWidget } from '../support/site.ts'

describe.skipIf(!hasBrowser)('the demo', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })
  const office = await openOffice(service)
  await addWebchat(service, office, [service.url])
  await addWebchat(service, office, [service.url], { name: 'Newer' })

  test('has the oldest web chat beside the inbox: a message of the visitor appears there', async () => {
    const { page } = await openTab({ viewport: { width: 1500, height: 850 } })
    await page.goto(`${service.url}/demo`)
    const { button, frame, log, say } = findWidget(page)
    await button.waitFor()
    const inbox = page.frameLocator('iframe[title="Inbox"]')
    await inbox.getByLabel('E-mail').fill(office.owner.email)
    await inbox.getByLabel('Password', { exact: true }).fill(password)
    await inbox.getByLabel('Password', { exact: true }).press('Enter')
    await inbox.getByRole('navigation', { name: 'Navigation' }).waitFor()
    await expectAccessibleThemes(page, 'demo')
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await frame.getByRole('button', { name: 'Close the chat' }).waitFor()
    const text = `Do you repair lamps? (${Date.now()})`
    await say(text)
    await log.getByText('Sent').waitFor()
    await inbox.getByText(text).first().waitFor()
    await screenshot(page, 'widget-demo')
    await page.setViewportSize({ width: 800, height: 700 })
    expect(await page.getByRole('link', { name: 'Open the inbox' }).getAttribute('href')).toBe('/inbox')
  })

  test('is in the language that the browser prefers, with its chat', async () => {
    const { page } = await openTab({ locale: 'de-CH' })
    await page.goto(`${service.url}/demo`)
    await page.getByRole('button', { name: 'Chat öffnen' }).click()
    await findWidget(page).frame.getByRole('button', { name: 'Chat schließen' }).waitFor()
    await page.frameLocator('iframe[title="Posteingang"]').getByLabel('E-Mail').waitFor()
    const readLanguage = async (accepted: string) => {
      const answer = await fetch(`${service.url}/demo`, { headers: { 'accept-language': accepted } })
      return /<html lang="(\w+)"/.exec(await answer.text())![1]
    }
    for (const [accepted, language] of [
      ['fr, de;q=0.5, en;q=0.7', 'en'],
      ['en;q=0.2, de-AT', 'de'],
      ['constructor', 'en'],
      ['', 'en'],
    ] as const)
      expect(await readLanguage(accepted), accepted).toBe(language)
  })
})
