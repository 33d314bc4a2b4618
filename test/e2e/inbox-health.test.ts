/** A failure that a status callback reports degrades the inbox as one in the response does. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService()
// An API key does not expire when the clock is advanced.
const owner = await (await service.workspace()).key()

let numbers = 0

async function connect(channel: 'chatapp' | 'sms'): Promise<{ id: string; externalId: string }> {
  const { status, body } = await owner.post('/inboxes', {
    [channel]: channel === 'sms' ? await requestSmsNumber() : requestChatappNumber(),
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.inboxes[0]
}

const requestChatappNumber = () => ({ resourceIds: ['8881'], phoneNumberIds: [`8881${++numbers}`] })

async function requestSmsNumber() {
  const path = `/smsprovider/AC${'8881'.repeat(8)}/phone-numbers`
  const { body } = await owner.post(path, { authToken: 'token' })
  return {
    pendingCredentialId: body.pendingCredentialId,
    phoneNumberSids: [body.phoneNumbers[0].phoneNumberSid],
  }
}

async function send(inboxId: string, phoneNumber: string): Promise<string> {
  const content = { type: 'text', text: { body: 'Hello' } }
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber },
    inboxId,
    content,
  })
  return body.message.id
}

const getStatus = async (id: string) => (await owner.get(`/messages/${id}`)).body.message
const getHealth = async (inboxId: string) =>
  (await owner.get('/inboxes')).body.inboxes.find(({ id }: { id: string }) => id === inboxId).status

/** Returns the reasons after each change, oldest first. */
async function listHealthChanges(inboxId: string): Promise<string[][]> {
  const rows = await service.deps.db.rows<{ reasons: string[] }>(sql`
    select data -> 'inbox' -> 'status' -> 'reasons' as reasons from event_log
    where type = 'inbox.updated' and data -> 'inbox' ->> 'id' = ${inboxId} order by seq`)
  return rows.map(({ reasons }) => reasons)
}

test.each(['chatapp', 'sms'] as const)(
  'payment_issue in a callback of %s degrades the inbox, holds messages back, and expires',
  async channel => {
    const { id: inboxId } = await connect(channel)
    const failed = await send(inboxId, '+15005550032')
    const { deliveryError } = await until(
      () => getStatus(failed),
      ({ deliveryStatus }) => deliveryStatus === 'failed',
    )
    expect(deliveryError).toMatchObject({ code: 'payment_issue' })
    expect(await getHealth(inboxId)).toEqual({ state: 'degraded', reasons: ['payment_issue'] })

    const waiting = await send(inboxId, '+14155558881')
    service.deps.clock.advance(16 * 60_000)
    await until(
      () => getHealth(inboxId),
      ({ state }) => state === 'active',
    )
    await until(
      () => getStatus(waiting),
      ({ deliveryStatus }) => deliveryStatus === 'delivered',
    )
    const isOfInbox = (event: { data: { inbox: { id: string } } }) => event.data.inbox.id === inboxId
    const events = await until(
      async () => (await owner.get('/events?eventTypes=inbox.updated')).body.events.filter(isOfInbox),
      found => found.length === 2,
    )
    expect(events).toMatchObject([
      { data: { inbox: { status: { state: 'degraded', reasons: ['payment_issue'] } }, changes: ['status'] } },
      { data: { inbox: { status: { state: 'active', reasons: [] } }, changes: ['status'] } },
    ])
  },
)

test.each([
  [190, 'auth_expired'],
  [131048, 'quality_low'],
])('code %i in a callback opens %s, and a successful check resolves it', async (code, reason) => {
  const { id: inboxId, externalId } = await connect('chatapp')
  const messageId = await send(inboxId, '+15005550052')
  await until(
    () => getStatus(messageId),
    ({ deliveryStatus }) => deliveryStatus === 'sent',
  )
  const { channelMessageId } = await getStatus(messageId)
  const status = { id: channelMessageId, status: 'failed', timestamp: '1769853000', errors: [{ code }] }
  const value = { metadata: { phone_number_id: externalId }, statuses: [status] }
  const body = JSON.stringify({ entry: [{ id: '8881', changes: [{ field: 'messages', value }] }] })
  const [appSecret] = service.deps.channels.chatapp.appSecrets
  const signature = `sha256=${createHmac('sha256', appSecret!).update(body).digest('hex')}`
  const response = await fetch(`${service.url}/v1/channels/chatapp/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  })
  expect(response.status).toBe(200)
  const changes = await until(
    () => listHealthChanges(inboxId),
    found => found.length === 2,
  )
  expect(changes).toEqual([[reason], []])
  expect(await getStatus(messageId)).toMatchObject({ deliveryStatus: 'failed' })
})
