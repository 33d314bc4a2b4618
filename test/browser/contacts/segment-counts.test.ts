/** Compares the counts on the screen with a naive evaluation of the same filters. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContactFilter } from '../../../src/segments/filter/filter.ts'
import { loadSubjects } from '../../../src/segments/subjects.ts'
import { anyFilter } from '../../../src/segments/testing/filters.ts'
import { matchesNaively } from '../../../src/segments/testing/oracle.ts'
import { testService } from '../../harness/service.ts'
import { hasBrowser, openTab } from '../support/browser.ts'
import { openOffice, signIn } from '../support/people.ts'

const filterCount = 30

/** Whether the filter can exist: its journeys and campaigns, which are not created here, cannot. */
function isPossible({ conditions }: Pick<ContactFilter, 'conditions'>): boolean {
  return conditions.every(item =>
    'conditions' in item
      ? isPossible(item as Pick<ContactFilter, 'conditions'>)
      : !['inJourney', 'gotCampaign'].includes(item.type as string),
  )
}

describe.skipIf(!hasBrowser)('segment counts', async () => {
  const service = await testService({ CONSOLE: 'development' }, { console: true })

  test('the count of 30 generated filters is that of a naive evaluation', async () => {
    const office = await openOffice(service)
    const { api } = office.owner
    const textField = (await api.post('/contacts/custom-fields', { name: 'Plan', type: 'text' })).body.id
    const dateField = (await api.post('/contacts/custom-fields', { name: 'Birthday', type: 'date' })).body.id
    const tagIds: string[] = []
    for (const name of ['Alpha', 'beta', '50%', 'a_b'])
      tagIds.push((await api.post('/tags', { name })).body.id)
    const ids: string[] = []
    for (let n = 0; n < 24; n++) {
      const customFields = {
        ...(n % 2 ? { Plan: ['a', 'B', 'é', '1%'][n % 4] } : {}),
        ...(n % 3 ? { Birthday: ['2026-02-28', '2024-02-29', '1999-12-31'][n % 3] } : {}),
      }
      const phone = n % 4 ? { phone: `+1415558${String(1000 + n)}` } : {}
      const { body } = await api.post('/contacts', { name: `P${n} ${'ab%_'[n % 4]}`, customFields, ...phone })
      ids.push(body.id)
      for (const [i, tagId] of tagIds.entries())
        if ((n >> i) & 1) await api.post(`/contacts/${body.id}/tags/${tagId}`)
      if (n % 5 === 0) await api.put(`/contacts/${body.id}/opt-outs/sms`)
      if (n % 7 === 0) await api.post(`/contacts/${body.id}/archive`)
    }
    const world = {
      tenantId: office.tenantId,
      tagIds,
      textField,
      dateField,
      journeyIds: ['none'],
      campaignIds: ['none'],
      importIds: ['none'],
    }
    const possible = anyFilter(world).filter(
      filter => filter.conditions.length > 0 && isPossible(filter) && JSON.stringify(filter).length < 1_500,
    )
    const filters = fc.sample(possible, filterCount)
    const contacts = await loadSubjects(service.deps.db, office.tenantId, ids, filters)
    const { page } = await openTab()
    await signIn(page, service, office.owner, '/contacts')
    const count = page.getByRole('heading', { level: 1 }).getByRole('status')
    const counts = new Set<number>()
    for (const filter of filters) {
      const now = service.deps.clock.now()
      const expected = contacts.filter(contact => matchesNaively(filter, contact, now)).length
      counts.add(expected)
      const answered = page.waitForResponse(response => response.url().endsWith('/contacts/search/count'))
      await page.evaluate(text => {
        history.pushState({}, '', `/contacts?filter=${encodeURIComponent(text)}`)
        dispatchEvent(new PopStateEvent('popstate'))
      }, JSON.stringify(filter))
      await answered
      await expect
        .poll(() => count.innerText(), { message: JSON.stringify(filter) })
        .toBe(`${expected} ${expected === 1 ? 'contact' : 'contacts'}`)
    }
    expect(counts.size, 'the filters differ').toBeGreaterThan(3)
  })
})
