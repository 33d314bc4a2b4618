/** A bulk action and its undo whose processes are killed change and restore each conversation exactly once. */
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
import { seedConversations, snapshot } from '../testing/bulk.ts'

const api = await testApi()
const { db } = api.deps
const { name } = await db.one<{ name: string }>(sql`select current_database() as name`)
const connection = withDatabase(inject('server'), name)
const count = process.env.FULL === '1' ? 10_000 : 3_000

const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

async function startWorker(): Promise<ChildProcess> {
  const file = bundled(path.join(import.meta.dirname, '../testing/bulk-worker.ts'))
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

test(`killed while it closes ${count} conversations and while it undoes this: each is restored exactly`, async () => {
  const { owner, user, tenantId, teamId } = await api.workspace()
  const [agent, other] = [await user('agent', [teamId]), await user('agent')]
  const labelId = (await owner.post('/labels', { name: 'Billing' })).body.id
  const inboxId = InboxId.create()
  await db.run(sql`
    insert into inboxes (tenant_id, id, channel, external_id, resource_id, name, config, created_by, created_at, updated_at)
    values (${tenantId}, ${inboxId}, 'chatapp', ${inboxId}, '5551', 'Shop', '{}', ${owner.id}, now(), now())`)
  await seedConversations(db, { tenantId, inboxId, teamId, labelId, count, userIds: [agent.id, other.id] })
  const before = await snapshot(db, tenantId)

  const started = await owner.post('/conversations/bulk', {
    filter: { status: ['open'] },
    action: { type: 'close' },
  })
  expect(started).toMatchObject({ status: 202, body: { status: 'running', total: count } })
  const read = async () => (await owner.get(`/conversations/bulk/${started.body.id}`)).body
  /** Kills the worker while it waits for a conversation in the middle, with a part of the action committed. */
  const runWithKill = async (done: (bulk: Record<string, number>) => number, status: string) => {
    const interrupted = await transact(db, async tx => {
      await tx.run(sql`
        select from conversation_states where tenant_id = ${tenantId} and conversation_id = ${before[count / 2]!.id} for update`)
      const victim = await startWorker()
      await until(read, bulk => done(bulk) === count / 2)
      await kill(victim)
      return read()
    })
    expect(done(interrupted)).toBe(count / 2)
    const successor = await startWorker()
    const finished = await until(read, bulk => bulk.status === status)
    await kill(successor)
    return finished
  }
  const closed = await runWithKill(bulk => bulk.changed!, 'completed')
  expect(closed).toMatchObject({ changed: count, unchanged: 0, failed: 0 })
  expect(await countStates(tenantId, 'closed')).toBe(count)
  expect(await countEvents(tenantId, 'conversation.closed')).toEqual({ events: count, conversations: count })

  const undo = await owner.post(`/conversations/bulk/${started.body.id}/undo`)
  expect(undo).toMatchObject({ status: 202, body: { status: 'undoing' } })
  const undone = await runWithKill(bulk => bulk.restored!, 'undone')
  expect(undone).toMatchObject({ restored: count, notRestored: 0 })
  expect(await snapshot(db, tenantId)).toEqual(before)
  expect(await countEvents(tenantId, 'conversation.updated')).toEqual({ events: count, conversations: count })
})

const countStates = (tenantId: string, status: string) =>
  db.value<number>(
    sql`select count(*) from conversation_states where tenant_id = ${tenantId} and status = ${status}`,
  )

const countEvents = (tenantId: string, type: string) =>
  db.one(sql`
    select count(*)::int as events, count(distinct data -> 'conversation' ->> 'id')::int as conversations
    from outbox where tenant_id = ${tenantId} and type = ${type}`)
