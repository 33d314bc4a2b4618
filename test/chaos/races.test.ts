/**
 * Runs random operations on a few conversations concurrently on two servers. Any order may win; afterwards all
 * denormalised data is consistent, and the last event of each conversation shows its current state.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Conversation } from '../../src/conversations/schemas.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { LogEvent } from '../../src/platform/events/event.ts'
import { getLatestSeq, readLog } from '../../src/platform/events/log.ts'
import type { Client } from '../harness/api.ts'
import { testService } from '../harness/service.ts'
import { within } from '../harness/wait.ts'

const full = process.env.FULL === '1'
const actions = full ? 4_000 : 400
const actors = 8

const service = await testService({}, { spread: true })
let db: Db
const text = (body: string) => ({ type: 'text', text: { body } })
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

/** Counts workspaces: an inbox number belongs to one workspace, so each run of the test connects new ones. */
let workspaces = 0

async function createTestWorkspace() {
  const workspace = await service.workspace()
  const { owner } = workspace
  const inbox = async (waba: string): Promise<string> =>
    (await owner.post('/inboxes', { chatapp: { resourceIds: [waba], phoneNumberIds: [`${waba}1`] } })).body
      .inboxes[0].id
  const run = ++workspaces
  const inboxIds = [await inbox(`88${run}01`), await inbox(`88${run}02`)]
  const teamIds = [workspace.teamId, (await owner.post('/teams', { name: 'Others' })).body.id as string]
  const agents = [await workspace.user('agent', teamIds), await workspace.user('admin')]
  const tagIds = await Promise.all(
    ['one', 'two'].map(async name => (await owner.post('/tags', { name })).body.id as string),
  )
  return { tenantId: workspace.tenantId, users: [owner, ...agents], inboxIds, teamIds, tagIds }
}

type TestWorkspace = Awaited<ReturnType<typeof createTestWorkspace>>
const phones = Array.from({ length: 6 }, (_, n) => `+1415556900${n}`)

/** Number of messages from customers. */
let inboundCount = 0

/** Runs one random operation as a random user. */
async function act({ users, inboxIds, teamIds, tagIds }: TestWorkspace, as: (client: Client) => Client) {
  const user = as(pick(users))
  const owner = as(users[0]!)
  const listed = (await user.get(`/conversations?search=${encodeURIComponent(pick(phones))}`)).body
  const { id = 'cnv_none', contactId = 'con_none' } = listed.conversations[0] ?? {}
  const messages = async () => (await user.get(`/conversations/${id}/messages`)).body.messages ?? []
  const kinds = [
    async () => {
      const content = text('Hi')
      const response = await owner.post('/sandbox/inbound', {
        inboxId: pick(inboxIds),
        from: pick(phones),
        content,
      })
      if (response.status === 202) inboundCount++
      return response
    },
    () =>
      user.post('/messages', {
        recipient: { type: 'phone', phoneNumber: pick(phones) },
        inboxId: pick(inboxIds),
        content: text('Hello'),
      }),
    () => user.post(`/conversations/${id}/messages`, { content: text('An answer') }),
    () => user.post(`/conversations/${id}/close`),
    () => user.post(`/conversations/${id}/reassign`, { userId: pick(users).id }),
    async () => {
      const lastMessageId = (pick(await messages()) as { id: string } | undefined)?.id ?? 'msg_none'
      return user.post(`/conversations/${id}/read`, { lastMessageId })
    },
    () => owner.put(`/inboxes/${pick(inboxIds)}/team`, { teamId: pick(teamIds) }),
    () => user.patch(`/contacts/${contactId}`, { name: `Name ${Math.random()}` }),
    () => user.post(`/contacts/${contactId}/${pick(['archive', 'unarchive'])}`),
    async () => {
      const others = (await user.get('/conversations')).body.conversations as { contactId: string }[]
      const intoContactId = pick(others)?.contactId ?? 'con_none'
      return Math.random() < 0.2
        ? user.post(`/contacts/${contactId}/merge`, { intoContactId })
        : user.post(`/contacts/${contactId}/tags/${pick(tagIds)}`)
    },
  ]
  return pick(kinds)()
}

