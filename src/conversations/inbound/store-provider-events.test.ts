/** Statuses are applied with the callback that reports them, unless that would wait for another transaction. */
import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { eventually } from '../../../test/harness/wait.ts'
import type { StatusEvent } from '../../inboxes/providers/provider.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { applyStatus } from '../messages/delivery-status.ts'
import { lockConversation } from '../store/conversations/conversations.ts'
import { storeProviderEvents } from './store-provider-events.ts'

const api = await testApi()
await playProviders(api)
const { db } = api.deps
const { owner, tenantId } = await api.workspace()
const accountId = '777100'
const chatapp = { resourceIds: ['7771'], phoneNumberIds: [accountId] }
const inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id

let count = 0
async function write() {
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: `+1415777${1000 + count++}` },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  return body.message as { id: string; conversationId: string }
}

function report(messageId: string, status: StatusEvent['status'], more: Partial<StatusEvent> = {}) {
  const channelMessageId = `wamid.${messageId}`
  const dedupeKey = `${messageId}/${status}`
  const event = {
    type: 'status' as const,
    accountId,
    dedupeKey,
    channelMessageId,
    messageId,
    status,
    ...more,
  }
  return storeProviderEvents(api.deps, 'chatapp', [{ at: '2026-01-01T00:00:00.000Z', ...event }])
}

const countJobs = () =>
  db.value<number>(
    sql`select count(*) from job_lanes where tenant_id = ${tenantId} and name = 'conversations.apply_provider_status'`,
  )
const statusOf = async (id: string) => (await owner.get(`/messages/${id}`)).body.message.deliveryStatus
const timelineOf = (messageId: string) =>
  db.values<string>(sql`
    select type from message_timeline where tenant_id = ${tenantId} and message_id = ${messageId} order by n`)

test('a status is applied when it is stored, once, and in any order', async () => {
  const { id } = await write()
  await report(id, 'delivered')
  expect(await statusOf(id)).toBe('delivered')
  await Promise.all([report(id, 'delivered'), report(id, 'sent')])
  expect(await statusOf(id)).toBe('delivered')
  expect(await timelineOf(id)).toEqual(['delivered', 'sent'])
  const updated = await db.values<string>(
    sql`select data->'message'->>'deliveryStatus' from outbox where type = 'message.updated' and data->'message'->>'id' = ${id}`,
  )
  expect(updated).toEqual(['delivered'])
  expect(await countJobs()).toBe(0)
})

test('a status that cannot be applied now gets a job: its conversation is locked, its message unknown, or it failed', async () => {
  const [first, second] = [await write(), await write()]
  await transact(db, async tx => {
    await lockConversation(tx, tenantId, first.conversationId)
    await report(first.id, 'delivered')
  })
  await report('msg_00000000000000000000000000', 'delivered')
  await report(second.id, 'failed', {
    failure: { kind: 'permanent', code: 'undeliverable', message: 'No' },
  })
  for (const { id } of [first, second]) expect(await statusOf(id)).toBe('pending')
  expect(await countJobs()).toBe(3)
})

test('a status waits for the transaction that stores the answer to the send', async () => {
  const { id } = await write()
  let reporting: Promise<void> | undefined
  await transact(db, async tx => {
    await applyStatus(tx, tenantId, id, { status: 'sent', channelMessageId: `wamid.${id}` })
    reporting = report(id, 'delivered')
    await eventually(async () =>
      expect(
        await db.rows(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      ).toHaveLength(1),
    )
  })
  await reporting
  expect(await statusOf(id)).toBe('delivered')
  expect(await timelineOf(id)).toEqual(['sent', 'delivered'])
  expect(await countJobs()).toBe(3)
})
