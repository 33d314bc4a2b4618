import { beforeAll, describe, expect, test } from 'vitest'
import { testApi, type Workspace } from '../../../../test/harness/api.ts'
import { playProviders } from '../../../../test/harness/sandbox.ts'
import { assignOwner } from '../../../conversations/conversations.ts'
import { lockConversation } from '../../../conversations/store/conversations/conversations.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import { renderOptions } from '../../nodes/messages/options.ts'
import { conversationEffects } from './conversation.ts'
import { contactEffects } from './live.ts'

const api = await testApi()
await playProviders(api)
const { deps } = api
const text = (body: string) => ({ type: 'text' as const, text: { body } })

let phones = 4_155_550_000
let numbers = 0

async function inboxOf({ owner }: Workspace) {
  const made = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['waba'], phoneNumberIds: [`effects-${numbers++}`] },
  })
  return made.body.inboxes[0].id as string
}

interface Run {
  tenantId: string
  contactId: string
  conversationId: string | null
}

function effectsIn(tx: Tx, run: Run, workflowKind: 'journey' | 'chatbot' = 'journey') {
  const workflowId = workflowKind === 'journey' ? 'jrn_1' : 'bot_1'
  const { tenantId, contactId, conversationId } = run
  return {
    ...contactEffects(tx, tenantId, contactId),
    ...conversationEffects({
      deps,
      tx,
      tenantId,
      run: { workflowKind, workflowId, contactId, conversationId },
    }),
  }
}

const step = <T>(run: Run, does: (effects: ReturnType<typeof effectsIn>) => Promise<T>, kind?: 'chatbot') =>
  transact(deps.db, tx => does(effectsIn(tx, run, kind)))

/** Creates a contact with a conversation that a user has started. */
async function conversationIn(
  workspace: Workspace,
  inboxId: string,
): Promise<Run & { conversationId: string }> {
  const recipient = { type: 'phone', phoneNumber: `+1${phones++}` }
  const { body } = await workspace.owner.post('/messages', { recipient, inboxId, content: text('Hello') })
  const { id, contactId } = body.conversation
  return { tenantId: workspace.tenantId, contactId, conversationId: id }
}

const own = (run: Run & { conversationId: string }, owner: { type: 'bot' | 'user'; id: string } | null) =>
  transact(deps.db, async tx => {
    const row = await lockConversation(tx, run.tenantId, run.conversationId)
    await assignOwner(tx, run.tenantId, row!, owner)
  })

describe('contact', () => {
  test('tags, fields and opt-outs', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const run = await conversationIn(workspace, await inboxOf(workspace))
    const tag = (await owner.post('/tags', { name: 'VIP' })).body.id
    const born = (await owner.post('/contacts/custom-fields', { name: 'born', type: 'date' })).body.id
    const contact = async () => (await owner.get(`/contacts/${run.contactId}`)).body
    await step(run, async effects => {
      expect(await effects.addTag(tag)).toBe(true)
      expect(await effects.addTag('tag_no')).toBe(false)
      expect(await effects.setField(born, '2000-01-31')).toBeUndefined()
      expect(await effects.setField(born, 'long ago')).toMatchObject({
        code: 'invalid_value',
        message: expect.stringContaining('must be a date'),
      })
      expect(await effects.setField('cf_no', 'x')).toMatchObject({ code: 'unknown_custom_field' })
    })
    expect(await contact()).toMatchObject({ tagIds: [tag], customFields: { born: '2000-01-31' } })
    await step(run, async effects => {
      expect(await effects.removeTag(tag)).toBe(true)
      expect(await effects.setField(born, null)).toBeUndefined()
    })
    expect(await contact()).toMatchObject({ tagIds: [], customFields: {} })
  })

  test('an opt-out applies immediately, in the same step', async () => {
    const workspace = await api.workspace()
    const run = await conversationIn(workspace, await inboxOf(workspace))
    await step(run, async effects => {
      await effects.setOptOut('chatapp', true)
      expect(await effects.send({ content: text('x') })).toMatchObject({ refused: 'opted_out' })
      await effects.setOptOut('chatapp', false)
      expect(await effects.send({ content: text('x') })).toMatchObject({ messageId: expect.any(String) })
    })
  })
})

