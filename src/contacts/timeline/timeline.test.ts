/** Tests the timeline of a contact over all domains: entries, order, paging, scopes and visibility. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const service = await testService()
const { db } = service.deps
let workspace: Workspace
let owner: Client
let numbers = 5_583_000
const text = (body: string) => ({ type: 'text', text: { body } })

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
})

async function connectInbox(teamId?: string): Promise<string> {
  const chatapp = { resourceIds: [`55${++numbers}`], phoneNumberIds: [String(++numbers)] }
  const { id } = (await owner.post('/inboxes', { chatapp })).body.inboxes[0]
  if (teamId) await owner.put(`/inboxes/${id}/team`, { teamId })
  await until(
    () => db.rows(sql`select 1 from inboxes where id = ${id} and registration is null`),
    unregistered => unregistered.length === 0,
  )
  return id
}

const newPhone = () => `+141${++numbers}0`

async function receive(inboxId: string, from: string): Promise<{ id: string; contactId: string }> {
  await owner.post('/sandbox/inbound', { inboxId, from, content: text('Hi') })
  const conversations = await until(
    async () =>
      (await owner.get('/conversations')).body.conversations.filter((one: Item) => one.inboxId === inboxId),
    found => found.length > 0,
    10_000,
  )
  return conversations[0]
}

interface Item {
  type: string
  id: string
  at: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read items freely
  [member: string]: any
}
const read = async (id: string, client = owner, query = ''): Promise<Item[]> => {
  const { status, body } = await client.get(`/contacts/${id}/timeline${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items
}
const typesOf = (items: readonly Item[]) => items.map(item => item.type)

async function sendCampaign(inboxId: string): Promise<string> {
  const filter = { match: 'all', conditions: [] }
  const segmentId = (await owner.post('/segments', { name: 'All', filter })).body.id
  const { id } = (await owner.post('/campaigns', { name: 'Spring' })).body
  await owner.patch(`/campaigns/${id}`, { inboxId, segmentId, content: text('Sale') })
  expect((await owner.post(`/campaigns/${id}/schedule`, { sendAt: 'now' })).status).toBe(200)
  await until(
    async () => (await owner.get(`/campaigns/${id}/recipients`)).body.items,
    found => found.length > 0 && ['sent', 'delivered', 'read'].includes(found[0].status),
  )
  return id
}

async function runJourney(contactId: string): Promise<{ id: string; runId: string }> {
  const definition = {
    nodes: [{ id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } }],
    edges: [],
  }
  const { id } = (await owner.post('/journeys', { name: 'Welcome', definition })).body
  await owner.post(`/journeys/${id}/publish`)
  await owner.post(`/journeys/${id}/activate`)
  const { body } = await owner.post(`/journeys/${id}/runs`, { contactId })
  await until(
    async () => (await owner.get(`/runs/${body.id}`)).body.status,
    status => status === 'completed',
  )
  return { id, runId: body.id }
}

test('entries of all kinds, newest first, without messages', async () => {
  const inboxId = await connectInbox()
  const { id: conversationId, contactId } = await receive(inboxId, newPhone())
  const campaignId = await sendCampaign(inboxId)
  const journey = await runJourney(contactId)
  const note = (await owner.post(`/contacts/${contactId}/notes`, { text: 'Called' })).body
  await owner.post(`/conversations/${conversationId}/close`)
  await owner.put(`/contacts/${contactId}/opt-outs/chatapp`)
  await owner.delete(`/contacts/${contactId}/opt-outs/chatapp`)
  await owner.put(`/contacts/${contactId}/opt-outs/chatapp`)
  const other = (await owner.post('/contacts', { name: 'Twin' })).body.id
  await owner.post(`/contacts/${other}/merge`, { intoContactId: contactId })
  await owner.post(`/contacts/${contactId}/archive`)
  const items = await read(contactId)
  expect(typesOf(items)).toEqual([
    'archived',
    'merged',
    'opted_out',
    'opted_in',
    'opted_out',
    'conversation_closed',
    'note',
    'journey_ended',
    'journey_started',
    'campaign_message',
    'conversation_opened',
    'created',
  ])
  const [, merged, current, optedIn, earlier, closed, written, ended, started, campaign, opened] = items
  expect(merged).toMatchObject({ contactId: other, name: 'Twin' })
  expect([current, optedIn, earlier]).toMatchObject([
    { channel: 'chatapp', conversationId: null },
    { channel: 'chatapp', conversationId },
    { channel: 'chatapp', conversationId },
  ])
  expect(closed).toMatchObject({ conversationId, actor: { type: 'user', id: owner.id } })
  expect(written!.note).toEqual(note)
  expect(ended).toMatchObject({ journeyId: journey.id, runId: journey.runId, status: 'completed' })
  expect(started).toMatchObject({ journeyName: 'Welcome', runId: journey.runId })
  expect(campaign).toMatchObject({ campaignId, campaignName: 'Spring', conversationId })
  expect(opened).toMatchObject({ conversationId, channel: 'chatapp', actor: null })
  expect(typesOf(await read(other))).toEqual(typesOf(items))
})

test('pages of every size have each entry once, also entries of the same time', async () => {
  const contactId = (await owner.post('/contacts', { name: 'Ada' })).body.id
  for (const n of [1, 2, 3, 4]) await owner.post(`/contacts/${contactId}/notes`, { text: `n${n}` })
  for (const channel of ['chatapp', 'sms', 'socialapp'])
    await owner.put(`/contacts/${contactId}/opt-outs/${channel}`)
  const at = service.deps.clock.now().toISOString()
  await db.run(sql`update contact_notes set created_at = ${at} where contact_id = ${contactId}`)
  await db.run(sql`update contact_opt_outs set at = ${at} where contact_id = ${contactId}`)
  const all = await read(contactId)
  expect(all).toHaveLength(8)
  for (const limit of [1, 2, 3, 7, 8]) {
    const found: Item[] = []
    let cursor = ''
    do {
      const { body } = await owner.get(`/contacts/${contactId}/timeline?limit=${limit}&cursor=${cursor}`)
      expect(body.hasMore).toBe(body.nextCursor !== null)
      found.push(...body.items)
      cursor = body.nextCursor ?? ''
    } while (cursor)
    expect(found).toEqual(all)
  }
})

test('agents see the entries of conversations that they can see, and 404 without one', async () => {
  const [open, closed] = [await connectInbox(), await connectInbox(workspace.teamId)]
  const hidden = await receive(closed, newPhone())
  await sendCampaign(closed)
  const { id: shared, contactId } = await receive(open, newPhone())
  const outsider = await workspace.user('agent')
  expect((await outsider.get(`/contacts/${hidden.contactId}/timeline`)).status).toBe(404)
  await owner.post(`/contacts/${hidden.contactId}/merge`, { intoContactId: contactId })
  const conversations = (items: readonly Item[]) =>
    [...new Set(items.flatMap(item => item.conversationId ?? []))].sort()
  const all = await read(contactId)
  expect(conversations(all)).toEqual([shared, hidden.id].sort())
  expect(typesOf(all)).toContain('campaign_message')
  const visible = await read(contactId, outsider)
  expect(conversations(visible)).toEqual([shared])
  expect(typesOf(visible)).not.toContain('campaign_message')
  const member = await workspace.user('agent', [workspace.teamId])
  expect(conversations(await read(contactId, member))).toEqual([shared, hidden.id].sort())
})

test('entries are left out without their scope, and 404 for another workspace', async () => {
  const inboxId = await connectInbox()
  const { contactId } = await receive(inboxId, newPhone())
  await runJourney(contactId)
  await owner.post(`/contacts/${contactId}/notes`, { text: 'Called' })
  const scoped = async (...scopes: string[]) =>
    typesOf(await read(contactId, await workspace.key({ scopes: ['contact:read', ...scopes] })))
  expect(await scoped()).toEqual(['created'])
  expect(await scoped('journey:read')).toEqual(['journey_ended', 'journey_started', 'created'])
  expect(await scoped('conversation:read')).toEqual(['note', 'conversation_opened', 'created'])
  const other = (await service.workspace()).owner
  expect((await other.get(`/contacts/${contactId}/timeline`)).status).toBe(404)
})

test('a conversation that moved to another contact shows only what happened since', async () => {
  const inboxId = await connectInbox()
  const phone = newPhone()
  const { id, contactId } = await receive(inboxId, phone)
  await owner.post(`/conversations/${id}/close`)
  await owner.delete(`/contacts/${contactId}`)
  const next = (await owner.post('/contacts', { name: 'Next', phone })).body.id
  await owner.post('/sandbox/inbound', { inboxId, from: phone, content: text('New owner') })
  const items = await until(
    () => read(next),
    found => found.some(item => item.conversationId === id),
  )
  expect(typesOf(items)).toEqual(['conversation_reopened', 'created'])
})
