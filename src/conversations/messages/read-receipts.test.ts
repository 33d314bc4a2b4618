/** Tests read receipts of socialapp: a receipt for one message covers the messages before it. */
import { expect, test } from 'vitest'
import { testService, until } from '../../../test/harness/service.ts'

const service = await testService()
let accounts = 88820

test('a read receipt marks earlier messages as read, but not later ones', async () => {
  const { owner } = await service.workspace()
  const connected = await owner.post('/inboxes', { socialapp: { resourceIds: [String(++accounts)] } })
  const inboxId = connected.body.inboxes[0].id
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
  const getStatus = async (id: string) => (await owner.get(`/messages/${id}`)).body.message.deliveryStatus
  await until(
    () => getStatus(second!),
    status => status === 'read',
  )
  expect([await getStatus(first!), await getStatus(third!)]).toEqual(['read', 'sent'])
})
