/** Tests the frame for a conversation that an assignment has hidden, in a running service. */
import { expect, test } from 'vitest'
import { type Frames, openFrames } from '../../test/harness/frames.ts'
import { testService } from '../../test/harness/service.ts'
import { eventually } from '../../test/harness/wait.ts'

const service = await testService()

const listFrames = (frames: Frames) =>
  frames
    .filter(({ type }) => type === 'conversation_hidden' || type === 'conversation.updated')
    .map(({ type, data }) => [type, data.conversationId ?? data.conversation.id])

test('only agents who saw the conversation until then receive the frame that hides it, also after a reconnection', async () => {
  const { owner, user, teamId } = await service.workspace()
  const [member, outsider] = [await user('agent', [teamId]), await user('agent')]
  const chatapp = { resourceIds: ['5569'], phoneNumberIds: ['55690001'] }
  const inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
  const recipient = { type: 'phone', phoneNumber: '+14155578000' }
  const content = { type: 'text', text: { body: 'Hello' } }
  const { id } = (await owner.post('/messages', { recipient, inboxId, content })).body.conversation
  const assign = (type: string, ownerId?: string) =>
    owner.put(`/conversations/${id}/owner`, { type, ...(ownerId ? { id: ownerId } : {}) })
  const other = (await owner.post('/teams', { name: 'Second line' })).body.id
  const [ours, theirs, all] = [await openFrames(member), await openFrames(outsider), await openFrames(owner)]
  const updated = ['conversation.updated', id]
  const hidden = ['conversation_hidden', id]

  await assign('team', teamId)
  await assign('team', other)
  await assign('team', teamId)
  await assign('user', outsider.id)
  await eventually(() => expect(listFrames(all)).toEqual([updated, updated, updated, updated]))
  // Everyone saw it before it had a team.
  await eventually(() => expect(listFrames(theirs)).toEqual([hidden, updated]))
  await eventually(() => expect(listFrames(ours)).toEqual([updated, hidden, updated, updated]))

  const last = (frames: Frames) => Math.max(...frames.map(({ seq }) => seq ?? 0))
  const [since, theirSince] = [last(ours), last(theirs)]
  await assign('team', other)
  const [again, theirAgain] = [await openFrames(member, since), await openFrames(outsider, theirSince)]
  await eventually(() => expect(listFrames(again)).toEqual([hidden]))
  await eventually(() => expect(listFrames(theirAgain)).toEqual([hidden]))
})
