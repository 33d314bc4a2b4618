/** Tests that the skip reasons of an estimate and of a finished campaign lead to the contacts concerned. */
import { describe, expect, test } from 'vitest'
import { testService, until } from '../../harness/service.ts'
import { expectAccessible, hasBrowser, openTab, screenshot } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

describe.skipIf(!hasBrowser)('skip reasons', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('the recipients and each reason of the estimate, and of the finished campaign, list exactly their contacts', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const add = async (name: string, phone?: string) => {
      const { body } = await api.post('/contacts', { name, ...(phone ? { phone } : {}) })
      return body.id as string
    }
    await office.receive('+14155550183', 'hello', 'Ada Reached')
    await until(
      async () => (await api.get('/conversations')).body.conversations,
      list => list.length === 1,
    )
    const out = [await add('Bo Out', '+14155550184'), await add('Cy Out', '+14155550185')]
    for (const id of out) await api.put(`/contacts/${id}/opt-outs/chatapp`)
    await add('Di Nowhere')
    const filter = { match: 'all', conditions: [] }
    const segment = (await api.post('/segments', { name: 'Everyone', filter })).body
    const campaign = (await api.post('/campaigns', { name: 'Spring' })).body
    const content = { type: 'text', text: { body: 'Hello' } }
    await api.patch(`/campaigns/${campaign.id}`, { segmentId: segment.id, inboxId: office.inboxId, content })
    const { skipped } = (await api.get(`/campaigns/${campaign.id}/estimate`)).body
    expect(skipped).toMatchObject({ opted_out: 2, no_identity: 1, window_closed: 0 })
    const { page } = await openTab()
    await signIn(page, service, office.owner, `/campaigns/${campaign.id}`)
    const estimate = page.getByRole('complementary', { name: 'Estimate' })
    const dialog = page.getByRole('dialog')
    await estimate.getByRole('button', { name: 'Will receive it' }).click()
    await expect.poll(() => dialog.getByRole('listitem').allInnerTexts()).toEqual(['Ada Reached'])
    await page.keyboard.press('Escape')
    await estimate.getByRole('button', { name: 'Opted out of this channel' }).click()
    await expect.poll(() => dialog.getByRole('listitem').allInnerTexts()).toEqual(['Cy Out', 'Bo Out'])
    await expectAccessible(page, 'skipped contacts')
    await screenshot(page, 'campaign-skipped')
    await page.keyboard.press('Escape')
    await estimate.getByRole('button', { name: 'No address on this channel' }).click()
    await dialog.getByRole('link', { name: 'Di Nowhere' }).click()
    await page.getByRole('button', { name: /^Name of the contact: Di Nowhere/ }).waitFor()

    expect((await api.post(`/campaigns/${campaign.id}/schedule`, { sendAt: 'now' })).status).toBe(200)
    await until(
      async () => (await api.get(`/campaigns/${campaign.id}`)).body.status,
      status => status === 'sent',
    )
    await page.goto(`${service.url}/campaigns/${campaign.id}`)
    const recipients = page.getByRole('table', { name: 'Recipients' }).getByRole('rowheader')
    await expect.poll(() => recipients.count()).toBe(4)
    await page.getByRole('link', { name: 'Opted out of this channel' }).click()
    await expect.poll(() => recipients.allInnerTexts()).toEqual(['Cy Out', 'Bo Out'])
    await expectAccessible(page, 'recipients with a reason')
    await screenshot(page, 'campaign-reason')
    await page.reload()
    await expect.poll(() => recipients.allInnerTexts()).toEqual(['Cy Out', 'Bo Out'])
    const link = await page.getByRole('link', { name: /CSV/ }).getAttribute('href')
    expect(link).toContain('reason=opted_out')
    await page.getByRole('button', { name: 'Only: Opted out of this channel' }).click()
    await expect.poll(() => recipients.count()).toBe(3)
  })
})
