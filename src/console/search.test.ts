/** Tests the search over all kinds of resources: what is found, by whom, and how often the database is asked. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../test/harness/api.ts'
import { testService } from '../../test/harness/service.ts'
import { eventually } from '../../test/harness/wait.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let conversationId: string

const search = async (q: string, client = owner, query = '') =>
  (await client.get(`/search?q=${encodeURIComponent(q)}${query}`)).body.results as {
    kind: string
    items: { id: string; title: string; detail: string | null; conversationId?: string }[]
  }[]
const kindsOf = (results: Awaited<ReturnType<typeof search>>) => results.map(({ kind }) => kind).sort()

beforeAll(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const chatapp = { resourceIds: ['8700'], phoneNumberIds: ['87000001'] }
  const inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
  const text = { type: 'text', text: { body: 'The orchid arrived' } }
  const recipient = { type: 'phone', phoneNumber: '+14155587001' }
  const { conversation } = (await owner.post('/messages', { recipient, inboxId, content: text })).body
  conversationId = conversation.id
  await owner.patch(`/contacts/${conversation.contactId}`, { name: 'Olga Orchid' })
  await owner.post('/teams', { name: 'Orchid team' })
  await owner.post('/labels', { name: 'Orchidées' })
  await owner.post('/segments', { name: 'Orchid lovers', filter: { match: 'all', conditions: [] } })
  await owner.post('/campaigns', { name: 'Spring orchid' })
  const definition = {
    nodes: [{ id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } }],
    edges: [],
  }
  await owner.post('/journeys', { name: 'Orchid journey', definition })
  await owner.post('/chatbots', { name: 'Orchid bot' })
  await owner.post('/saved-replies', { shortcut: 'orchid', text: 'About orchids' })
  await owner.post('/views', { name: 'Orchid view', filter: {} })
  await owner.post('/macros', { name: 'Orchid macro', actions: [{ type: 'close' }] })
  await owner.patch('/users/me', { name: 'Owner Orchid' })
})

const all = [
  'campaign',
  'chatbot',
  'contact',
  'conversation',
  'journey',
  'label',
  'macro',
  'message',
  'saved_reply',
  'segment',
  'team',
  'user',
  'view',
]

describe('GET /search', () => {
  test('200 finds every kind, regardless of case and accents', async () => {
    const results = await eventually(async () => {
      const found = await search('ORCHID')
      expect(kindsOf(found)).toEqual(all)
      return found
    })
    const message = results.find(({ kind }) => kind === 'message')!.items[0]!
    expect(message).toMatchObject({ conversationId, detail: 'The orchid arrived' })
    expect(kindsOf(await search('orchidees'))).toContain('label')
    expect(await search('nothing like this')).toEqual([])
  })

  test('200 with the kinds and the number of hits that were asked for; the best names first', async () => {
    for (const name of ['A tulip', 'Tulip', 'xtulip']) await owner.post('/labels', { name })
    const results = await search('tulip', owner, '&kinds=label&kinds=team&limit=2')
    expect(results.map(({ kind, items }) => [kind, items.map(({ title }) => title)])).toEqual([
      ['label', ['Tulip', 'A tulip']],
    ])
  })

  test('200 without the kinds that the caller may not list, and without hidden conversations', async () => {
    const limited = await workspace.key({ scopes: ['user:read_self', 'label:list'] })
    expect(kindsOf(await search('orchid', limited))).toEqual(['label'])
    await owner.put(`/conversations/${conversationId}/owner`, { type: 'team', id: workspace.teamId })
    const outsider = await workspace.user('agent')
    const found = kindsOf(await search('orchid', outsider))
    for (const hidden of ['contact', 'conversation', 'message', 'view', 'macro', 'saved_reply'])
      expect(found).not.toContain(hidden)
    expect(await search('orchid', (await service.workspace()).owner)).toEqual([])
  })

  test.each(['', '%20', `${'x'.repeat(201)}`])('400 for q=%s', async q => {
    expect((await owner.get(`/search?q=${q}`)).status).toBe(400)
  })

  test('200 for a text of punctuation and of one letter', async () => {
    for (const q of ['%', '_', "'", '\\', '"', '😀', 'o'])
      expect((await owner.get(`/search?q=${encodeURIComponent(q)}`)).status, q).toBe(200)
  })
})
