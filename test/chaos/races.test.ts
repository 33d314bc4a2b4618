/**
 * Everything that can be done to a few conversations, all at once and over two servers. Nothing is promised about who
 * wins; but afterwards all that is kept twice agrees, and who followed the events knows how it ended.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Conversation } from '../../src/conversations/schemas.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { LogEvent } from '../../src/platform/events/event.ts'
import { getLatestSeq, readLog } from '../../src/platform/events/log.ts'
import type { Client } from '../harness/api.ts'
import { testService } from '../harness/service.ts'
import { within } from '../harness/wait.ts'

const full = process.env.FULL === '1'
const actions = full ? 4_000 : 400
const actors = 8

const service = await testService()
const { db } = service.deps
const text = (body: string) => ({ type: 'text', text: { body } })
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

/** Counts workspaces: an inbox number belongs to one workspace only, so each run of the test connects its own. */
let desks = 0

async function makeDesk() {
  const workspace = await service.workspace()
  const { owner } = workspace
  const inbox = async (waba: string): Promise<string> =>
    (await owner.post('/inboxes', { chatapp: { resourceIds: [waba], phoneNumberIds: [`${waba}1`] } })).body
      .inboxes[0].id
  const desk = ++desks
  const inboxIds = [await inbox(`88${desk}01`), await inbox(`88${desk}02`)]
  const teamIds = [workspace.teamId, (await owner.post('/teams', { name: 'Others' })).body.id as string]
  const agents = [await workspace.user('agent', teamIds), await workspace.user('admin')]
  const tagIds = await Promise.all(
    ['one', 'two'].map(async name => (await owner.post('/tags', { name })).body.id as string),
  )
  return { tenantId: workspace.tenantId, users: [owner, ...agents], inboxIds, teamIds, tagIds }
}

type Desk = Awaited<ReturnType<typeof makeDesk>>
const phones = Array.from({ length: 6 }, (_, n) => `+1415556900${n}`)

/** By customers. */
let written = 0

/** One thing that somebody does, whatever it meets. */
async function act({ users, inboxIds, teamIds, tagIds }: Desk, as: (client: Client) => Client) {
  const who = as(pick(users))
  const owner = as(users[0]!)
  const listed = (await who.get(`/conversations?search=${encodeURIComponent(pick(phones))}`)).body
  const { id = 'cnv_none', contactId = 'con_none' } = listed.conversations[0] ?? {}
  const messages = async () => (await who.get(`/conversations/${id}/messages`)).body.messages ?? []
  const kinds = [
    async () => {
      const content = text('Hi')
      const told = await owner.post('/sandbox/inbound', {
        inboxId: pick(inboxIds),
        from: pick(phones),
        content,
      })
      if (told.status === 202) written++
      return told
    },
    () =>
      who.post('/messages', {
        recipient: { type: 'phone', phoneNumber: pick(phones) },
        inboxId: pick(inboxIds),
        content: text('Hello'),
      }),
    () => who.post(`/conversations/${id}/messages`, { content: text('An answer') }),
    () => who.post(`/conversations/${id}/close`),
    () => who.post(`/conversations/${id}/reassign`, { userId: pick(users).id }),
    async () => {
      const lastMessageId = (pick(await messages()) as { id: string } | undefined)?.id ?? 'msg_none'
      return who.post(`/conversations/${id}/read`, { lastMessageId })
    },
    () => owner.put(`/inboxes/${pick(inboxIds)}/team`, { teamId: pick(teamIds) }),
    () => who.patch(`/contacts/${contactId}`, { name: `Name ${Math.random()}` }),
    () => who.post(`/contacts/${contactId}/${pick(['archive', 'unarchive'])}`),
    async () => {
      const others = (await who.get('/conversations')).body.conversations as { contactId: string }[]
      const intoContactId = pick(others)?.contactId ?? 'con_none'
      return Math.random() < 0.2
        ? who.post(`/contacts/${contactId}/merge`, { intoContactId })
        : who.post(`/contacts/${contactId}/tags/${pick(tagIds)}`)
    },
  ]
  return pick(kinds)()
}

