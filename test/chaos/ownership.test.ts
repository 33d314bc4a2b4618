/**
 * Deletes and merges contacts, moves their numbers and links conversations by hand while messages are sent and received
 * on two processes. Every message belongs to exactly the contact who owned the address when it was accepted.
 */
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectDb, type Db } from '../../src/platform/db/db.ts'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { LogEvent } from '../../src/platform/events/event.ts'
import { readLog } from '../../src/platform/events/log.ts'
import { type Client, client } from '../harness/api.ts'
import { movableClock } from '../harness/clock.ts'
import { until } from '../harness/service.ts'
import { freePort, fresh, scratch, start } from '../system/program.ts'

const actions = process.env.FULL === '1' ? 6_000 : 300
const actors = 8
const root = scratch()
const content = { type: 'text', text: { body: 'Hello' } }
const phones = Array.from({ length: 4 }, (_, n) => `+1415557800${n}`)
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

/** Records, in the transaction that accepts a message, the contact of the message and the owner of the address. */
async function observeOwners(db: Db): Promise<void> {
  await db.run(sql`
    create table if not exists observed (tenant_id text, message_id text, contact_id text, owner_id text)`)
  await db.run(sql`
    create or replace function observe_owner() returns trigger language plpgsql as $$
    begin
      insert into observed select new.tenant_id, new.id, p.contact_id, i.contact_id
      from conversation_sessions p join conversations c on c.tenant_id = p.tenant_id and c.id = p.conversation_id
      left join contact_identities i
        on i.tenant_id = c.tenant_id and i.channel = c.channel and i.external_id = c.external_id
      where p.tenant_id = new.tenant_id and p.id = new.session_id;
      return null;
    end $$`)
  await db.run(
    sql`create or replace trigger observe_owner after insert on messages for each row execute function observe_owner()`,
  )
}

/** Starts two services and a sandbox as processes of one installation; everything stops with the test. */
async function startTwoProcesses() {
  const database = await startEmbedded({ dataDir: fresh(root, 'database') })
  onTestFinished(() => database.stop())
  const host = encodeURIComponent(database.connection.host)
  const [sandboxPort, port] = [await freePort(), await freePort()]
  const env = {
    SECRET_KEY: 'a secret of tests, and of nothing else',
    DATABASE_URL: `postgres:///parley?host=${host}&user=parley`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
    OUTBOUND_LOOPBACK: 'on',
  }
  const dataDir = fresh(root, 'shared')
  const command = ['sandbox', '--port', String(sandboxPort)]
  const sandbox = await start({ dataDir: path.join(dataDir, 'sandbox'), env, command })
  const first = await start({ dataDir, env, port })
  await first.ready()
  const second = await start({ dataDir, env })
  await second.ready()
  const db = connectDb({ connection: database.connection, clock: movableClock(), readers: 2, writers: 2 })
  onTestFinished(async () => {
    await db.close()
    await Promise.all([first.stop(), second.stop()])
    await sandbox.kill()
  })
  const { id: tenantId } = await db.one<{ id: string }>(sql`select id from tenants`)
  const { apiKey } = first.credentials()
  const clients = [first, second].map(({ url }) => client(url, tenantId, '', apiKey))
  return { db, tenantId, clients }
}

async function connectInboxes(owner: Client): Promise<string[]> {
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['8701'], phoneNumberIds: ['87011', '87012'] },
  })
  const inboxIds = body.inboxes.map((inbox: { id: string }) => inbox.id)
  expect(inboxIds).toHaveLength(2)
  return inboxIds
}

/** Runs one random operation. */
async function act(client: Client, inboxIds: readonly string[]) {
  const phone = pick(phones)
  const [conversations, contacts] = await Promise.all([client.get('/conversations'), client.get('/contacts')])
  const conversationId = pick(conversations.body.conversations as { id: string }[])?.id ?? 'cnv_none'
  const contactId = () => pick(contacts.body.contacts as { id: string }[])?.id ?? 'con_none'
  const inboxId = pick(inboxIds)
  const send = () =>
    client.post('/messages', { recipient: { type: 'phone', phoneNumber: phone }, inboxId, content })
  const reply = () => client.post(`/conversations/${conversationId}/messages`, { content })
  const receive = () => client.post('/sandbox/inbound', { inboxId, from: phone, content })
  const changes = [
    () => client.delete(`/contacts/${contactId()}`),
    () => client.post('/contacts', { name: 'New', phone }),
    () => client.patch(`/contacts/${contactId()}`, { phone: null }),
    () => client.patch(`/contacts/${contactId()}`, { phone }),
    () => client.post(`/contacts/${contactId()}/merge`, { intoContactId: contactId() }),
    () => client.post(`/conversations/${conversationId}/contact`, { contactId: contactId() }),
    () => client.post(`/conversations/${conversationId}/close`),
  ]
  return pick([send, send, reply, reply, receive, receive, pick(changes), pick(changes)])()
}

