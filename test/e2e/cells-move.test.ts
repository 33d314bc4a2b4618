/** Moving a workspace between cells of an installation that runs in this process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { storeInCells, storeProviderEvents } from '../../src/conversations/inbound/store-provider-events.ts'
import { toMove } from '../../src/platform/db/moving.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { listTableNames } from '../../src/server/cells/move/catalog.ts'
import { findMoveCells } from '../../src/server/cells/move/find-cells.ts'
import { abortWorkspaceMove, moveWorkspace } from '../../src/server/cells/move/move.ts'
import { lockKey, openSession } from '../../src/server/cells/move/session.ts'
import { listTreated } from '../../src/server/cells/move/tables.ts'
import type { MoveObserver } from '../../src/server/cells/move/types.ts'
import type { Client } from '../harness/api.ts'
import { type CellName, testCells } from '../harness/cells.ts'
import { eventually } from '../harness/wait.ts'

const cells = await testCells()
let numbers = 0

async function connect(client: Client): Promise<string> {
  const chatapp = { resourceIds: ['7100'], phoneNumberIds: [`81${++numbers}`] }
  const { status, body } = await client.post('/inboxes', { chatapp })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.inboxes[0].id
}

async function send(client: Client, inboxId: string, phoneNumber: string, text: string): Promise<string> {
  const { status, body } = await client.post('/messages', {
    recipient: { type: 'phone', phoneNumber },
    inboxId,
    content: { type: 'text', text: { body: text } },
  })
  expect(status, JSON.stringify(body)).toBe(202)
  return body.message.id
}

const waitForStatus = (client: Client, id: string, status: string) =>
  eventually(async () => {
    const { body } = await client.get(`/messages/${id}`)
    expect(body.message?.deliveryStatus).toBe(status)
  })

const quiet: MoveObserver = {
  onStep: () => {},
  onCopied: () => {},
  onVerified: () => {},
  onPaused: () => {},
  onRemoved: () => {},
}

async function move(tenantId: string, to: CellName, observer: Partial<MoveObserver> = {}) {
  const request = await findMoveCells(cells.installation.cells, tenantId, to)
  await moveWorkspace(request!, { ...quiet, ...observer })
}

const cellOf = async (name: CellName) => cells.installation.cells.find(cell => cell.name === name)!

test('each table of the schema is classified', async () => {
  const session = await openSession((await cellOf('one')).database.direct)
  const names = await listTableNames(session)
  await session.end()
  expect(listTreated().sort()).toEqual(names.sort())
})

async function countRows(cell: CellName, tenantId: string): Promise<Record<string, number>> {
  const { db } = cells.deps[cell]
  const names = await db.values<string>(sql`
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'directory%' order by 1`)
  const counts = await Promise.all(
    names.map(async name => {
      const rows = await db.unprepared<{ n: number }>({
        strings: [`select count(*)::int as n from ${name} where tenant_id = '${tenantId}'`],
        values: [],
      } as never)
      return [name, rows[0]!.n] as const
    }),
  )
  return Object.fromEntries(counts.filter(([, n]) => n > 0))
}

/** Lets the workers delete the rows now, which they keep for ten minutes. */
async function deleteLeftRows(cell: CellName, tenantId: string): Promise<void> {
  await cells.deps[cell].db.run(
    sql`update workspace_moves set changed_at = changed_at - interval '10 minutes' where tenant_id = ${tenantId}`,
  )
  await eventually(async () => expect(await countRows(cell, tenantId)).toEqual({}))
}

test('a workspace moves with its rows and works in the other cell', async () => {
  const workspace = await cells.workspace('two', 'Moves')
  const key = await workspace.key()
  const inboxId = await connect(key)
  const first = await send(key, inboxId, '+14155550101', 'before')
  await waitForStatus(key, first, 'delivered')
  const before = await countRows('two', workspace.tenantId)
  const pauses: number[] = []
  await move(workspace.tenantId, 'three', { onPaused: ({ ms }) => pauses.push(ms) })
  process.stdout.write(`pause ${pauses.join()} ms\n`)
  const after = await countRows('three', workspace.tenantId)
  expect(after.messages).toBe(before.messages)
  expect(after.event_log).toBeGreaterThanOrEqual(before.event_log!)
  await deleteLeftRows('two', workspace.tenantId)
  const { body } = await key.get(`/messages/${first}`)
  expect(body.message.deliveryStatus).toBe('delivered')
  const second = await send(key, inboxId, '+14155550101', 'after')
  await waitForStatus(key, second, 'delivered')
  const content = { type: 'text', text: { body: 'Hi' } }
  expect((await key.post('/sandbox/inbound', { inboxId, from: '+14155550101', content })).status).toBe(202)
  await eventually(async () => {
    const { body: list } = await key.get('/conversations?pageSize=1')
    expect(list.conversations[0].lastMessage?.preview ?? JSON.stringify(list.conversations[0])).toContain(
      'Hi',
    )
  })
  const seqs = await cells.deps.three.db.values<number>(
    sql`select seq from event_log where tenant_id = ${workspace.tenantId} order by seq`,
  )
  expect(seqs).toEqual(seqs.map((_, n) => n + 1))
})

