/** Tests `changed` frames: every kind of resource, who receives them, and the progress of long work. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../test/harness/api.ts'
import { type Frame, openFrames } from '../../test/harness/frames.ts'
import { testService } from '../../test/harness/service.ts'
import { eventually } from '../../test/harness/wait.ts'
import { completeIfDone } from '../campaigns/sending/complete.ts'
import { transact } from '../platform/db/transact.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let frames: Frame[]
let numbers = 1000

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  frames = await openFrames(owner)
})

const changesOf = (id: string, among = frames) =>
  among.filter(({ type, data }) => type === 'changed' && data.id === id).map(({ data }) => data)

const trigger = {
  nodes: [{ id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } }],
  edges: [],
}

/** Where a resource is created, how it is changed, and where it is deleted. */
const resources: [
  kind: string,
  path: string,
  body: object,
  patch: object,
  headers?: Record<string, string>,
][] = [
  ['label', '/labels', { name: 'Billing' }, { name: 'Invoices' }],
  ['tag', '/tags', { name: 'VIP' }, { name: 'Very' }],
  ['team', '/teams', { name: 'Night' }, { name: 'Day' }],
  ['view', '/views', { name: 'Mine', filter: {} }, { name: 'Yours' }],
  ['saved_reply', '/saved-replies', { shortcut: 'hi', text: 'Hi' }, { text: 'Hello' }],
  ['journey', '/journeys', { name: 'J', definition: trigger }, { name: 'K' }],
  ['chatbot', '/chatbots', { name: 'B' }, { name: 'C' }],
  [
    'segment',
    '/segments',
    { name: 'All', filter: { match: 'all', conditions: [] } },
    { name: 'Some' },
    { 'if-match': '*' },
  ],
  ['campaign', '/campaigns', { name: 'Spring' }, { name: 'Summer' }, { 'if-match': '*' }],
]

