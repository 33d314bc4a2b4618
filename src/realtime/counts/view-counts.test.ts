/** Tests `view_counts` frames of the running service: first, after changes, per user, and when access changes. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { type Frames, openFrames } from '../../../test/harness/frames.ts'
import { testService } from '../../../test/harness/service.ts'
import { eventually } from '../../../test/harness/wait.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
let phones = 0
let inboxes = 0

// Counts are those of the whole workspace.
beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const chatapp = { resourceIds: ['5568'], phoneNumberIds: [`5568${++inboxes}`] }
  inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
})

async function startConversation(): Promise<string> {
  const recipient = { type: 'phone', phoneNumber: `+1415557${7000 + phones++}` }
  const content = { type: 'text', text: { body: 'Hello' } }
  const { body } = await owner.post('/messages', { recipient, inboxId, content })
  return `/conversations/${body.conversation.id}`
}

const countsOf = (frames: Frames, id: string): number[][] =>
  frames
    .filter(({ type, data }) => type === 'view_counts' && data.id === id)
    .map(({ data }) => data.counts.map(({ count }: { count: number }) => count))

const receives = (frames: Frames, id: string, counts: number[]) =>
  eventually(() => {
    expect(countsOf(frames, id).at(-1)).toEqual(counts)
    return true
  })

test('counts come first on request, then after changes, as the caller sees the conversations', async () => {
  const agent = await workspace.user('agent')
  const path = await startConversation()
  const [ours, theirs] = [await openFrames(owner), await openFrames(agent)]
  const filters = [{ status: ['open'] }, { status: ['open'], ownerId: 'me' }, { status: ['closed'] }]
  ours.say('count_views', { id: 'a', filters })
  theirs.say('count_views', { id: 'b', filters })
  await receives(ours, 'a', [1, 0, 0])
  await receives(theirs, 'b', [1, 0, 0])

  await owner.put(`${path}/owner`, { type: 'user', id: agent.id })
  await receives(theirs, 'b', [1, 1, 0])
  // A conversation that the agent can no longer see leaves their counts.
  await owner.put(`${path}/owner`, { type: 'team', id: workspace.teamId })
  await receives(theirs, 'b', [0, 0, 0])
  await owner.post(`${path}/close`)
  await receives(ours, 'a', [0, 0, 1])
  // The rights of the agent change.
  await owner.put(`/teams/${workspace.teamId}/members/${agent.id}`)
  await receives(theirs, 'b', [0, 0, 1])
  // Equal counts are not sent again.
  const sent = countsOf(ours, 'a')
  for (const [i, counts] of sent.entries()) expect(counts).not.toEqual(sent[i - 1])
})

test('a note that mentions the user, and one that no longer does, change the counts of that user', async () => {
  const agent = await workspace.user('agent', [workspace.teamId])
  const path = await startConversation()
  const frames = await openFrames(agent)
  frames.say('count_views', { id: 'm', filters: [{ mentioned: true }, { teamId: 'me', status: ['open'] }] })
  await eventually(() => expect(countsOf(frames, 'm').at(-1)?.[0]).toBe(0))
  const [[, ofTeam]] = countsOf(frames, 'm') as [[number, number]]
  const note = (await owner.post(`${path}/notes`, { text: 'look', mentions: [agent.id] })).body
  await receives(frames, 'm', [1, ofTeam])
  await owner.patch(`/notes/${note.id}`, { mentions: [] })
  await receives(frames, 'm', [0, ofTeam])
  await owner.patch(`/notes/${note.id}`, { mentions: [agent.id] })
  await receives(frames, 'm', [1, ofTeam])
  await owner.delete(`/notes/${note.id}`)
  await receives(frames, 'm', [0, ofTeam])
  await owner.put(`${path}/owner`, { type: 'team', id: workspace.teamId })
  await receives(frames, 'm', [0, ofTeam + 1])
})

test('another request replaces the filters, an empty one ends the frames, a wrong one is an error', async () => {
  const frames = await openFrames(owner)
  frames.say('count_views', { id: '1', filters: [{ status: ['open'] }] })
  await eventually(() => expect(countsOf(frames, '1')).toHaveLength(1))
  frames.say('count_views', { id: '2', filters: [{ status: ['open'] }, {}] })
  await eventually(() => expect(countsOf(frames, '2')).toHaveLength(1))
  for (const data of [{ id: '3', filters: [{ colour: 'red' }] }, { filters: [] }, { id: '3' }])
    frames.say('count_views', data)
  frames.say('count_views', { id: '3', filters: Array.from({ length: 21 }, () => ({})) })
  await eventually(() => expect(frames.filter(({ type }) => type === 'error')).toHaveLength(4))
  const [[open]] = countsOf(frames, '2') as [[number]]
  await startConversation()
  await eventually(() => expect(countsOf(frames, '2').at(-1)?.[0]).toBe(open + 1))
  expect(countsOf(frames, '1')).toHaveLength(1)

  frames.say('count_views', { id: '4', filters: [] })
  const other = await openFrames(owner)
  other.say('count_views', { id: '5', filters: [{ status: ['open'] }] })
  await eventually(() => expect(countsOf(other, '5')).toHaveLength(1))
  const before = countsOf(frames, '2').length
  await startConversation()
  await eventually(() => expect(countsOf(other, '5').at(-1)).toEqual([open + 2]))
  expect(countsOf(frames, '2')).toHaveLength(before)
})
