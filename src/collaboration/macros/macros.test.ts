/** Tests macros over HTTP: who sees and changes them, what a run does, its rights, its failures and its retries. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, testApi, type Workspace } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'

const api = await testApi()
await playProviders(api)
let workspace: Workspace
let owner: Client
let member: Client
let outsider: Client
let inboxId: string
let inboxes = 0
let numbers = 0

beforeEach(async () => {
  workspace = await api.workspace('Harbor Lights')
  owner = workspace.owner
  member = await workspace.user('agent', [workspace.teamId])
  outsider = await workspace.user('agent')
  const chatapp = { resourceIds: ['7901'], phoneNumberIds: [`7901${++inboxes}`] }
  inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
})

async function startConversation(): Promise<{ id: string; contactId: string }> {
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: `+141555790${10 + numbers++}` },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  return body.conversation
}

async function createMacro(actions: object[], client = owner): Promise<string> {
  const { status, body } = await client.post('/macros', { name: 'Macro', actions, scope: 'me' })
  expect(status).toBe(201)
  return body.id
}

const run = (id: string, conversationIds: string[], client = owner, headers: Record<string, string> = {}) =>
  client.post(`/macros/${id}/run`, { conversationIds }, headers)

const texts = async (id: string): Promise<string[]> =>
  (await owner.get(`/conversations/${id}/messages`)).body.messages.map(
    ({ content }: { content: { text?: { body: string } } }) => content.text?.body,
  )

describe('who sees and changes a macro', () => {
  test('200 lists own, team and workspace macros; others get 404, agents 403 for what others share', async () => {
    const close = [{ type: 'close' }]
    const team = { scope: 'team', teamIds: [workspace.teamId] }
    const ofTeam = (await member.post('/macros', { name: ' Team ', actions: close, ...team })).body
    const ofAll = (await owner.post('/macros', { name: 'All', actions: close, scope: 'workspace' })).body
    const mine = (await owner.post('/macros', { name: 'Mine', actions: close })).body
    const names = async (client: Client) =>
      (await client.get('/macros')).body.macros.map(({ name }: { name: string }) => name)
    expect(await names(member)).toEqual(['All', 'Team'])
    expect(await names(outsider)).toEqual(['All'])
    expect(await names(owner)).toEqual(['All', 'Mine', 'Team'])
    expect((await outsider.patch(`/macros/${ofTeam.id}`, { name: 'x' })).status).toBe(404)
    expect((await member.patch(`/macros/${ofAll.id}`, { name: 'x' })).body.code).toBe('sharing_forbidden')
    expect((await member.delete(`/macros/${mine.id}`)).status).toBe(404)
    expect((await run(mine.id, ['cnv_x'], member)).body.code).toBe('macro_not_found')
    const changed = await member.patch(`/macros/${ofTeam.id}`, {
      name: 'Ours',
      actions: [{ type: 'snooze' }],
    })
    expect(changed.body).toMatchObject({ name: 'Ours', revision: 2, actions: [{ type: 'snooze' }] })
    for (const id of [ofTeam.id, ofAll.id, mine.id])
      expect((await owner.delete(`/macros/${id}`)).status).toBe(204)
  })

  test.each([
    ['actions[0].labelId', { type: 'addLabel', labelId: 'lbl_x' }],
    ['actions[0].savedReplyId', { type: 'savedReply', savedReplyId: 'srp_x' }],
    ['actions[0].owner.id', { type: 'assign', owner: { type: 'team', id: 'team_x' } }],
    ['actions[0].text', { type: 'reply', text: 'Hi {{contact.secret}}' }],
    ['actions[0].minutes', { type: 'snooze', minutes: 0 }],
  ])('400 with a violation of %s', async (field, action) => {
    const { status, body } = await owner.post('/macros', { name: 'Bad', actions: [action] })
    expect([status, body.violations?.[0]?.field]).toEqual([400, field])
  })
})

describe('POST /macros/{id}/run', () => {
  test('200 runs all actions in order on each conversation', async () => {
    const label = (await owner.post('/labels', { name: 'Thanked' })).body
    const saved = (
      await owner.post('/saved-replies', { shortcut: 'bye', text: 'Bye from {{workspace.name}}' })
    ).body
    const id = await createMacro([
      { type: 'reply', text: 'Thanks {{contact.name | default: "there"}}' },
      { type: 'savedReply', savedReplyId: saved.id },
      { type: 'note', text: 'Thanked' },
      { type: 'addLabel', labelId: label.id },
      { type: 'assign', owner: { type: 'user', id: 'me' } },
      { type: 'setPriority', priority: 'high' },
      { type: 'snooze', minutes: 60 },
    ])
    const [a, b] = [await startConversation(), await startConversation()]
    const { status, body } = await run(id, [b.id, a.id])
    expect([status, body.results]).toEqual([
      200,
      [b.id, a.id].map(conversationId => ({ conversationId, result: 'done', error: null })),
    ])
    for (const conversation of [a, b]) {
      expect(await texts(conversation.id)).toEqual(['Bye from Harbor Lights', expect.any(String), 'Hello'])
      expect((await owner.get(`/conversations/${conversation.id}`)).body).toMatchObject({
        labelIds: [label.id],
        activeOwner: { type: 'user', id: owner.id },
        priority: 'high',
        snoozed: true,
      })
      const { items } = (await owner.get(`/conversations/${conversation.id}/timeline`)).body
      expect(JSON.stringify(items)).toContain('"text":"Thanked"')
    }
    const closing = await createMacro([{ type: 'removeLabel', labelId: label.id }, { type: 'close' }])
    expect((await run(closing, [a.id])).body.results[0].result).toBe('done')
    expect((await owner.get(`/conversations/${a.id}`)).body).toMatchObject({ labelIds: [], status: 'closed' })
  })

  test('200 reports a failed conversation, which stays as it was, and changes the others', async () => {
    const [open, closed, hidden] = [
      await startConversation(),
      await startConversation(),
      await startConversation(),
    ]
    await owner.post(`/conversations/${closed.id}/close`)
    await owner.put(`/conversations/${hidden.id}/owner`, { type: 'team', id: workspace.teamId })
    const actions = [{ type: 'setPriority', priority: 'urgent' }, { type: 'snooze' }]
    const id = await createMacro(actions, outsider)
    const { body } = await run(id, [closed.id, open.id, hidden.id, 'cnv_unknown'], outsider)
    expect(body.results.map((each: { result: string }) => each.result)).toEqual([
      'failed',
      'done',
      'failed',
      'failed',
    ])
    expect(body.results[0].error).toMatchObject({ action: 1, code: 'conversation_closed' })
    expect(body.results[2].error).toMatchObject({ action: 0, code: 'conversation_not_found' })
    const priorities = await Promise.all(
      [closed, open, hidden].map(
        async conversation => (await owner.get(`/conversations/${conversation.id}`)).body.priority,
      ),
    )
    expect(priorities).toEqual([null, 'urgent', null])
  })

  test('a value that is missing fails the conversation, and nothing is sent', async () => {
    const conversation = await startConversation()
    const id = await createMacro([{ type: 'reply', text: 'Mail: {{contact.email}}' }, { type: 'close' }])
    const { body } = await run(id, [conversation.id])
    expect(body.results[0].error).toMatchObject({ action: 0, code: 'placeholder_missing' })
    expect(await texts(conversation.id)).toEqual(['Hello'])
  })

  test('a repeated Idempotency-Key returns the first results and sends nothing again', async () => {
    const conversation = await startConversation()
    const draft = { kind: 'reply', content: { text: 'Unsent' }, revision: 0 }
    expect((await owner.put(`/conversations/${conversation.id}/draft`, draft)).status).toBe(200)
    const id = await createMacro([{ type: 'reply', text: 'Once' }])
    const headers = { 'idempotency-key': 'macro-once' }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => run(id, [conversation.id], owner, headers)),
    )
    expect(answers.map(({ status }) => status).filter(status => status !== 409)).toContain(200)
    const again = await run(id, [conversation.id], owner, headers)
    expect(again.body.results).toEqual([{ conversationId: conversation.id, result: 'done', error: null }])
    expect(await texts(conversation.id)).toEqual(['Once', 'Hello'])
    const kept = await owner.get(`/conversations/${conversation.id}/draft`)
    expect(JSON.stringify(kept.body)).toContain('Unsent')
  })

  test('403 for a caller without the scope of an action', async () => {
    const conversation = await startConversation()
    const macro = await owner.post('/macros', {
      name: 'Shared',
      actions: [{ type: 'note', text: 'Hi' }, { type: 'close' }],
      scope: 'workspace',
    })
    const limited = await workspace.key({ scopes: ['macro:run', 'note:create'] })
    const refused = await run(macro.body.id, [conversation.id], limited)
    expect([refused.status, refused.body.code]).toEqual([403, 'auth_scope_missing'])
    const allowed = await workspace.key({ scopes: ['macro:run', 'note:create', 'conversation:close'] })
    expect((await run(macro.body.id, [conversation.id], allowed)).body.results[0].result).toBe('done')
  })
})
