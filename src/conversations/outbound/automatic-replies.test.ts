/** Tests settings, automatic replies and health of inboxes with the sandbox as the provider. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService } from '../../../test/harness/service.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { isWithinHours } from '../../identity/workspace/business-hours.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
let inboxes = 0
let phones = 0

const text = (body: string) => ({ type: 'text', text: { body } })
const newPhone = () => `+1415557${String(1000 + phones++)}`
const patch = (body: object, client = owner) => client.patch(`/inboxes/${inboxId}`, body)
/** One minute a week that is not now: closed, whenever the test runs. */
const closed = () => {
  const day = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString('en-US', {
    weekday: 'short',
    timeZone: 'UTC',
  })
  return [{ days: [day.toLowerCase()], from: '12:00', to: '12:01' }]
}

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['5551'], phoneNumberIds: [`5550${900 + inboxes++}`] },
  })
  inboxId = body.inboxes[0].id
  await eventually(async () =>
    expect((await owner.get(`/inboxes/${inboxId}/health`)).body.isRegistered).toBe(true),
  )
})

async function write(from: string, body: string): Promise<void> {
  const { status } = await owner.post('/sandbox/inbound', { inboxId, from, content: text(body) })
  expect(status).toBeLessThan(300)
}

async function findConversation(from: string) {
  const { conversations } = (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body
  return conversations[0]
}

/** The texts of the conversation, oldest first, with our own marked by their sender. */
async function listTexts(from: string): Promise<string[]> {
  const conversation = await findConversation(from)
  if (!conversation) return []
  const { messages } = (await owner.get(`/conversations/${conversation.id}/messages`)).body
  return messages
    .map((message: { senderType: string; content: { text: { body: string } } }) =>
      message.senderType === 'customer'
        ? message.content.text.body
        : `${message.senderType}: ${message.content.text.body}`,
    )
    .sort()
}
const settled = (from: string, expected: string[]) =>
  eventually(async () => expect(await listTexts(from)).toEqual([...expected].sort()))

describe('settings', () => {
  test('200 changes what is given, with an event and an audit entry; 400 for what the channel cannot send', async () => {
    const hours = [{ days: ['mon'], from: '09:00', to: '17:00' }]
    const changed = await patch({ name: 'Front desk', businessHours: hours, greeting: 'Hello', away: null })
    expect(changed.body).toMatchObject({
      name: 'Front desk',
      businessHours: hours,
      greeting: 'Hello',
      away: null,
    })
    expect((await owner.get(`/inboxes/${inboxId}`)).body).toEqual(changed.body)
    expect((await patch({ greeting: null })).body).toMatchObject({ name: 'Front desk', greeting: null })
    const agent = await workspace.user('agent')
    expect((await agent.get(`/inboxes/${inboxId}`)).status).toBe(200)
    expect((await patch({ name: 'x' }, agent)).status).toBe(403)
    const invalid = [
      { name: ' ' },
      { greeting: '' },
      { greeting: '   ' },
      { away: 'x'.repeat(4097) },
      { businessHours: [] },
      { businessHours: [{ days: ['mon'], from: '17:00', to: '09:00' }] },
    ]
    for (const body of invalid) expect((await patch(body)).status, JSON.stringify(body)).toBe(400)
    const { items } = (await owner.get('/audit-log')).body
    expect(items.filter(({ action }: { action: string }) => action === 'inbox.updated')).toHaveLength(2)
    await patch({ businessHours: null })
  })

  test('hours follow the time zone, also in summer', () => {
    const hours = [{ days: ['mon' as const], from: '09:00', to: '17:00' }]
    const isOpen = (at: string) => isWithinHours(hours, 'Europe/Madrid', new Date(at))
    expect(isOpen('2026-01-05T08:00:00Z')).toBe(true)
    expect(isOpen('2026-01-05T07:59:59Z')).toBe(false)
    expect(isOpen('2026-07-06T07:00:00Z')).toBe(true)
    expect(isOpen('2026-07-06T15:00:00Z')).toBe(false)
    expect(isOpen('2026-07-07T10:00:00Z')).toBe(false)
    expect(
      isWithinHours([{ days: ['sun'], from: '00:00', to: '24:00' }], 'UTC', new Date('2026-01-04T23:59:59Z')),
    ).toBe(true)
    expect(isWithinHours(null, 'UTC', new Date())).toBe(true)
  })
})

describe('automatic replies', () => {
  test('a greeting once per session that the customer opens; the customer still waits', async () => {
    await patch({ greeting: 'Welcome', away: null })
    const from = newPhone()
    await write(from, 'one')
    await settled(from, ['one', 'bot: Welcome'])
    await write(from, 'two')
    const { id, waitingSince } = await findConversation(from)
    expect(waitingSince).not.toBeNull()
    await owner.post(`/conversations/${id}/close`)
    await write(from, 'three')
    await settled(from, ['one', 'bot: Welcome', 'two', 'three', 'bot: Welcome'])
  })

  test('no greeting in a session that we opened', async () => {
    await patch({ greeting: 'Welcome', away: null })
    const [ours, theirs] = [newPhone(), newPhone()]
    const recipient = { type: 'phone', phoneNumber: ours }
    expect((await owner.post('/messages', { recipient, inboxId, content: text('Offer') })).status).toBe(202)
    await write(ours, 'yes please')
    await write(theirs, 'hi')
    await settled(theirs, ['hi', 'bot: Welcome'])
    expect(await listTexts(ours)).toEqual(['user: Offer', 'yes please'])
  })

  test('an away message once per session, outside of the hours only', async () => {
    await patch({ greeting: null, away: 'We are closed', businessHours: closed() })
    const from = newPhone()
    await write(from, 'one')
    await settled(from, ['one', 'bot: We are closed'])
    await write(from, 'two')
    await settled(from, ['one', 'bot: We are closed', 'two'])
    await patch({ businessHours: null })
    const [open, later] = [newPhone(), newPhone()]
    await write(open, 'hi')
    await settled(open, ['hi'])
    await owner.patch('/workspace', { businessHours: closed() })
    await write(later, 'hi')
    await settled(later, ['hi', 'bot: We are closed'])
    expect(await listTexts(open)).toEqual(['hi'])
    expect(await listTexts(from)).toHaveLength(3)
    await owner.patch('/workspace', { businessHours: null })
  })

  test('both to a customer who opens a session outside of the hours, and none to one who opted out', async () => {
    await patch({ greeting: 'Welcome', away: 'We are closed', businessHours: closed() })
    const [stopped, from] = [newPhone(), newPhone()]
    await write(stopped, 'STOP')
    await write(from, 'hi')
    await settled(from, ['hi', 'bot: Welcome', 'bot: We are closed'])
    await settled(stopped, ['STOP'])
    await patch({ greeting: null, away: null, businessHours: null })
  })
})

describe('health', () => {
  test('200 with the last callback and the messages that failed', async () => {
    await write(newPhone(), 'hi')
    const recipient = { type: 'phone', phoneNumber: '+15005550001' }
    const sent = await owner.post('/messages', { recipient, inboxId, content: text('Hello') })
    const health = await eventually(async () => {
      const { body } = await owner.get(`/inboxes/${inboxId}/health`)
      expect(body.failures?.count).toBe(1)
      expect(body.isRegistered).toBe(true)
      expect(body.lastCallbackAt).not.toBeNull()
      return body
    })
    expect(health.failures.latest).toMatchObject([{ messageId: sent.body.message.id }])
    expect(health).toMatchObject({ status: { state: 'active' }, issues: [] })
    const agent = await workspace.user('agent')
    expect((await agent.get(`/inboxes/${inboxId}/health`)).status).toBe(403)
  })

  test('200 checks the provider now; a failure opens an issue, a success resolves it', async () => {
    const good = (await owner.post(`/inboxes/${inboxId}/check`)).body
    expect(good).toMatchObject({ ok: true, failure: null, callbacks: 'registered' })
    const load = async () => (await owner.get(`/inboxes/${inboxId}/health`)).body
    expect((await load()).checkedAt).not.toBeNull()
    expect((await owner.put('/sandbox/faults', { requests: [{ answer: 'tokenExpired' }] })).status).toBe(200)
    const bad = (await owner.post(`/inboxes/${inboxId}/check`)).body
    expect(bad).toMatchObject({
      ok: false,
      callbacks: null,
      inbox: { status: { reasons: ['auth_expired'] } },
    })
    expect((await load()).issues).toMatchObject([{ issue: 'auth_expired' }])
    expect((await owner.delete('/sandbox/faults')).status).toBe(204)
    expect((await owner.post(`/inboxes/${inboxId}/check`)).body.inbox.status.state).toBe('active')
    expect((await load()).issues).toEqual([])
  })
})