test('every message belongs to the owner of its address when it was accepted', {
  timeout: 600_000,
}, async () => {
  const { db, tenantId, clients } = await startTwoProcesses()
  await observeOwners(db)
  const inboxIds = await connectInboxes(clients[0]!)
  const statuses = new Map<number, number>()
  let remaining = actions
  await Promise.all(
    Array.from({ length: actors }, async () => {
      while (remaining-- > 0) {
        const { status, body } = await act(pick(clients), inboxIds)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(status, JSON.stringify(body)).toBeLessThan(500)
      }
    }),
  )
  await until(
    () =>
      db.one<{ n: number }>(sql`
        select (select count(*) from job_lanes) + (select count(*) from outbox)
          + (select count(*) from messages where tenant_id = ${tenantId} and status = 'pending') as n`),
    ({ n }) => n === 0,
    120_000,
  )

  expect(await db.rows(sql`select error from dead_jobs where tenant_id = ${tenantId}`)).toEqual([])
  const observed = await db.rows<{ contact_id: string; owner_id: string }>(
    sql`select contact_id, owner_id from observed where tenant_id = ${tenantId}`,
  )
  const { n: stored } = await db.one<{ n: number }>(
    sql`select count(*) as n from messages where tenant_id = ${tenantId}`,
  )
  expect(observed).toHaveLength(stored)
  expect(observed.filter(row => row.contact_id !== row.owner_id)).toEqual([])
  // Otherwise nothing happened that could go wrong.
  expect(new Set(observed.map(row => row.owner_id)).size).toBeGreaterThan(phones.length)

  // One conversation for each number; the owner of the address, where it is known, is the contact of the conversation.
  const { n: conversations } = await db.one<{ n: number }>(
    sql`select count(*) as n from conversations where tenant_id = ${tenantId}`,
  )
  expect(conversations).toBe(phones.length)
  expect(
    await db.rows(sql`
      select c.id, c.contact_id, s.contact_id as owner, i.contact_id as identity from conversations c
      join conversation_states s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
      left join contact_identities i on i.tenant_id = c.tenant_id and i.channel = c.channel and i.external_id = c.external_id
      where c.tenant_id = ${tenantId} and s.contact_id is not null
        and (s.contact_id <> c.contact_id or i.contact_id is distinct from s.contact_id)`),
  ).toEqual([])

  // Links and counts of the contacts that exist.
  expect(
    await db.rows(sql`
      select k.id, a.chat_count, a.conversation_count,
        (select count(*) from conversation_sessions s where s.tenant_id = k.tenant_id and s.contact_id = k.id) as sessions,
        (select count(*) from conversations c where c.tenant_id = k.tenant_id and c.contact_id = k.id) as conversations,
        (select count(*) from contact_conversations l where l.tenant_id = k.tenant_id and l.contact_id = k.id) as links
      from contacts k join contact_activity a on a.tenant_id = k.tenant_id and a.contact_id = k.id
      where k.tenant_id = ${tenantId}`),
  ).toSatisfy((rows: Counts[]) =>
    rows.every(
      row =>
        row.chat_count === row.sessions &&
        row.conversation_count === row.links &&
        row.conversations === row.links,
    ),
  )

  for (let after = 0; ; ) {
    const events = await readLog(db, tenantId, { after, limit: 1_000 })
    if (events.length === 0) break
    for (const event of events) expectOneContact(event)
    after = events.at(-1)!.seq
  }
  if (process.env.FULL === '1') console.log(Object.fromEntries(statuses))
})

interface Counts {
  chat_count: number
  conversation_count: number
  sessions: number
  conversations: number
  links: number
}

/** A new message and the conversation in its event have the same contact, who is the sender if a customer wrote. */
function expectOneContact({ type, data }: LogEvent): void {
  if (type !== 'message.created') return
  const { message, conversation } = data as {
    message: { contactId: string; senderType: string; senderId: string }
    conversation: { contactId: string }
  }
  expect(message.contactId).toBe(conversation.contactId)
  if (message.senderType === 'customer') expect(message.senderId).toBe(message.contactId)
}
