/** A send is marked as started before the provider is called, once for each attempt. */
import { beforeEach, expect, test } from 'vitest'
import { testService, until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { clearSendStarted, markSendsStarted } from '../store/messages/deliveries.ts'

const service = await testService()
const { db } = service.deps
const { owner, tenantId } = await service.workspace()
let numbers = 1000
let account: { channel: 'chatapp'; account: string }
let inboxId: string
const refused = { requests: [{ answer: 'tokenExpired' as const }] }

beforeEach(async () => {
  account = { channel: 'chatapp', account: `6661${numbers++}` }
  const chatapp = { resourceIds: ['6661'], phoneNumberIds: [account.account] }
  inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
})

let count = 0
async function write(): Promise<string> {
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: `+1415666${1000 + count++}` },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  return body.message.id
}
const begin = async (messageId: string) =>
  (await transact(db, tx => markSendsStarted(tx, [{ tenantId, messageId }])))[0]!
const sent = () => service.sandbox.control.sent(account)
const isDegraded = async () => {
  const { inboxes } = (await owner.get('/inboxes')).body
  return inboxes.find((one: { id: string }) => one.id === inboxId).status.state !== 'active'
}
const statusOf = async (id: string) => (await owner.get(`/messages/${id}`)).body.message.deliveryStatus
const repair = async () => {
  await service.sandbox.control.clearFaults([account])
  await owner.put(`/inboxes/${inboxId}/credentials`, { authToken: 'another' })
}

test('a started send starts again only after its attempt is cleared, and only that attempt can be cleared', async () => {
  await service.sandbox.control.setFaults(refused, [account])
  const id = await write()
  await until(isDegraded, Boolean)
  await until(
    () =>
      db.one<{ at: string | null; tries: number }>(
        sql`select send_started_at as at, send_attempts as tries from messages where id = ${id}`,
      ),
    row => row.tries === 1 && row.at === null,
  )
  expect(await begin(id)).toMatchObject({ attempt: null, sendStartedAt: null, status: 'pending' })

  // As another process finds it, while the provider lets the inbox send.
  await db.run(
    sql`update inboxes set health_issues = '{"quality_low": "2026-01-01T00:00:00Z"}' where id = ${inboxId}`,
  )
  await db.run(
    sql`update job_lanes set state = 'scheduled', at = now() + interval '1 hour' where name = 'conversations.deliver_message'`,
  )
  expect(await begin(id)).toMatchObject({ attempt: 2, sendStartedAt: null })
  expect(await begin(id)).toMatchObject({ attempt: null, sendStartedAt: expect.any(String) })
  await transact(db, tx => clearSendStarted(tx, tenantId, id, 1))
  expect(await begin(id)).toMatchObject({ attempt: null, sendStartedAt: expect.any(String) })
  await transact(db, tx => clearSendStarted(tx, tenantId, id, 2))
  expect(await begin(id)).toMatchObject({ attempt: 3, sendStartedAt: null })
  await transact(db, tx => clearSendStarted(tx, tenantId, id, 3))

  await repair()
  await db.run(sql`update job_lanes set at = now() where name = 'conversations.deliver_message'`)
  await until(
    () => statusOf(id),
    status => status !== 'pending',
  )
  expect(await sent()).toHaveLength(1)
  expect(await begin(id)).toMatchObject({ attempt: null })
})
