/** Tests the parts of the contact page about campaigns, journeys, files and opt-outs, and how fast edits spread. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createJourney } from '../../../src/workflows/testing/fixtures.ts'
import { testService, until } from '../../harness/service.ts'
import { eventually, within } from '../../harness/wait.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { type Office, openOffice, signIn } from '../support/people.ts'

const text = (body: string) => ({ type: 'text', text: { body } })
const everyone = { match: 'all', conditions: [] }

describe.skipIf(!hasBrowser)('parts of the contact page', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  /** Lets a customer write; returns the conversation. */
  async function receive(office: Office, from: string, name: string) {
    await office.receive(from, 'hello', name)
    const read = async () => (await office.owner.api.get('/conversations')).body.conversations
    const [conversation] = await until(read, list => list.length === 1)
    return conversation as { id: string; contactId: string }
  }
  const openPart = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Parts of the contact' }).getByRole('link', { name }).click()

  test('campaigns lead to the campaign and to the message; files are listed', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const { id, contactId } = await receive(office, '+14155550180', 'Ada Customer')
    const segment = (await api.post('/segments', { name: 'Everyone', filter: everyone })).body
    const campaign = (await api.post('/campaigns', { name: 'Spring sale' })).body
    const parts = { segmentId: segment.id, inboxId: office.inboxId, content: text('Sale for you') }
    expect((await api.patch(`/campaigns/${campaign.id}`, parts)).status).toBe(200)
    expect((await api.post(`/campaigns/${campaign.id}/schedule`, { sendAt: 'now' })).status).toBe(200)
    const form = new FormData()
    form.set('file', new Blob(['price list'], { type: 'text/plain' }), 'prices.txt')
    const upload = await fetch(`${service.url}/v1/media/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}` },
      body: form,
    })
    const { mediaId } = (await upload.json()) as { mediaId: string }
    const content = { type: 'media', media: { mediaId, filename: 'prices.txt' } }
    const sent = await api.post(`/conversations/${id}/messages`, { content })
    expect(sent.status, JSON.stringify(sent.body)).toBe(202)
    await eventually(async () =>
      expect((await api.get(`/contacts/${contactId}/campaigns`)).body.items).toHaveLength(1),
    )
    const { page } = await openTab()
    await signIn(page, service, office.owner, `/contacts/${contactId}`)
    await openPart(page, 'Files')
    const file = page.getByRole('list', { name: 'Files' }).getByRole('link', { name: 'prices.txt' })
    await file.waitFor()
    const address = await file.getAttribute('href')
    expect(await (await fetch(`${service.url}${address}`)).text()).toBe('price list')
    await expectAccessible(page, 'files of a contact')
    await screenshot(page, 'contact-files')
    await openPart(page, 'Campaigns')
    const list = page.getByRole('list', { name: 'Campaigns' })
    await list.getByRole('link', { name: 'Spring sale' }).waitFor()
    await expectAccessible(page, 'campaigns of a contact')
    await screenshot(page, 'contact-campaigns')
    await list.getByRole('link', { name: 'Show the message' }).click()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toContain('Sale for you')
    const agent = await office.hire('Kim Lee')
    const team = (await api.post('/teams', { name: 'Hidden' })).body
    await api.put(`/conversations/${id}/owner`, { type: 'team', id: team.id })
    expect((await agent.api.get(`/contacts/${contactId}/files`)).status).toBe(404)
  })

  test('“Why?” shows each condition of a journey with its result as the API returns it', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const vip = (await api.post('/tags', { name: 'vip' })).body
    const { body: contact } = await api.post('/contacts', { name: 'Bo Customer', phone: '+14155550181' })
    const condition = { type: 'hasAnyTag', tagIds: [vip.id] }
    const segment = { match: 'all', conditions: [condition, { type: 'searchText', text: 'Bo' }] }
    const journeyId = await createJourney(api, {
      trigger: { type: 'contact_created', conditions: segment },
      nodes: { note: ['note', { text: 'x' }] },
      edges: ['start > note'],
    })
    const { page } = await openTab()
    await signIn(page, service, office.owner, `/contacts/${contact.id}?tab=runs`)
    await page.getByText('This contact has been in no journey.').waitFor()
    await page.getByLabel('Journey', { exact: true }).selectOption('A journey')
    await page.getByText('The contact would not enter “A journey” now.').waitFor()
    const path = `/journeys/${journeyId}/contacts/${contact.id}/explain`
    const { conditions } = (await api.get(path)).body as { conditions: { holds: boolean }[] }
    const shown = page.getByRole('list', { name: 'Conditions of the trigger' }).getByRole('listitem')
    expect((await shown.allInnerTexts()).map(item => item.startsWith('Yes:'))).toEqual(
      conditions.map(({ holds }) => holds),
    )
    await shown.filter({ hasText: 'No: have the tag “vip”' }).waitFor()
    await expectAccessible(page, 'why a contact enters a journey')
    await screenshot(page, 'contact-why')
    await api.post(`/contacts/${contact.id}/tags/${vip.id}`)
    await shown.filter({ hasText: 'Yes: have the tag “vip”' }).waitFor()
  })

  test('an opt-out names who set it; an edited field is in the table and in the segment count within a second', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const kim = await office.hire('Kim Lee', 'admin')
    await api.post('/contacts/custom-fields', { name: 'City', type: 'text' })
    const fields = (await api.get('/contacts/custom-fields')).body.customFields as {
      id: string
      name: string
    }[]
    const fieldId = fields.find(({ name }) => name === 'City')!.id
    const { contactId } = await receive(office, '+14155550182', 'Cy Customer')
    const conditions = [{ type: 'customFieldText', fieldId, operator: 'equals', value: 'Lisbon' }]
    const segment = (await api.post('/segments', { name: 'Lisbon', filter: { match: 'all', conditions } }))
      .body
    expect((await kim.api.put(`/contacts/${contactId}/opt-outs/sms`)).status).toBe(204)
    await office.receive('+14155550182', 'STOP')
    const read = async () => (await api.get(`/contacts/${contactId}/opt-outs`)).body.optOuts
    await eventually(async () =>
      expect(await read()).toMatchObject([
        { channel: 'chatapp', setBy: null },
        { channel: 'sms', setBy: { type: 'user', id: kim.id } },
      ]),
    )
    const tab = await openTab()
    await signIn(tab.page, service, office.owner, `/contacts/${contactId}`)
    const { page } = tab
    await page.getByText(/^by the customer/).waitFor()
    await page.getByText(/^by Kim Lee/).waitFor()
    await expectAccessible(page, 'opt-outs')
    await screenshot(page, 'contact-opt-outs')
    const count = (await tab.another()).page
    await count.goto(`${service.url}/segments/${segment.id}`)
    const figure = count.getByRole('region', { name: 'Matching contacts' }).getByRole('heading')
    await expect.poll(() => figure.innerText()).toBe('No contacts')
    const table = (await tab.another()).page
    await table.goto(`${service.url}/contacts`)
    await table.getByRole('link', { name: 'Cy Customer' }).waitFor()
    const change = async (button: RegExp, field: string, value: string) => {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('textbox', { name: field }).fill(value)
      await page.keyboard.press('Enter')
    }
    await change(/^Name of the contact/, 'Name of the contact', 'Cy Harbor')
    await table.getByRole('link', { name: 'Cy Harbor' }).waitFor({ timeout: within(1_000) })
    await change(/^City: empty/, 'City', 'Lisbon')
    await expect.poll(() => figure.innerText(), { timeout: within(1_000), interval: 20 }).toBe('1 contact')
  })
})
