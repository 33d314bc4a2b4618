/**
 * Tests every operation that agents may call, and the frames of their sockets, with conversations of another team: agents
 * learn nothing of them, and an id that they may not see gives the response of an unknown id.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { getAccess, toOperation } from '../../src/platform/http/route.ts'
import type { ApiResponse, Client, Workspace } from '../harness/api.ts'
import { type Frames, openFrames } from '../harness/frames.ts'
import { testService } from '../harness/service.ts'
import { eventually } from '../harness/wait.ts'
import { factories } from './factories.ts'

const service = await testService({}, { spread: true })
let workspace: Workspace
let owner: Client
let agent: Client
let teamId: string

beforeAll(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  agent = await workspace.user('agent', [workspace.teamId])
  teamId = (await owner.post('/teams', { name: 'Others' })).body.id
})

const ofAgents = routes.filter(route => getAccess(route)?.roles.includes('agent'))

/** Tests what an agent sees, by the conversations of a contact or by its creator. */
const isScoped = (path: string) =>
  /^\/(conversations\/\{id\}|(conversations|contacts)\/bulk\/|contacts\/imports\/|contacts\/\{|messages\/\{|notes\/\{|media\/\{mediaId\}$|(views|macros|saved-replies)\/\{)/.test(
    path,
  ) || path.includes('{contactId}')
const scoped = ofAgents.filter(({ path }) => isScoped(path))

let numbers = 0
interface Hidden {
  conversationId: string
  messageId: string
  contactId: string
}

/** A conversation of the other team, whose inbox it is. */
async function createHidden(word = 'Hello'): Promise<Hidden> {
  const chatapp = { resourceIds: ['5577'], phoneNumberIds: [`5577${++numbers}`] }
  const inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
  await owner.put(`/inboxes/${inboxId}/team`, { teamId })
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: `+1415557${3000 + numbers}` },
    inboxId,
    content: { type: 'text', text: { body: word } },
  })
  const { id: conversationId } = body.conversation
  const { contact } = (await owner.get(`/conversations/${conversationId}`)).body
  return { conversationId, messageId: body.message.id, contactId: contact.id }
}

/** Everything that factories have created belongs to the other team. */
const hideAll = async () =>
  (await service.depsOf(workspace.tenantId)).db.run(
    sql`update conversation_states set team_id = ${teamId} where tenant_id = ${workspace.tenantId}`,
  )

/** Paths of contacts get one with a hidden conversation. */
function toHiddenParams(
  path: string,
  params: Record<string, string>,
  contactId: string,
): Record<string, string> {
  const ofContact = path.startsWith('/contacts/{id}') ? { ...params, id: contactId } : params
  return 'contactId' in params ? { ...ofContact, contactId } : ofContact
}

const fill = (path: string, params: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
const toUnknown = (id: string) => `${id.slice(0, -6)}000000`
/** Without what differs between any two responses. */
const comparable = ({ status, body }: ApiResponse, id = '') => ({
  status,
  body: JSON.stringify({ ...body, requestId: '', instance: '' }).replaceAll(id || '\n', 'an id'),
})

describe.each(scoped.map(route => ({ route, operation: toOperation(route) })))(
  '$operation',
  ({ route: { method, path } }) => {
    test('404 for what the agent cannot see, as for an unknown id', async () => {
      const factory = factories[path]!
      const made = await factory.params(workspace)
      const { contactId } = await createHidden()
      const body = typeof factory.body === 'function' ? await factory.body(workspace, made) : factory.body
      await hideAll()
      const params = toHiddenParams(path, made, contactId)
      const isFixed = (name: string) =>
        factory.fixed?.includes(name) ||
        /^(label|tag|customField|segment)Id$/.test(name) ||
        (name === 'id' && 'contactId' in params)
      const unknown = Object.fromEntries(
        Object.entries(params).map(([name, id]) => [name, isFixed(name) ? id : toUnknown(id)]),
      )
      const call = (ids: Record<string, string>) =>
        agent.request(method, fill(path, ids), body?.[method], factory.headers)
      const refused = await call(params)
      expect(refused.status, JSON.stringify(refused.body)).toBe(404)
      expect(comparable(refused)).toEqual(comparable(await call(unknown)))
    })
  },
)

describe('ids in bodies', () => {
  test.each([
    ['/saved-replies/{id}/render', 'conversationId'],
    ['/macros/{id}/run', 'conversationId'],
    ['/campaigns/{campaignId}/preview', 'contactId'],
    ['/journeys/{id}/runs', 'contactId'],
    ['/contacts/{id}/merge', 'contactId'],
  ] as const)('POST %s: as for an unknown id', async (path, kind) => {
    const params = await factories[path]!.params({
      ...workspace,
      owner: path.startsWith('/j') ? owner : agent,
    })
    const id = (await createHidden())[kind]
    const toBody = (value: string) =>
      path.includes('macros')
        ? { conversationIds: [value] }
        : { [path.endsWith('merge') ? 'intoContactId' : kind]: value }
    const call = (value: string) => agent.post(fill(path, params), toBody(value))
    const refused = comparable(await call(id), id)
    expect(refused).toEqual(comparable(await call(toUnknown(id)), toUnknown(id)))
  })

  test('bulk actions skip hidden ids as unknown ones', async () => {
    const { conversationId, contactId } = await createHidden()
    for (const [path, id, type] of [
      ['/conversations/bulk', conversationId, 'close'],
      ['/contacts/bulk', contactId, 'archive'],
    ] as const) {
      const run = async (target: string) => {
        const { body } = await agent.post(path, { ids: [target], action: { type } })
        return eventually(async () => {
          const { status, total, changed, failed } = (await agent.get(`${path}/${body.id}`)).body
          expect(status).toBe('completed')
          return { total, changed, failed }
        })
      }
      expect(await run(id)).toEqual(await run(toUnknown(id)))
    }
    expect((await owner.get(`/conversations/${conversationId}`)).body.status).toBe('open')
    expect((await owner.get(`/contacts/${contactId}`)).body.archivedAt).toBeNull()
  })
})

describe('lists', () => {
  const day = 86_400_000
  const period = `from=${new Date(Date.now() - day).toISOString()}&to=${new Date(Date.now() + day).toISOString()}`
  const queries: Record<string, string> = {
    '/messages/search': 'q=marzipan',
    '/search': 'q=marzipan',
    '/reports/overview': period,
    '/reports/csat': period,
  }
  const filters: Record<string, object> = {
    '/conversations/search': { filter: {} },
    '/contacts/search': { filter: { match: 'all', conditions: [] } },
  }

  test('no list, search or summary has a trace of a hidden conversation', async () => {
    const { conversationId, messageId, contactId } = await createHidden('marzipan')
    const ids = [conversationId, messageId, contactId]
    await owner.post(`/conversations/${conversationId}/notes`, { text: 'marzipan', mentions: [agent.id] })
    await owner.patch(`/contacts/${contactId}`, { name: 'marzipan' })
    await hideAll()
    await eventually(async () =>
      expect((await owner.get('/messages/search?q=marzipan')).body.items).toHaveLength(1),
    )
    const lists = ofAgents.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    const seen: string[] = []
    for (const { path } of lists) {
      const url = `${path}?${queries[path] ?? ''}`
      const [ours, theirs] = [await owner.get(url), await agent.get(url)]
      expect(theirs.status, url).toBeLessThan(500)
      if (ids.some(id => JSON.stringify(ours.body).includes(id))) seen.push(path)
      for (const id of ids) expect(JSON.stringify(theirs.body), url).not.toContain(id)
    }
    expect(seen).toEqual(
      expect.arrayContaining(['/conversations', '/contacts', '/messages/search', '/search']),
    )
    for (const [path, body] of Object.entries(filters)) {
      expect(JSON.stringify((await owner.post(path, body)).body), path).toContain(contactId)
      const theirs = JSON.stringify((await agent.post(path, body)).body)
      for (const id of ids) expect(theirs, path).not.toContain(id)
    }
    const count = { filters: [{}] }
    expect((await agent.post('/conversations/counts', count)).body.counts[0].count).toBe(0)
  })
})

describe('frames', () => {
  test('operations on hidden conversations send agents and other workspaces nothing', async () => {
    const stranger = await service.workspace()
    const [ofAgent, ofStranger, ofOwner] = [
      await openFrames(agent),
      await openFrames(stranger.owner),
      await openFrames(owner),
    ]
    const { conversationId, contactId, messageId } = await createHidden()
    for (const frames of [ofAgent, ofStranger]) frames.say('watch', { conversationIds: [conversationId] })
    ofOwner.say('viewing', { conversationId })
    ofOwner.say('typing', { conversationId, kind: 'reply' })
    // An operation that gives the conversation to nobody's team would show it to the agent.
    const isKept = ({ path }: { path: string }) => !/\/(owner|reassign|contact|merge|erase)$/.test(path)
    const changes = scoped.filter(
      route => route.method !== 'GET' && isKept(route) && route.path !== '/contacts/{id}',
    )
    const ids: Record<string, string> = {
      conversations: conversationId,
      contacts: contactId,
      messages: messageId,
    }
    for (const { method, path } of changes.filter(({ path }) =>
      /^\/(conversations|contacts|messages)\/\{/.test(path),
    )) {
      const factory = factories[path]!
      const id = ids[path.split('/')[1]!]!
      const made = await factory.params(workspace)
      await hideAll()
      const params = { ...made, ...('contactId' in made ? { contactId: id } : { id }) }
      const body = typeof factory.body === 'function' ? await factory.body(workspace, params) : factory.body
      expect((await owner.request(method, fill(path, params), body?.[method])).status, path).toBeLessThan(500)
    }
    await endFrames(ofAgent, () => owner.post('/labels', { name: 'Last' }))
    await endFrames(ofStranger, () => stranger.owner.post('/labels', { name: 'Last' }))
    const traces = (frames: Frames) =>
      frames.filter(frame => Object.values(ids).some(id => JSON.stringify(frame).includes(id)))
    expect(traces(ofOwner).length).toBeGreaterThan(10)
    expect([...traces(ofAgent), ...traces(ofStranger)]).toEqual([])
  })

  /** Waits for a frame that comes after all others. */
  async function endFrames(frames: Frames, send: () => Promise<ApiResponse>): Promise<void> {
    const { id } = (await send()).body
    await eventually(() => expect(frames.map(({ data }) => data.id)).toContain(id))
  }
})