test('a move that is aborted leaves the workspace and no rows in the target', async () => {
  const workspace = await cells.workspace('two', 'Stays')
  const key = await workspace.key()
  const inboxId = await connect(key)
  await waitForStatus(key, await send(key, inboxId, '+14155550102', 'before'), 'delivered')
  const stopped = move(workspace.tenantId, 'three', {
    onVerified: () => {
      throw new Error('stopped')
    },
  })
  await expect(stopped).rejects.toThrow('stopped')
  await waitForStatus(key, await send(key, inboxId, '+14155550102', 'meanwhile'), 'delivered')
  expect(Object.keys(await countRows('three', workspace.tenantId)).length).toBeGreaterThan(3)
  const request = await findMoveCells(cells.installation.cells, workspace.tenantId, undefined)
  await abortWorkspaceMove(request!, quiet)
  expect(await countRows('three', workspace.tenantId)).toEqual({})
  await waitForStatus(key, await send(key, inboxId, '+14155550102', 'after'), 'delivered')
})

/** A move that stops before the switch: changes are captured. */
async function startMove(tenantId: string, to: CellName): Promise<void> {
  const stopped = move(tenantId, to, {
    onStep: step => {
      if (step === 'pausing') throw new Error('stopped')
    },
  })
  await expect(stopped).rejects.toThrow('stopped')
}

test('a request waits for the pause, with its Idempotency-Key, and runs when it ends', async () => {
  const workspace = await cells.workspace('two', 'Waits')
  const key = await workspace.key()
  await startMove(workspace.tenantId, 'three')
  const session = await openSession((await cellOf('two')).database.direct)
  await session.rows(`select pg_advisory_lock(${lockKey('fence', workspace.tenantId)})`)
  const create = () => key.post('/contacts', { name: 'Kim Ng' }, { 'idempotency-key': 'one' })
  const waiting = [create(), key.post('/tags', { name: 'vip' })]
  await sleep(700)
  await session.end()
  const answers = await Promise.all(waiting)
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  const repeated = await create()
  expect(repeated.body.contact?.id ?? repeated.body.id).toBe(
    answers[0]!.body.contact?.id ?? answers[0]!.body.id,
  )
  await move(workspace.tenantId, 'three')
  expect((await key.get('/tags')).body.tags.map(({ name }: { name: string }) => name)).toEqual(['vip'])
})

test('after a move the source refuses writes and names the cell, and callbacks reach the workspace', async () => {
  const workspace = await cells.workspace('two', 'Late')
  const key = await workspace.key()
  const inboxId = await connect(key)
  const number = `81${numbers}`
  await waitForStatus(key, await send(key, inboxId, '+14155550103', 'before'), 'delivered')
  await move(workspace.tenantId, 'three')
  const event = {
    type: 'message',
    accountId: number,
    dedupeKey: 'late',
    channelMessageId: 'wamid.late',
    from: '14155550103',
    at: new Date().toISOString(),
    content: { type: 'text', text: { body: 'late' } },
  } as never
  // A process that has not noticed the move.
  const refused = await storeProviderEvents(cells.deps.two, 'chatapp', [event]).catch(error => error)
  expect(toMove(refused)).toEqual({ tenantId: workspace.tenantId, cell: 'three' })
  await storeInCells(cells.deps.one, 'chatapp', [event])
  const stored = sql`select count(*)::int from provider_events where tenant_id = ${workspace.tenantId} and dedupe_key = 'message/late'`
  expect(await cells.deps.three.db.value(stored)).toBe(1)
  expect(await cells.deps.two.db.value(stored)).toBe(0)
})

test('workers finish a switch, and resume the work of a pause, when the driver has gone', async () => {
  const workspace = await cells.workspace('two', 'Finished')
  const key = await workspace.key()
  const inboxId = await connect(key)
  await startMove(workspace.tenantId, 'three')
  const { db } = cells.deps.two
  await db.run(sql`
    update workspace_moves set is_held = true, changed_at = now() - interval '1 minute'
    where tenant_id = ${workspace.tenantId}`)
  await eventually(async () =>
    expect(
      await db.value(sql`select is_held from workspace_moves where tenant_id = ${workspace.tenantId}`),
    ).toBe(false),
  )
  const dies = move(workspace.tenantId, 'three', {
    onStep: step => {
      if (step === 'switched') throw new Error('died')
    },
  })
  await expect(dies).rejects.toThrow('died')
  await eventually(async () =>
    expect(
      await cells.deps.one.db.value(
        sql`select cell from directory_workspaces where tenant_id = ${workspace.tenantId}`,
      ),
    ).toBe('three'),
  )
  await waitForStatus(key, await send(key, inboxId, '+14155550104', 'after'), 'delivered')
  await eventually(async () =>
    expect((await findMoveCells(cells.installation.cells, workspace.tenantId, 'three'))?.from.name).toBe(
      undefined,
    ),
  )
})
