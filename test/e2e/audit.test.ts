/** Tests the audit entries of operations that read or remove data of customers. */
import { expect, test } from 'vitest'
import { createJourney } from '../../src/workflows/testing/fixtures.ts'
import { testApi } from '../harness/api.ts'

const api = await testApi({}, { spread: true })

test('exports, imports, erasures and simulations with real contacts have an audit entry', async () => {
  const { owner, tenantId } = await api.workspace()
  const { id: contactId } = (await owner.post('/contacts', { name: 'Ada', phone: '+14155550123' })).body
  const journeyId = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: { end: ['end', {}] },
    edges: ['start > end'],
  })
  const { id: campaignId } = (await owner.post('/campaigns', { name: 'Spring' })).body
  const { id: newest } = (await owner.get('/audit-log?limit=1')).body.items[0]
  const form = new FormData()
  form.set('file', new Blob(['name\nBob\n'], { type: 'text/csv' }), 'people.csv')
  const upload = await fetch(`${owner.url}/v1/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
    body: form,
  })
  const { importId } = (await upload.json()) as { importId: string }
  expect((await owner.get('/contacts/export?archived=true')).status).toBe(200)
  expect((await owner.get(`/campaigns/${campaignId}/recipients/export`)).status).toBe(200)
  expect((await owner.post(`/journeys/${journeyId}/simulate`, {})).status).toBe(200)
  expect((await owner.post(`/journeys/${journeyId}/simulate`, { contactId })).status).toBe(200)
  expect((await owner.post(`/journeys/${journeyId}/simulate`, { contactId: 'con_unknown' })).status).toBe(404)
  expect((await owner.post(`/contacts/${contactId}/erase`)).status).toBe(202)
  const { items } = (await owner.get('/audit-log?limit=50')).body
  const added = items.slice(
    0,
    items.findIndex(({ id }: { id: string }) => id === newest),
  )
  const by = { actorType: 'user', actorId: owner.id }
  expect(added.reverse()).toMatchObject([
    {
      ...by,
      action: 'contact.import_started',
      targetType: 'import',
      targetId: importId,
      details: { filename: 'people.csv', dryRun: false },
    },
    {
      ...by,
      action: 'contact.exported',
      targetType: 'workspace',
      targetId: tenantId,
      details: { archived: true },
    },
    { ...by, action: 'campaign.recipients_exported', targetType: 'campaign', targetId: campaignId },
    {
      ...by,
      action: 'journey.simulated',
      targetType: 'journey',
      targetId: journeyId,
      details: { contactId },
    },
    { ...by, action: 'contact.erased', targetType: 'contact', targetId: contactId },
  ])
})