describe('sending', () => {
  test("in the run's conversation, committed with the step", async () => {
    const workspace = await api.workspace()
    const run = await conversationIn(workspace, await inboxOf(workspace))
    const messages = async () =>
      (await workspace.owner.get(`/conversations/${run.conversationId}/messages`)).body.messages
    const sent = await step(run, effects => effects.send({ content: text('One') }))
    expect(sent).toMatchObject({ messageId: expect.stringMatching(/^msg_/) })
    expect((await messages())[0]).toMatchObject({
      senderType: 'journey',
      senderId: 'jrn_1',
      content: text('One'),
      deliveryStatus: 'pending',
    })
    const failing = step(run, async effects => {
      await effects.send({ content: text('Two') })
      throw new Error('the step failed')
    })
    await expect(failing).rejects.toThrow('the step failed')
    expect(await messages()).toHaveLength(2)
  })

  test('to a contact without conversation: on the given inbox, or the first that reaches the contact', async () => {
    const workspace = await api.workspace()
    const { owner, tenantId } = workspace
    const stranger = async (phone?: string) =>
      ({
        tenantId,
        contactId: (await owner.post('/contacts', phone ? { phone } : { name: 'Nobody' })).body.id,
        conversationId: null,
      }) as Run
    const alone = await stranger(`+1${phones++}`)
    const send = (run: Run, inboxId?: string) =>
      step(run, effects => effects.send({ content: text('Hi'), ...(inboxId ? { inboxId } : {}) }))
    expect(await send(alone)).toMatchObject({ refused: 'no_inbox' })
    const first = await inboxOf(workspace)
    const second = await inboxOf(workspace)
    expect(await send(alone)).toMatchObject({ messageId: expect.any(String) })
    const other = await stranger(`+1${phones++}`)
    expect(await send(other, second)).toMatchObject({ messageId: expect.any(String) })
    const { conversations } = (await owner.get('/conversations')).body
    expect(conversations.map((one: { inboxId: string }) => one.inboxId)).toEqual([second, first])
    expect(await send(await stranger())).toMatchObject({ refused: 'no_identity' })
    expect(await send(alone, 'ibx_no')).toMatchObject({ refused: 'inbox_not_found' })
    expect(await send(alone)).toMatchObject({ messageId: expect.any(String) })
    expect((await owner.get('/conversations')).body.conversations).toHaveLength(2)
  })

  test('refused for content that the channel does not support or that is empty after interpolation', async () => {
    const workspace = await api.workspace()
    const run = await conversationIn(workspace, await inboxOf(workspace))
    const send = (content: ReturnType<typeof text>) => step(run, effects => effects.send({ content }))
    expect(await send(text(''))).toMatchObject({ refused: 'content_invalid' })
    expect(await send(text('x'.repeat(5_000)))).toMatchObject({ refused: 'content_unsupported' })
  })

  test('a bot sends only if it is the owner and no user has replied', async () => {
    const workspace = await api.workspace()
    const run = await conversationIn(workspace, await inboxOf(workspace))
    const send = () => step(run, effects => effects.send({ content: text('Beep') }), 'chatbot')
    expect(await send()).toMatchObject({ refused: 'owned_by_user' }) // the owner wrote last
    await step(run, effects => effects.send({ content: text('from a journey') }))
    expect(await send()).toMatchObject({ refused: 'not_owner' })
    await own(run, { type: 'bot', id: 'bot_1' })
    expect(await send()).toMatchObject({ messageId: expect.any(String) })
    await workspace.owner.post(`/conversations/${run.conversationId}/messages`, {
      content: text('I have it'),
    })
    expect(await send()).toMatchObject({ refused: 'owned_by_user' })
    await own(run, { type: 'user', id: workspace.owner.id })
    expect(await send()).toMatchObject({ refused: 'owned_by_user' })
  })

  test('options are rendered as buttons, a list, or numbered lines', () => {
    const options = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ id: `o${i}`, title: `The option number ${i}` }))
    expect(renderOptions('chatapp', text('?'), options(3))).toMatchObject({
      rich: { actions: [{ type: 'reply', id: 'o0', title: 'The option number 0' }, {}, {}] },
    })
    expect(renderOptions('chatapp', text('?'), options(4))).toMatchObject({
      rich: { actions: [{ type: 'list', sections: [{ rows: [{ id: 'o0' }, {}, {}, {}] }] }] },
    })
    expect(renderOptions('socialapp', text('?'), options(5))).toMatchObject({ type: 'rich' })
    expect(renderOptions('sms', text('?'), options(2))).toEqual(
      text('?\n1. The option number 0\n2. The option number 1'),
    )
    const long = [{ id: 'a', title: 'A title that is longer than any button' }]
    expect(renderOptions('chatapp', text('?'), long)).toMatchObject({
      rich: { actions: [{ title: 'A title that is lon…' }] },
    })
  })
})

