/** Moving a workspace between cells of an installation that runs in this process. */
import { expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { listTableNames } from '../../src/server/cells/move/catalog.ts'
import { findMoveCells } from '../../src/server/cells/move/find-cells.ts'
import { abortWorkspaceMove, moveWorkspace } from '../../src/server/cells/move/move.ts'
import { openSession } from '../../src/server/cells/move/session.ts'
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
  expect(await countRows('two', workspace.tenantId)).toEqual({})
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
