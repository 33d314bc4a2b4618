/** A failure that a status callback reports degrades the inbox as one in the response does. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService({}, { spread: true })
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

const smsToken = 'token'

async function requestSmsNumber() {
  const path = `/smsprovider/AC${String(8881_0000 + ++numbers).repeat(4)}/phone-numbers`
  const { body } = await owner.post(path, { authToken: smsToken })
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

/** Returns the status after each change, oldest first. */
async function listHealthChanges(inboxId: string): Promise<object[]> {
  const { db } = await service.depsOf(owner.tenantId)
  const rows = await db.rows<{ status: object }>(sql`
    select data -> 'inbox' -> 'status' as status from event_log
    where type = 'inbox.updated' and data -> 'inbox' ->> 'id' = ${inboxId} order by seq`)
  return rows.map(({ status }) => status)
}

const untilRecovered = (inboxId: string) =>
  until(
    () => listHealthChanges(inboxId),
    found => found.length === 2,
  )

interface SentMessage {
  inboxId: string
  externalId: string
  channelMessageId: string
}

async function postCallback(path: string, body: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body })
  expect(response.ok, `${response.status}`).toBe(true)
}

const reportFailure = {
  chatapp: async ({ externalId, channelMessageId }: SentMessage, code: number) => {
    const status = { id: channelMessageId, status: 'failed', timestamp: '1769853000', errors: [{ code }] }
    const value = { metadata: { phone_number_id: externalId }, statuses: [status] }
    const body = JSON.stringify({ entry: [{ id: '8881', changes: [{ field: 'messages', value }] }] })
    const [appSecret] = service.deps.channels.chatapp.appSecrets
    const signature = `sha256=${createHmac('sha256', appSecret!).update(body).digest('hex')}`
    await postCallback('/v1/channels/chatapp/webhook', body, {
      'content-type': 'application/json',
      'x-hub-signature-256': signature,
    })
  },
  sms: async ({ inboxId, channelMessageId }: SentMessage, code: number) => {
    // In the order of their names, as they are signed.
    const form = { ErrorCode: String(code), MessageSid: channelMessageId, MessageStatus: 'failed' }
    const path = `/v1/channels/sms/${inboxId}/status`
    const signed = `${service.deps.config.publicUrl}${path}${Object.entries(form).flat().join('')}`
    await postCallback(path, new URLSearchParams(form).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', smsToken).update(signed).digest('base64'),
    })
  },
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

const active = { state: 'active', reasons: [] }
const expired = { state: 'degraded', reasons: ['auth_expired'] }
const lowQuality = { state: 'degraded', reasons: ['quality_low'] }
const locked = { state: 'disconnected', reasons: [] }

test.each([
  ['chatapp', 190, 'auth_expired', expired],
  ['chatapp', 131048, 'spam_limited', lowQuality],
  ['chatapp', 131031, 'account_locked', locked],
  ['chatapp', 368, 'account_locked', locked],
  ['sms', 20003, 'auth_expired', expired],
  ['sms', 20005, 'account_locked', locked],
] as const)(
  'a callback of %s with code %i fails the message with %s and changes the inbox, and a successful check resolves it',
  async (channel, code, error, status) => {
    const { id: inboxId, externalId } = await connect(channel)
    const messageId = await send(inboxId, '+15005550052')
    const { channelMessageId } = await until(
      () => getStatus(messageId),
      ({ deliveryStatus }) => deliveryStatus === 'sent',
    )
    await reportFailure[channel]({ inboxId, externalId, channelMessageId }, code)
    expect(await untilRecovered(inboxId)).toEqual([status, active])
    expect(await getStatus(messageId)).toMatchObject({
      deliveryStatus: 'failed',
      deliveryError: { code: error },
    })
    const next = await send(inboxId, '+14155558882')
    await until(
      () => getStatus(next),
      ({ deliveryStatus }) => deliveryStatus === 'delivered',
    )
  },
)

test('a locked account in the response changes the inbox as one in a callback does', async () => {
  const { id: inboxId } = await connect('chatapp')
  const messageId = await send(inboxId, '+15005550031')
  expect(await untilRecovered(inboxId)).toEqual([locked, active])
  expect(await getStatus(messageId)).toMatchObject({
    deliveryStatus: 'failed',
    deliveryError: { code: 'account_locked' },
  })
})