describe('conversations', () => {
  let workspace: Workspace
  let inboxId: string
  let people: string[]
  beforeAll(async () => {
    workspace = await api.workspace()
    inboxId = await inboxOf(workspace)
    people = []
    for (let i = 0; i < 3; i++) people.push((await workspace.user('agent')).id)
  })
  const teamOf = async (members: string[]) => {
    const { id } = (await workspace.owner.post('/teams', { name: `Team ${Math.random()}` })).body
    for (const member of members) await workspace.owner.put(`/teams/${id}/members/${member}`)
    return id as string
  }
  const ownerOf = async (run: Run) =>
    (await workspace.owner.get(`/conversations/${run.conversationId}`)).body.activeOwner

  test('roundRobin rotates and skips disabled users', async () => {
    const team = await teamOf(people)
    const run = await conversationIn(workspace, inboxId)
    const turns: string[] = []
    const pick = async () => {
      const given = await step(run, effects => effects.assign({ strategy: 'roundRobin', teamId: team }))
      turns.push('owner' in given ? given.owner.id : given.refused)
    }
    for (let i = 0; i < 4; i++) await pick()
    expect(turns).toEqual([people[0], people[1], people[2], people[0]])
    expect(await ownerOf(run)).toEqual({ type: 'user', id: people[0] })
    await workspace.owner.patch(`/users/${people[1]}`, { disabled: true })
    await pick()
    await workspace.owner.patch(`/users/${people[1]}`, { disabled: false })
    expect(turns.at(-1)).toBe(people[2])
  })

  test('concurrent roundRobin assignments are distributed evenly', async () => {
    const team = await teamOf(people)
    const runs = await Promise.all(Array.from({ length: 9 }, () => conversationIn(workspace, inboxId)))
    const given = await Promise.all(
      runs.map(run => step(run, effects => effects.assign({ strategy: 'roundRobin', teamId: team }))),
    )
    const counts = people.map(id => given.filter(one => 'owner' in one && one.owner.id === id).length)
    expect(counts).toEqual([3, 3, 3])
  })

  test('leastBusy picks the user with the fewest open conversations', async () => {
    const fresh = [(await workspace.user('agent')).id, (await workspace.user('agent')).id]
    const team = await teamOf(fresh)
    const assigned: string[] = []
    for (let i = 0; i < 4; i++) {
      const run = await conversationIn(workspace, inboxId)
      const given = await step(run, effects => effects.assign({ strategy: 'leastBusy', teamId: team }))
      assigned.push('owner' in given ? given.owner.id : '')
      if (i === 2) await workspace.owner.post(`/conversations/${run.conversationId}/close`)
    }
    expect(assigned).toEqual([fresh[0], fresh[1], fresh[0], fresh[0]])
  })

  test('assigns a user or a team, or refuses if there is none', async () => {
    const run = await conversationIn(workspace, inboxId)
    const give = (to: Parameters<ReturnType<typeof effectsIn>['assign']>[0]) =>
      step(run, effects => effects.assign(to))
    expect(await give({ userId: people[1]! })).toEqual({ owner: { type: 'user', id: people[1] } })
    expect(await give({ userId: 'usr_no' })).toEqual({ refused: 'user_not_available' })
    const team = await teamOf([])
    expect(await give({ strategy: 'roundRobin' })).toEqual({ refused: 'no_team' })
    expect(await give({ teamId: team })).toEqual({ owner: { type: 'team', id: team } })
    expect(await give({ strategy: 'roundRobin' })).toEqual({ refused: 'nobody_available' })
    expect(await give({ teamId: 'team_no' })).toEqual({ refused: 'team_not_found' })
    expect(await ownerOf(run)).toEqual({ type: 'team', id: team })
    // access follows the team
    const member = await workspace.user('agent', [team])
    const other = await workspace.user('agent')
    expect((await member.get(`/conversations/${run.conversationId}`)).status).toBe(200)
    expect((await other.get(`/conversations/${run.conversationId}`)).status).toBe(404)
    expect((await workspace.owner.delete(`/teams/${team}`)).body.code).toBe('team_in_use')
    const { contactId, tenantId } = await conversationIn(workspace, inboxId)
    const nowhere = (await workspace.owner.post('/contacts', { name: 'X' })).body.id
    const lost = { tenantId, contactId: nowhere, conversationId: null }
    expect(await step(lost, effects => effects.assign({ teamId: team }))).toEqual({
      refused: 'no_conversation',
    })
    expect(contactId).not.toBe(nowhere)
  })

  test('handOff takes the conversation from the bot; closeConversation closes it', async () => {
    const run = await conversationIn(workspace, inboxId)
    await own(run, { type: 'bot', id: 'bot_1' })
    const team = await teamOf([])
    await step(run, effects => effects.handOff(team))
    expect(await ownerOf(run)).toEqual({ type: 'team', id: team })
    await own(run, { type: 'bot', id: 'bot_1' })
    await step(run, effects => effects.handOff())
    expect(await ownerOf(run)).toBeNull()
    await step(run, effects => effects.closeConversation())
    const { body } = await workspace.owner.get(`/conversations/${run.conversationId}`)
    expect(body.status).toBe('closed')
    await step(run, effects => effects.closeConversation())
  })
})