test('whatever happens at once, what is kept twice agrees, and the last event tells how it is', async () => {
  const desk = await makeDesk()
  const { tenantId, users } = desk
  written = 0
  const other = await service.another()
  const answers = new Map<number, number>()
  let left = actions
  await Promise.all(
    Array.from({ length: actors }, async () => {
      while (left-- > 0) {
        const { status, body } = await act(desk, pick([(client: Client) => client, other.as]))
        answers.set(status, (answers.get(status) ?? 0) + 1)
        expect(status, JSON.stringify(body)).toBeLessThan(500)
      }
    }),
  )
  await settled(tenantId)

  // Every customer's message is there; messages are counted as they are, without a gap.
  const received = sql`select from messages where tenant_id = ${tenantId} and direction = 'in'`
  expect(await db.rows(received)).toHaveLength(written)
  expect(
    await db.rows(sql`
      select s.conversation_id, s.message_count, s.customer_count, count(m.id) as found, max(m.position) as last,
        count(*) filter (where m.direction = 'in') as customers, max(m.customer_position) as last_customer
      from conversation_states s left join messages m using (tenant_id, conversation_id) where s.tenant_id = ${tenantId}
      group by 1, 2, 3 having s.message_count <> count(m.id) or s.message_count <> coalesce(max(m.position), 0)
        or s.customer_count <> count(*) filter (where m.direction = 'in')
        or s.customer_count <> coalesce(max(m.customer_position), 0)`),
  ).toEqual([])

  // One session at most is open, and the conversation shows the last one's.
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
      select conversation_id, s.team_id, o.team_id as held from conversation_states s
      full join open_conversation_teams o using (tenant_id, conversation_id)
      where tenant_id = ${tenantId}
        and o.team_id is distinct from case when s.status = 'open' then s.team_id end`),
  ).toEqual([])

  // What contacts know of their conversations.
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
      select c.contact_id, a.chat_count, count(s.id) as chats from conversations c
      join conversation_sessions s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
      join contact_activity a on a.tenant_id = c.tenant_id and a.contact_id = c.contact_id
      where c.tenant_id = ${tenantId} group by 1, 2 having a.chat_count <> count(s.id)`),
  ).toEqual([])

  // Each user's number is that of a fresh count.
  for (const user of users) {
    const { body } = await user.get('/users/me/unread-summary')
    const again = await other.as(user).get('/users/me/unread-summary')
    expect(again.body).toEqual(body)
  }

  // Who followed the events saw nothing that was over, and knows how each conversation ended; the name of the contact
  // is told by the contact's, and two messages of the same moment may be a few milliseconds out of order.
  const [owner] = users as [Client]
  const known = new Map<string, Known>()
  for (let after = 0; ; ) {
    const events = await readLog(db, tenantId, { after, limit: 1_000 })
    if (events.length === 0) break
    for (const event of events) follow(known, event)
    after = events.at(-1)!.seq
  }
  expect(known.size).toBe(phones.length)
  for (const [id, { type, conversation }] of known) {
    const { window: _, contactName, lastMessageAt, ...now } = (await owner.get(`/conversations/${id}`)).body
    expect({ type, ...conversation }).toEqual({
      type,
      contactName: expect.anything(),
      lastMessageAt: expect.anything(),
      ...now,
    })
  }
  if (full) console.log(Object.fromEntries(answers))
})

/** Nothing waits here, and for a while the providers have had nothing more to say. */
async function settled(tenantId: string): Promise<void> {
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

interface Known {
  type: string
  audience: unknown
  conversation: Pick<Conversation, 'status' | 'activeOwner'>
}

/** A message tells of its conversation what was told of it last, and to the same people. */
function follow(known: Map<string, Known>, { type, data, audience }: LogEvent): void {
  const { conversation } = data as { conversation?: Conversation }
  if (!conversation) return
  const before = known.get(conversation.id)
  if (before && type.startsWith('message.')) {
    const { status, activeOwner } = conversation
    expect({ type, status, activeOwner, audience }).toEqual({
      type,
      status: before.conversation.status,
      activeOwner: before.conversation.activeOwner,
      audience: before.audience,
    })
  }
  known.set(conversation.id, { type, audience, conversation })
}
