/** Fills a workspace with one of everything that a screen shows, with long and short names. */
import { expect } from 'vitest'
import { until } from '../../harness/service.ts'
import type { Office, Person } from './people.ts'

/** The resources that the addresses of screens refer to. */
export interface Things {
  conversationId: string
  contactId: string
  importId: string
  segmentId: string
  /** A draft. */
  campaignId: string
  /** A campaign that was sent. */
  runId: string
  inboxId: string
  journeyId: string
  chatbotId: string
  agent: Person
}

const names = ['Mira Okafor', 'Jonas Weber', 'Priya Nair', 'Tomás Rivera', 'Elif Demir', 'Hana Sato']
const long = 'Bartholomäus Freiherr von Hohenzollern-Sigmaringen zu Schwarzburg'
const text = (body: string) => ({ type: 'text', text: { body } })

export async function fillOffice(office: Office): Promise<Things> {
  const { api } = office.owner
  const create = async (path: string, body: object = {}) => {
    const response = await api.post(path, body)
    expect(response.status, `${path} ${JSON.stringify(response.body)}`).toBeLessThan(300)
    return response.body
  }
  const agent = await office.hire('Kim Lee')
  const team = await create('/teams', { name: 'Second line' })
  await api.put(`/teams/${team.id}/members/${agent.id}`)
  await create('/users/invitations', { email: `new-${office.tenantId}@example.com`, role: 'admin' })
  const label = await create('/labels', { name: 'damaged', color: '#2b59c3' })
  const tag = await create('/tags', { name: 'vip' })
  await create('/contacts/custom-fields', { name: 'City', type: 'text' })
  const contactId = await addContacts(create, tag.id)
  for (const [i, name] of names.entries())
    await office.receive(
      `+1415555030${i}`,
      `Hello, my order ${4711 + i} has not arrived yet. Where is it?`,
      name,
    )
  const list = async () => (await api.get('/conversations')).body.conversations
  const conversations = await until(list, found => found.length === names.length)
  const conversationId = conversations.find(({ name }: { name: string }) => name === names[0]).id
  const path = `/conversations/${conversationId}`
  await api.put(`${path}/labels/${label.id}`)
  await create(`${path}/notes`, { text: 'Left the warehouse this morning.' })
  await create(`${path}/messages`, { content: text('It arrives tomorrow before noon.') })
  // In another conversation, because the owner has read this one. Without it, the reports of the agent are empty.
  const other = conversations.find(({ name }: { name: string }) => name === names[2]).id
  const reply = { content: text('We are looking for it.') }
  expect((await agent.api.post(`/conversations/${other}/messages`, reply)).status).toBeLessThan(300)
  await create(`/contacts/${contactId}/notes`, { text: 'Prefers to be called in the morning.' })
  await create('/saved-replies', {
    shortcut: 'return',
    text: 'You can return it within 30 days.',
    scope: 'workspace',
  })
  await create('/views', { name: 'Second line', filter: { status: ['open'] } })
  const account = await create('/service-accounts', { name: 'Shop', description: 'Orders of the web shop' })
  await create(`/service-accounts/${account.id}/api-keys`, { name: 'Production' })
  await create('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook', enabled: false })
  const filter = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] }
  const segment = await create('/segments', { name: 'Regular customers', filter })
  const content = text('Hello {{contact.name}}, the new lamps are here.')
  const parts = { segmentId: segment.id, inboxId: office.inboxId, content }
  const sent = await create('/campaigns', { name: 'Autumn lights' })
  await api.patch(`/campaigns/${sent.id}`, parts)
  await create(`/campaigns/${sent.id}/schedule`, { sendAt: 'now' })
  await until(
    async () => (await api.get(`/campaigns/${sent.id}`)).body.status,
    status => status === 'sent',
  )
  const draft = await create('/campaigns', { name: 'Winter sale' })
  await api.patch(`/campaigns/${draft.id}`, parts)
  const search = async () => (await api.get('/messages/search?q=order&senderType=customer')).body.items
  await until(search, found => found?.length === names.length)
  const journey = await create('/journeys/from-template', { templateId: 'welcome', name: 'First steps' })
  const chatbot = await create('/chatbots/from-template', { templateId: 'menu', name: 'Front desk' })
  return {
    conversationId,
    contactId,
    importId: await importFile(agent),
    segmentId: segment.id,
    campaignId: draft.id,
    runId: sent.id,
    inboxId: office.inboxId,
    journeyId: journey.id,
    chatbotId: chatbot.id,
    agent,
  }
}

type Create = (path: string, body?: object) => Promise<{ id: string }>

/** Returns the id of the first one. */
async function addContacts(create: Create, tagId: string): Promise<string> {
  const ids: string[] = []
  for (const [i, name] of [...names, long].entries()) {
    const customFields = { City: i % 2 ? 'Lisbon' : 'Porto', cf_email: `customer-${i}@example.com` }
    const { id } = await create('/contacts', { name, phone: `+1415555030${i}`, customFields })
    if (i < 4) await create(`/contacts/${id}/tags/${tagId}`)
    ids.push(id)
  }
  return ids[0]!
}

async function importFile({ api }: Person): Promise<string> {
  const form = new FormData()
  const lines = ['name,phone', 'Ada,+14155550390', 'Bo,not a number']
  form.set('file', new Blob([lines.join('\n')], { type: 'text/csv' }), 'customers-of-the-spring-fair.csv')
  const response = await fetch(`${api.url}/v1/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}` },
    body: form,
  })
  const { importId } = (await response.json()) as { importId: string }
  await until(
    async () => (await api.get(`/contacts/imports/${importId}`)).body.status,
    status => status === 'completed',
  )
  return importId
}
