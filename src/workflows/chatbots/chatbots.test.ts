import { describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { assignOwner } from '../../conversations/conversations.ts'
import { conversationToApi } from '../../conversations/store/conversations/conversation-rows.ts'
import { lockConversation } from '../../conversations/store/conversations/conversations.ts'
import { listAssignedBots } from '../../conversations/store/conversations/sessions.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { handleConversationEvent } from '../engine/enrollment/bot-sessions.ts'

const api = await testApi()
await playProviders(api)
const draft = { nodes: [{ id: 's', type: 'start', data: {} }], edges: [] }

async function make(owner: Client, body: object = {}) {
  const made = await owner.post('/chatbots', { name: 'Helper', draft, ...body })
  expect(made.status).toBe(201)
  return made.body
}

async function published(owner: Client, body: object = {}) {
  const { id } = await make(owner, body)
  expect((await owner.post(`/chatbots/${id}/publish`)).status).toBe(200)
  return id as string
}

const teamOf = async (owner: Client, name: string) => (await owner.post('/teams', { name })).body.id as string

describe('chatbots', () => {
  test('201, read, list, edit, versions', async () => {
    const { owner, teamId } = await api.workspace()
    const made = await make(owner, { teamIds: [teamId] })
    expect(made).toEqual({
      id: expect.stringMatching(/^bot_/),
      name: 'Helper',
      status: 'draft',
      teamIds: [teamId],
      position: 1,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
      draft,
      publishedVersionId: null,
      revision: 1,
      updatedBy: owner.id,
    })
    const path = `/chatbots/${made.id}`
    expect((await owner.get(path)).body).toEqual({ ...made, missing: [] })
    expect((await owner.get('/chatbots')).body).toEqual({
      chatbots: [{ ...made, version: null, counts: { entered: 0, waiting: 0 } }],
      nextPageToken: null,
      totalSize: 1,
    })
    expect((await owner.get('/journeys')).body.totalSize).toBe(0)
    const { warnings, revision, ...version } = (await owner.post(`${path}/publish`)).body
    expect([warnings, revision]).toEqual([[], 2])
    expect(version).toEqual({
      id: expect.stringMatching(/^btv_/),
      chatbotId: made.id,
      definition: draft,
      createdAt: version.createdAt,
      updatedAt: version.createdAt,
      publishedBy: owner.id,
      note: null,
    })
    expect((await owner.get(`${path}/versions`)).body).toEqual({
      chatbotVersions: [version],
      nextPageToken: null,
      totalSize: 1,
    })
    expect((await owner.get(`${path}/versions/${version.id}`)).body).toEqual(version)
    const other = await make(owner)
    expect((await owner.get(`/chatbots/${other.id}/versions/${version.id}`)).body.code).toBe(
      'chatbot_version_not_found',
    )
    expect((await owner.patch(path, { name: 'B' })).body).toMatchObject({
      name: 'B',
      teamIds: [teamId],
      draft,
    })
    expect((await owner.patch(path, { teamIds: [] })).body).toMatchObject({ name: 'B', teamIds: [] })
    const bad = await owner.patch(path, { teamIds: ['team_no'] })
    expect(bad.body).toMatchObject({
      status: 400,
      violations: [{ field: 'teamIds[0]', code: 'unknown_team' }],
    })
  })

  test('409 for activate, pause and delete in the wrong state', async () => {
    const { owner } = await api.workspace()
    const { id } = await make(owner)
    const path = `/chatbots/${id}`
    expect((await owner.post(`${path}/activate`)).body.code).toBe('chatbot_not_published')
    expect((await owner.post(`${path}/pause`)).body.code).toBe('chatbot_not_active')
    await owner.post(`${path}/publish`)
    expect((await owner.post(`${path}/activate`)).body.status).toBe('active')
    expect((await owner.post(`${path}/activate`)).body.code).toBe('chatbot_active')
    expect((await owner.delete(path)).body.code).toBe('chatbot_active')
    expect((await owner.post(`${path}/pause`)).body.status).toBe('paused')
    expect((await owner.delete(path)).status).toBe(204)
    expect((await owner.get(path)).body.code).toBe('chatbot_not_found')
  })

  test('409 chatbot_scope_taken for an active bot behind one that matches every session of its teams', async () => {
    const { owner, teamId, tenantId } = await api.workspace()
    const sales = await teamOf(owner, 'Sales')
    const route = async (team: string | null) => (await listAssignedBots(api.deps.db, tenantId, team))[0]
    const first = await published(owner, { teamIds: [teamId] })
    const second = await published(owner, { teamIds: [teamId] })
    const fallback = await published(owner)
    await owner.post(`/chatbots/${first}/activate`)
    expect(await route(teamId)).toBe(first)
    expect(await route(sales)).toBeUndefined()
    const refused = await owner.post(`/chatbots/${second}/activate`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'chatbot_scope_taken' } })
    expect(refused.body.detail).toContain(`"Helper" (${first})`)
    expect((await owner.get(`/chatbots/${second}`)).body.status).toBe('draft')
    expect(await route(sales)).toBeUndefined()
    expect((await owner.post(`/chatbots/${fallback}/activate`)).status).toBe(200)
    expect([await route(teamId), await route(sales), await route(null)]).toEqual([first, fallback, fallback])
    const another = await published(owner)
    expect((await owner.post(`/chatbots/${another}/activate`)).body.code).toBe('chatbot_scope_taken')
    expect((await owner.patch(`/chatbots/${first}`, { teamIds: [] })).body.code).toBe('chatbot_scope_taken')
    expect(await route(teamId)).toBe(first)
    expect((await owner.patch(`/chatbots/${first}`, { teamIds: [sales] })).status).toBe(200)
    expect([await route(teamId), await route(sales)]).toEqual([fallback, first])
    await owner.post(`/chatbots/${first}/pause`)
    expect(await route(sales)).toBe(fallback)
  })

  test('concurrent activations for one team: one succeeds', async () => {
    const { owner, teamId } = await api.workspace()
    const ids = []
    for (let i = 0; i < 4; i++) ids.push(await published(owner, { teamIds: [teamId] }))
    const answers = await Promise.all(ids.map(id => owner.post(`/chatbots/${id}/activate`)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409, 409, 409])
  })

  test('409 team_in_use for a team with a bot, until the bot is deleted', async () => {
    const { owner } = await api.workspace()
    const team = await teamOf(owner, 'Sales')
    const { id } = await make(owner, { teamIds: [team] })
    expect((await owner.delete(`/teams/${team}`)).body.code).toBe('team_in_use')
    await owner.delete(`/chatbots/${id}`)
    expect((await owner.delete(`/teams/${team}`)).status).toBe(204)
  })

  test('restore and diff work on the draft', async () => {
    const { owner } = await api.workspace()
    const id = await published(owner)
    const path = `/chatbots/${id}`
    const first = (await owner.get(path)).body.publishedVersionId
    await owner.patch(path, {
      draft: { nodes: [{ ...draft.nodes[0], position: { x: 1, y: 2 } }], edges: [] },
    })
    const second = (await owner.post(`${path}/publish`)).body.id
    const diff = await owner.get(`${path}/versions/${first}/diff/${second}`)
    expect(diff.body).toMatchObject({ same: true, nodes: { changed: [{ paths: ['position'] }] } })
    expect((await owner.post(`${path}/versions/${first}/restore`)).body).toMatchObject({ draft })
  })

  let numbers = 0
  test('a message to a paused bot hands the conversation over to agents', async () => {
    const { owner, teamId, tenantId } = await api.workspace()
    const chatapp = { resourceIds: ['w'], phoneNumberIds: [`paused-bot-${++numbers}`] }
    const { inboxes } = (await owner.post('/inboxes', { chatapp })).body
    await owner.put(`/inboxes/${inboxes[0].id}/team`, { teamId })
    const bot = await published(owner, { teamIds: [teamId] })
    const { body } = await owner.post('/messages', {
      recipient: { type: 'phone', phoneNumber: '+14155550199' },
      inboxId: inboxes[0].id,
      content: { type: 'text', text: { body: 'Hello' } },
    })
    const { id } = body.conversation
    const ownerNow = async () => (await owner.get(`/conversations/${id}`)).body.activeOwner
    const writes = () =>
      transact(api.deps.db, async tx => {
        const row = (await lockConversation(tx, tenantId, id))!
        await assignOwner(tx, tenantId, row, { type: 'bot', id: bot })
        const conversation = { ...conversationToApi(row), activeOwner: { type: 'bot', id: bot } }
        const message = { ...body.message, senderType: 'customer', senderId: row.contactId }
        const event = {
          tenantId,
          type: 'message.created',
          data: { message, conversation },
          causationDepth: 0,
        }
        await handleConversationEvent(tx, event as unknown as LogEvent)
      })
    await owner.post(`/chatbots/${bot}/activate`)
    await writes()
    expect(await ownerNow()).toEqual({ type: 'bot', id: bot })
    await owner.post(`/chatbots/${bot}/pause`)
    await api.deps.db.run(sql`update workflow_runs set status = 'completed' where tenant_id = ${tenantId}`)
    await writes()
    expect(await ownerNow()).toEqual({ type: 'team', id: teamId })
  })
})
