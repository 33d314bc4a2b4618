/** Takes the screenshots of docs/guide on the screens that it describes. `npm run guide` saves them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../../../src/platform/project-root.ts'
import { testService, until } from '../../harness/service.ts'
import { hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { type Office, openOffice, sendImmediately, signIn } from '../support/people.ts'

const guide = path.join(projectRoot, 'docs/guide')
const people = ['Mira Okafor', 'Jonas Weber', 'Priya Nair', 'Tomás Rivera', 'Elif Demir', 'Hana Sato']
const taken: string[] = []

async function save(page: Page, name: string): Promise<void> {
  taken.push(name)
  await screenshot(page, name)
}

async function addContacts({ owner: { api } }: Office): Promise<{ tagId: string; segmentId: string }> {
  const tagId = (await api.post('/tags', { name: 'vip' })).body.id
  await api.post('/contacts/custom-fields', { name: 'City', type: 'text' })
  for (const [i, name] of people.entries()) {
    const customFields = {
      City: i % 2 ? 'Lisbon' : 'Porto',
      cf_email: `${name.split(' ')[0]!.toLowerCase()}@example.com`,
    }
    const created = await api.post('/contacts', { name, phone: `+1415555030${i}`, customFields })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    if (i < 4) await api.post(`/contacts/${created.body.id}/tags/${tagId}`)
  }
  const group = { match: 'any', conditions: [{ type: 'hasAnyTag', tagIds: [tagId] }] }
  const filter = { match: 'all', conditions: [group] }
  const segment = await api.post('/segments', { name: 'Regular customers', filter })
  expect(segment.status, JSON.stringify(segment.body)).toBe(201)
  return { tagId, segmentId: segment.body.id }
}

async function addColleagues({ owner: { api }, hire }: Office, domain: string): Promise<void> {
  const kim = await hire('Kim Lee', 'admin', `kim@${domain}`)
  const { id } = (await api.post('/teams', { name: 'Shipping' })).body
  expect((await api.put(`/teams/${id}/members/${kim.id}`)).status).toBeLessThan(300)
  await api.post('/users/invitations', { email: `noah@${domain}`, role: 'agent' })
}

describe.skipIf(!hasBrowser)('guide', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('every picture of the guide shows a screen as it is', async () => {
    // Short for the pictures, and another one for each run.
    const domain = `harbor-${Date.now() % 1_000}.example`
    const office = await openOffice(service, 'Harbor Lights', `ana@${domain}`)
    const { api } = office.owner
    await addColleagues(office, domain)
    const { segmentId } = await addContacts(office)
    await office.receive('+14155550300', 'Hi! Is my order 4711 on its way?', 'Mira Okafor')
    await office.receive('+14155550301', 'The blue one arrived damaged. Can I swap it?', 'Jonas Weber')

    const { page } = await openTab({ viewport: { width: 1120, height: 700 } })
    await sendImmediately(page)
    await signIn(page, service, office.owner)
    await page.getByRole('link', { name: /Jonas Weber/ }).click()
    await page
      .getByRole('textbox', { name: 'Reply' })
      .fill('Of course. I will send you a label for the way back.')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('Delivered').waitFor()
    await save(page, 'inbox')

    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await page.getByText('Priya Nair').waitFor()
    await save(page, 'contacts')

    await page.goto(`${service.url}/segments/${segmentId}`)
    await page.getByText('4 contacts', { exact: true }).waitFor()
    await save(page, 'segment')

    const { id } = (await api.post('/campaigns', { name: 'Autumn lights' })).body
    const content = { type: 'text', text: { body: 'Hello {{contact.name}}, the new lamps are here.' } }
    await api.patch(`/campaigns/${id}`, { segmentId, inboxId: office.inboxId, content })
    await page.goto(`${service.url}/campaigns/${id}`)
    await page.getByText('Will receive it').waitFor()
    await page
      .getByText(/Hello .*, the new lamps are here\./)
      .last()
      .waitFor()
    await save(page, 'campaign')
    expect((await api.post(`/campaigns/${id}/schedule`, { sendAt: 'now' })).status).toBe(200)
    const counts = async () => (await api.get(`/campaigns/${id}/analytics`)).body.counts
    await until(counts, ({ delivered, read }) => delivered + read === 4)
    await page.getByText('Sent', { exact: true }).first().waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Funnel' }).waitFor()
    await save(page, 'campaign-sent')

    await page.goto(`${service.url}/reports`)
    await page.getByRole('heading', { name: 'Opened' }).waitFor()
    await save(page, 'reports')

    await page.goto(`${service.url}/settings/inboxes`)
    await page.getByRole('heading', { name: 'Inboxes' }).waitFor()
    await page.getByText('Failed in 24 hours').waitFor()
    await save(page, 'inboxes')

    const website = { name: 'Website', allowedOrigins: ['https://shop.example'] }
    const webchat = await api.post('/inboxes', { webchat: website })
    expect(webchat.status, JSON.stringify(webchat.body)).toBe(200)
    await page.goto(`${service.url}/settings/inboxes/${webchat.body.inboxes[0].id}`)
    const embed = page.getByRole('heading', { name: 'Put it on your website' })
    await embed.waitFor()
    await embed.evaluate(element => element.scrollIntoView())
    await save(page, 'webchat')

    await page.goto(`${service.url}/settings/people`)
    await page.getByText('Kim Lee').first().waitFor()
    await save(page, 'people')
  })

  test('the guide shows exactly these pictures', () => {
    const pages = readdirSync(guide).filter(file => file.endsWith('.md'))
    const shown = pages.flatMap(file =>
      [...readFileSync(path.join(guide, file), 'utf8').matchAll(/\(images\/([\w-]+)\.png\)/g)].map(
        ([, name]) => name!,
      ),
    )
    expect(shown.toSorted()).toEqual([...new Set(taken)].toSorted())
    for (const name of shown) expect(existsSync(path.join(guide, `images/${name}.png`)), name).toBe(true)
  })
})