describe('changed', () => {
  test.each(resources)('%s: created, changed, deleted', async (kind, path, body, patch, headers) => {
    const created = await owner.post(path, body)
    expect(created.status).toBe(201)
    const { id } = created.body
    expect((await owner.patch(`${path}/${id}`, patch, headers)).status).toBe(200)
    expect((await owner.delete(`${path}/${id}`, headers)).status).toBe(204)
    const found = await eventually(() => {
      const changes = changesOf(id)
      expect(changes.at(-1)?.revision).toBeNull()
      return changes
    })
    expect(found.map(change => change.kind)).toEqual([kind, kind, kind])
    expect(found[1].revision).toBeGreaterThan(found[0].revision)
  })

  test('custom_field, inbox and user', async () => {
    const field = (await owner.post('/contacts/custom-fields', { name: 'Plan', type: 'text' })).body
    await owner.delete(`/contacts/custom-fields/${field.id}`)
    const chatapp = { resourceIds: ['8600'], phoneNumberIds: [`8600${numbers++}`] }
    const inbox = (await owner.post('/inboxes', { chatapp })).body.inboxes[0]
    await owner.put(`/inboxes/${inbox.id}/team`, { teamId: workspace.teamId })
    await owner.delete(`/inboxes/${inbox.id}`)
    const agent = await workspace.user('agent')
    await owner.patch(`/users/${agent.id}`, { teamIds: [workspace.teamId] })
    await eventually(() => {
      expect(changesOf(field.id)).toMatchObject([{ kind: 'custom_field' }, { revision: null }])
      expect(changesOf(inbox.id)).toMatchObject([{ kind: 'inbox' }, { kind: 'inbox' }, { revision: null }])
      expect(changesOf(agent.id)).toMatchObject([{ kind: 'user' }])
    })
  })

  test('the order of views, for the browsers of its user only', async () => {
    const agent = await workspace.user('agent')
    const ofAgent = await openFrames(agent)
    expect((await agent.put('/users/me/view-order', { viewIds: [] })).status).toBe(204)
    const label = (await owner.post('/labels', { name: 'Later' })).body
    await eventually(() => expect(changesOf(label.id)).toHaveLength(1))
    expect(changesOf(agent.id)).toEqual([])
    await eventually(() => expect(changesOf(agent.id, ofAgent)).toMatchObject([{ kind: 'view' }]))
  })

  test('preferences, for the clients of their user only, and only if they are others than before', async () => {
    const agent = await workspace.user('agent')
    const ofAgent = await openFrames(agent)
    const kinds = { mention: true, assignment: true, message: false }
    for (const theme of ['dark', 'dark', 'light'])
      expect((await agent.put('/users/me/preferences', { theme })).body).toEqual({ theme })
    for (const message of [false, false, true])
      await agent.put('/users/me/notification-preferences', { ...kinds, message })
    const label = (await owner.post('/labels', { name: 'Later' })).body
    await eventually(() => {
      expect(changesOf(label.id)).toHaveLength(1)
      expect(changesOf(label.id, ofAgent)).toHaveLength(1)
    })
    expect(changesOf(agent.id)).toEqual([])
    expect(changesOf(agent.id, ofAgent)).toMatchObject([
      { kind: 'preferences', revision: expect.any(Number) },
      { kind: 'preferences' },
      { kind: 'notification_preferences' },
      { kind: 'notification_preferences' },
    ])
  })

  test('workspace and service_account, for everyone who reads them', async () => {
    const ofAgent = await openFrames(await workspace.user('agent'))
    const { tenantId } = workspace
    await owner.patch('/workspace', { timezone: 'Europe/Madrid' })
    await owner.patch('/workspace', { timezone: 'Europe/Madrid' })
    const { id } = (await owner.post('/service-accounts', { name: 'Robot' })).body
    await owner.patch(`/service-accounts/${id}`, { name: 'Automaton' })
    await owner.delete(`/service-accounts/${id}`)
    await eventually(() => {
      expect(changesOf(id, ofAgent)).toMatchObject([
        { kind: 'service_account' },
        { kind: 'service_account' },
        { revision: null },
      ])
      expect(changesOf(tenantId, ofAgent)).toMatchObject([{ kind: 'workspace' }])
    })
  })

  test('only callers with the scope to list the kind receive it, in their workspace', async () => {
    const limited = await workspace.key({ scopes: ['user:read_self', 'conversation:read', 'tag:list'] })
    const ofLimited = await openFrames(limited)
    const ofOther = await openFrames((await service.workspace()).owner)
    const label = (await owner.post('/labels', { name: 'Hidden' })).body
    const tag = (await owner.post('/tags', { name: 'Shown' })).body
    await eventually(() => expect(changesOf(tag.id, ofLimited)).toHaveLength(1))
    expect(changesOf(label.id, ofLimited)).toEqual([])
    expect([...changesOf(label.id, ofOther), ...changesOf(tag.id, ofOther)]).toEqual([])
  })
})

describe('campaigns', () => {
  test('agents receive changes and progress of the campaigns that they can see', async () => {
    const [member, outsider] = [
      await workspace.user('agent', [workspace.teamId]),
      await workspace.user('agent'),
    ]
    const [ofMember, ofOutsider] = [await openFrames(member), await openFrames(outsider)]
    const chatapp = { resourceIds: ['8602'], phoneNumberIds: [`8602${numbers++}`] }
    const inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
    await owner.put(`/inboxes/${inboxId}/team`, { teamId: workspace.teamId })
    const { id } = (await owner.post('/campaigns', { name: 'Spring' })).body
    // Without an inbox all agents can see it; the one who no longer can is notified.
    const content = { type: 'template', template: { name: 'order_update', language: 'en' } }
    const patched = await owner.patch(`/campaigns/${id}`, { inboxId, content }, { 'if-match': '*' })
    expect(patched.status, JSON.stringify(patched.body)).toBe(200)
    await eventually(() => expect(changesOf(id, ofOutsider)).toHaveLength(2))
    expect((await outsider.get(`/campaigns/${id}`)).status).toBe(404)
    expect((await owner.patch(`/campaigns/${id}`, { name: 'Summer' }, { 'if-match': '*' })).status).toBe(200)
    await transact(service.deps.db, tx =>
      completeIfDone(tx, workspace.tenantId, { campaignId: id, pending: 1, dispatchComplete: false }),
    )
    await eventually(() => {
      expect(changesOf(id, ofMember)).toHaveLength(4)
      expect(changesOf(id)).toHaveLength(4)
    })
    // The label was changed last.
    const label = (await owner.post('/labels', { name: 'Last' })).body
    await eventually(() => expect(changesOf(label.id, ofOutsider)).toHaveLength(1))
    expect(changesOf(id, ofOutsider)).toHaveLength(2)
  })
})

