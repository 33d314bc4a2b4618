/** Tests comments on posts: the event in the log and the private reply. */
import { expect, test } from 'vitest'
import { testService, until } from '../../../test/harness/service.ts'
import { readLog } from '../../platform/events/log.ts'

const service = await testService()
let accounts = 88810

test('a comment is logged once, and a private reply uses the ordinary send', async () => {
  const { owner, tenantId } = await service.workspace()
  const connected = await owner.post('/inboxes', { socialapp: { resourceIds: [String(++accounts)] } })
  const inboxId = connected.body.inboxes[0].id
  const comment = await owner.post('/sandbox/inbound', {
    inboxId,
    from: '99001',
    content: { type: 'comment', comment: { text: 'How much is it?', mediaId: 'post-1' } },
  })
  expect(comment.status, JSON.stringify(comment.body)).toBe(202)
  const commentId = comment.body.providerMessageId
  const comments = () =>
    readLog(service.deps.db, tenantId, { after: 0, limit: 100, types: ['comment.received'] })
  const [event] = await until(comments, events => events.length > 0)
  expect(event!.data).toEqual({
    contactId: expect.stringMatching(/^con_/),
    conversationId: null,
    comment: {
      id: commentId,
      inboxId,
      mediaId: 'post-1',
      text: 'How much is it?',
      from: '99001',
      username: expect.any(String),
      at: expect.any(String),
    },
  })
  expect((await owner.get('/conversations')).body.conversations).toEqual([])
  const { availableEventTypes } = (await owner.get('/webhooks')).body
  expect(availableEventTypes).not.toContain('comment.received')

  const reply = (id: string) =>
    owner.post('/messages', {
      recipient: { type: 'channel', channel: 'socialapp', externalId: '99001' },
      inboxId,
      content: { type: 'text', text: { body: 'Twelve' } },
      contexts: [{ type: 'resource', resource: { kind: 'comment', id } }],
    })
  const sent = await reply(commentId)
  expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  expect(sent.body.conversation.contactId).toBe((event!.data as { contactId: string }).contactId)
  const getMessage = async (id: string) => (await owner.get(`/messages/${id}`)).body.message
  await until(
    () => getMessage(sent.body.message.id),
    message => message.deliveryStatus === 'sent',
  )
  const { items } = (await owner.get(`/sandbox/sent?inboxId=${inboxId}`)).body
  expect(items).toMatchObject([
    { to: '99001', payload: { recipient: { comment_id: commentId }, message: { text: 'Twelve' } } },
  ])
  const again = await reply(commentId)
  const failed = await until(
    () => getMessage(again.body.message.id),
    message => message.deliveryStatus !== 'pending',
  )
  expect(failed.deliveryStatus).toBe('failed')
  expect(await comments()).toHaveLength(1)
})
