/** On the social network a person who has seen a message has seen those before it. */
import { expect, test } from 'vitest'
import { testService, until } from '../harness/service.ts'

const service = await testService()
let accounts = 88820

test('what was written before a message that was seen is read too', async () => {
  const { owner } = await service.workspace()
  const made = await owner.post('/inboxes', { socialapp: { resourceIds: [String(++accounts)] } })
  const inboxId = made.body.inboxes[0].id
  const send = async (body: string) => {
    const sent = await owner.post('/messages', {
      recipient: { type: 'channel', channel: 'socialapp', externalId: '99020' },
      inboxId,
      content: { type: 'text', text: { body } },
    })
    return (
      await until(
        async () => (await owner.get(`/messages/${sent.body.message.id}`)).body.message,
        message => message.deliveryStatus === 'sent',
      )
    ).id as string
  }
  const [first, second, third] = [await send('one'), await send('two'), await send('three')]
  const { items } = (await owner.get(`/sandbox/sent?inboxId=${inboxId}`)).body
  await owner.post('/sandbox/inbound', {
    inboxId,
    from: '99020',
    content: { type: 'read', read: { providerMessageId: items[1].providerMessageId } },
  })
  const statusOf = async (id: string) => (await owner.get(`/messages/${id}`)).body.message.deliveryStatus
  await until(
    () => statusOf(second!),
    status => status === 'read',
  )
  expect([await statusOf(first!), await statusOf(third!)]).toEqual(['read', 'sent'])
})