describe('progress', () => {
  test('a bulk action reports its start, progress and end to its creator and to owners', async () => {
    const creator = await workspace.user('agent')
    const other = await workspace.user('agent')
    const [ofCreator, ofOther] = [await openFrames(creator), await openFrames(other)]
    const chatapp = { resourceIds: ['8601'], phoneNumberIds: [`8601${numbers++}`] }
    const inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
    const recipient = { type: 'phone', phoneNumber: '+14155586001' }
    await owner.post('/messages', { recipient, inboxId, content: { type: 'text', text: { body: 'Hi' } } })
    const { id } = (await creator.post('/conversations/bulk', { filter: {}, action: { type: 'close' } })).body
    await eventually(() => {
      const changes = changesOf(id, ofCreator)
      expect(changes.filter(change => change.revision > 0)).toHaveLength(2)
      expect(changes.filter(change => !('revision' in change)).length).toBeGreaterThan(0)
      expect(changesOf(id).length).toBeGreaterThan(1)
    })
    expect(changesOf(id, ofOther)).toEqual([])
  })

  test('a bulk action on contacts does so with contact:list, and without conversation:list', async () => {
    const scopes = ['user:read_self', 'conversation:read', 'label:list']
    const creator = await workspace.key({ scopes: [...scopes, 'contact:list', 'contact:update'] })
    const other = await workspace.key({ role: 'admin', scopes: [...scopes, 'conversation:list'] })
    const [ofCreator, ofOther] = [await openFrames(creator), await openFrames(other)]
    const contact = (await owner.post('/contacts', { name: 'Ada' })).body
    const { id } = (await creator.post('/contacts/bulk', { ids: [contact.id], action: { type: 'archive' } }))
      .body
    const finished = (count: number) =>
      eventually(() => {
        const changes = changesOf(id, ofCreator)
        expect(changes.every(({ kind }) => kind === 'contact_bulk')).toBe(true)
        expect(changes.filter(change => change.revision > 0)).toHaveLength(count)
        expect(changes.filter(change => !('revision' in change)).length).toBeGreaterThan(0)
        expect(changesOf(id).filter(change => change.revision > 0)).toHaveLength(count)
      })
    await finished(2)
    expect((await creator.post(`/contacts/bulk/${id}/undo`)).status).toBe(202)
    await finished(4)
    // The label was changed last.
    const label = (await owner.post('/labels', { name: 'Last' })).body
    await eventually(() => expect(changesOf(label.id, ofOther)).toHaveLength(1))
    expect(changesOf(id, ofOther)).toEqual([])
  })

  test('an import reports its start, progress and end', async () => {
    const form = new FormData()
    form.set('file', new Blob(['name,tags\nAda,Imported\n'], { type: 'text/csv' }), 'people.csv')
    const headers = { authorization: `Bearer ${owner.token}` }
    const response = await fetch(`${owner.url}/v1/contacts/import`, { method: 'POST', headers, body: form })
    const { importId } = (await response.json()) as { importId: string }
    await eventually(() => expect(changesOf(importId).length).toBeGreaterThan(2))
    const { tags } = (await owner.get('/tags')).body
    const { id } = tags.find(({ name }: { name: string }) => name === 'Imported')
    await eventually(() => expect(changesOf(id)).toMatchObject([{ kind: 'tag' }]))
  })
})