test('after concurrent operations denormalised data is consistent and the last event shows the state', async () => {
  const workspace = await createTestWorkspace()
  const { tenantId, users } = workspace
  db = (await service.depsOf(tenantId)).db
  inboundCount = 0
  const other = await service.another()
  const statuses = new Map<number, number>()
  let remaining = actions
  await Promise.all(
    Array.from({ length: actors }, async () => {
      while (remaining-- > 0) {
        const { status, body } = await act(workspace, pick([(client: Client) => client, other.as]))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(status, JSON.stringify(body)).toBeLessThan(500)
      }
    }),
  )
  await waitUntilIdle(tenantId)

  // Every inbound message is stored; counters and positions match the messages, without gaps.
  const received = sql`select from messages where tenant_id = ${tenantId} and direction = 'in'`
  expect(await db.rows(received)).toHaveLength(inboundCount)
  expect(
    await db.rows(sql`
      select s.conversation_id, s.message_count, s.customer_count, count(m.id) as found, max(m.position) as last,
        count(*) filter (where m.direction = 'in') as customers, max(m.customer_position) as last_customer
      from conversation_states s left join messages m using (tenant_id, conversation_id) where s.tenant_id = ${tenantId}
      group by 1, 2, 3 having s.message_count <> count(m.id) or s.message_count <> coalesce(max(m.position), 0)
        or s.customer_count <> count(*) filter (where m.direction = 'in')
        or s.customer_count <> coalesce(max(m.customer_position), 0)`),
  ).toEqual([])

  // At most one session is open, and the conversation's state matches its last session.
  expect(
    await db.rows(sql`
      select c.conversation_id, c.status, c.session_id, l.id, open.n from conversation_states c
      cross join lateral (select * from conversation_sessions s where s.tenant_id = c.tenant_id
        and s.conversation_id = c.conversation_id order by s.opened_at desc, s.id desc limit 1) l
      cross join lateral (select count(*) as n from conversation_sessions s where s.tenant_id = c.tenant_id
        and s.conversation_id = c.conversation_id and s.closed_at is null) open
      where c.tenant_id = ${tenantId} and (open.n <> case when c.status = 'open' then 1 else 0 end
        or (c.session_id, c.inbox_id) is distinct from (l.id, l.inbox_id)
        or (c.team_id, c.owner_type, c.owner_id) is distinct from (l.team_id, l.owner_type, l.owner_id))`),
  ).toEqual([])
  expect(
    await db.rows(sql`
      select conversation_id, s.team_id, o.team_id as open_team_id from conversation_states s
      full join open_conversation_teams o using (tenant_id, conversation_id)
      where tenant_id = ${tenantId}
        and o.team_id is distinct from case when s.status = 'open' then s.team_id end`),
  ).toEqual([])

  // The contacts' copies of conversation data.
  expect(
    await db.rows(sql`
      select c.id, k.contact_id, c.contact_id as real, k.team_id, s.team_id as real_team, k.owner_id, s.owner_id
      from conversations c join conversation_states s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
      left join contact_conversations k on k.tenant_id = c.tenant_id and k.conversation_id = c.id
      where c.tenant_id = ${tenantId} and (k.contact_id is distinct from c.contact_id
        or k.team_id is distinct from s.team_id
        or k.owner_id is distinct from case when s.owner_type = 'user' then s.owner_id end)`),
  ).toEqual([])
  expect(
    await db.rows(sql`
      select s.contact_id, a.chat_count, count(s.id) as chats from conversation_sessions s
      left join contact_activity a on a.tenant_id = s.tenant_id and a.contact_id = s.contact_id
      where s.tenant_id = ${tenantId} group by 1, 2 having a.chat_count is distinct from count(s.id)`),
  ).toEqual([])

  // Cached unread counts match those of another server.
  for (const user of users) {
    const { body } = await user.get('/users/me/unread-summary')
    const again = await other.as(user).get('/users/me/unread-summary')
    expect(again.body).toEqual(body)
  }

  // Events never show an outdated state, and the last event of each conversation shows its current state. Excepted are
  // the contact's name, which has its own event, and the order of two messages of the same milliseconds.
  const [owner] = users as [Client]
  const latest = new Map<string, LatestEvent>()
  for (let after = 0; ; ) {
    const events = await readLog(db, tenantId, { after, limit: 1_000 })
    if (events.length === 0) break
    for (const event of events) applyEvent(latest, event)
    after = events.at(-1)!.seq
  }
  expect(latest.size).toBe(phones.length)
  for (const [id, { type, conversation }] of latest) {
    // Events carry neither what differs by caller (read state, mentions) nor the contact as it is now.
    const {
      window: _window,
      unreadCount: _unreadCount,
      mentioned: _mentioned,
      lastReadMessageId: _lastReadMessageId,
      lastMessageSenderId: _lastMessageSenderId,
      lastMessageFailed: _lastMessageFailed,
      contact: _contact,
      name,
      contactName,
      lastMessageAt,
      ...now
    } = (await owner.get(`/conversations/${id}`)).body
    expect({ type, ...conversation }).toEqual({
      type,
      name: expect.anything(),
      contactName: expect.anything(),
      lastMessageAt: expect.anything(),
      ...now,
    })
  }
  if (full) console.log(Object.fromEntries(statuses))
})

/** Waits until nothing is queued and no new event has arrived for a while. */
async function waitUntilIdle(tenantId: string): Promise<void> {
  for (let [before, quietSince] = [-1, 0]; ; await sleep(100)) {
    const { waiting } = await db.one<{ waiting: number }>(sql`
      select (select count(*) from job_lanes) + (select count(*) from outbox)
        + (select count(*) from messages where tenant_id = ${tenantId} and status = 'pending') as waiting`)
    const head = await getLatestSeq(db, tenantId)
    if (waiting > 0 || head !== before) quietSince = performance.now()
    before = head
    if (performance.now() - quietSince > within(1_500)) return
  }
}

interface LatestEvent {
  type: string
  audience: unknown
  conversation: Pick<Conversation, 'status' | 'activeOwner'>
}

/** An event that changes who sees the conversation also names those who saw it before; later events do not. */
function withoutFormer(audience: unknown): unknown {
  const { former: _former, ...current } = (audience ?? {}) as { former?: unknown }
  return current
}

/** Expects a message event to show the same conversation state and audience as the event before it. */
function applyEvent(latest: Map<string, LatestEvent>, { type, data, audience }: LogEvent): void {
  const { conversation } = data as { conversation?: Conversation }
  if (!conversation) return
  const before = latest.get(conversation.id)
  if (before && type.startsWith('message.')) {
    const { status, activeOwner } = conversation
    expect({ type, status, activeOwner, audience: withoutFormer(audience) }).toEqual({
      type,
      status: before.conversation.status,
      activeOwner: before.conversation.activeOwner,
      audience: withoutFormer(before.audience),
    })
  }
  latest.set(conversation.id, { type, audience, conversation })
}
