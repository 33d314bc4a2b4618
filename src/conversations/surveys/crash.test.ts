/** A survey whose worker is killed is sent exactly once. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { bundled } from '../../../test/harness/bundled.ts'
import { withDatabase } from '../../../test/harness/server.ts'
import { until } from '../../../test/harness/service.ts'
import { InboxId } from '../../inboxes/schemas.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { seedConversations } from '../testing/bulk.ts'
import { sendSurvey } from './send-survey.ts'

const api = await testApi()
const { db } = api.deps
const { name } = await db.one<{ name: string }>(sql`select current_database() as name`)
const connection = withDatabase(inject('server'), name)

const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

async function startWorker(): Promise<ChildProcess> {
  const file = bundled(path.join(import.meta.dirname, '../testing/survey-worker.ts'))
  const child = fork(file, [JSON.stringify(connection)])
  children.add(child)
  child.once('exit', () => children.delete(child))
  await once(child, 'message')
  child.send('go')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  // The lease of a dead worker ends in seconds; the test does not wait for it.
  await db.run(sql`update job_lanes set at = clock_timestamp() - interval '1 second' where state = 'leased'`)
}

test('killed while it sends a survey: the next worker sends it, and nobody sends it again', async () => {
  const { owner, user, tenantId, teamId } = await api.workspace()
  const agent = await user('agent', [teamId])
  const inboxId = InboxId.create()
  const labelId = (await owner.post('/labels', { name: 'Billing' })).body.id
  await db.run(sql`
    insert into inboxes (tenant_id, id, channel, external_id, resource_id, name, config, csat, created_by, created_at,
      updated_at)
    values (${tenantId}, ${inboxId}, 'chatapp', ${inboxId}, '5551', 'Shop', '{}',
      '{"question": "How was it?", "delayMinutes": 0, "commentQuestion": null}', ${owner.id}, now(), now())`)
  await seedConversations(db, { tenantId, inboxId, teamId, labelId, count: 1, userIds: [agent.id, agent.id] })
  const { id: conversationId } = (await owner.get('/conversations')).body.conversations[0]
  await owner.post(`/conversations/${conversationId}/close`)
  const { sessionId } = await db.one<{ sessionId: string }>(sql`
    select session_id as "sessionId" from conversation_states
    where tenant_id = ${tenantId} and conversation_id = ${conversationId}`)
  const sendAt = new Date().toISOString()
  const payload = { conversationId, sessionId, sendAt }
  await transact(db, async tx => {
    await tx.run(sql`
      insert into conversation_surveys (tenant_id, session_id, conversation_id, inbox_id, status, send_at)
      values (${tenantId}, ${sessionId}, ${conversationId}, ${inboxId}, 'scheduled', ${sendAt})`)
    await enqueue(tx, sendSurvey, { tenantId, payload })
  })
  const isWaiting = () =>
    db.value<number>(sql`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  await transact(db, async tx => {
    await tx.run(sql`
      select from conversation_states where tenant_id = ${tenantId} and conversation_id = ${conversationId} for update`)
    const victim = await startWorker()
    await until(isWaiting, n => n! > 0)
    await kill(victim)
  })
  const countSent = async () =>
    (await owner.get(`/conversations/${conversationId}/messages`)).body.messages.filter(
      ({ senderId }: { senderId: string }) => senderId === inboxId,
    ).length
  const successor = await startWorker()
  expect(await until(countSent, n => n > 0)).toBe(1)
  // The same job again, as after a lost acknowledgement.
  await transact(db, tx => enqueue(tx, sendSurvey, { tenantId, payload }))
  await until(
    () => db.value<number>(sql`select count(*) from jobs where payload ->> 'sessionId' = ${sessionId}`),
    n => n === 0,
  )
  expect(await countSent()).toBe(1)
  await kill(successor)
})
