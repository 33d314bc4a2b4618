/** One installation on three databases: each workspace works in its cell, and a lost cell stops no other one. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { hashPassword } from '../../src/identity/auth/passwords.ts'
import { createWorkspace } from '../../src/identity/workspace/tenants.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { transact } from '../../src/platform/db/transact.ts'
import { rebuildCell } from '../../src/server/cells/rebuild.ts'
import { type Client, client as newClient } from '../harness/api.ts'
import { type CellName, cellNames, testCells } from '../harness/cells.ts'
import { eventually, within } from '../harness/wait.ts'

const cells = await testCells()
const workspaces = {
  one: await cells.workspace('one', 'First'),
  two: await cells.workspace('two', 'Second'),
  three: await cells.workspace('three', 'Third'),
}
const keys = {
  one: await workspaces.one.key(),
  two: await workspaces.two.key(),
  three: await workspaces.three.key(),
}
const anonymous = newClient(cells.url, '', '', '')
let numbers = 0

async function connect(client: Client, number = `71${++numbers}`): Promise<string> {
  const chatapp = { resourceIds: ['7100'], phoneNumberIds: [number] }
  const { status, body } = await client.post('/inboxes', { chatapp })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.inboxes[0].id
}

async function send(client: Client, inboxId: string): Promise<string> {
  const { status, body } = await client.post('/messages', {
    recipient: { type: 'phone', phoneNumber: `+1415555${String(++numbers).padStart(4, '0')}` },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  expect(status, JSON.stringify(body)).toBe(202)
  return body.message.id
}

const waitForStatus = (client: Client, id: string, status: string) =>
  eventually(async () => {
    const { body } = await client.get(`/messages/${id}`)
    expect(body.message.deliveryStatus).toBe(status)
  })

const countMessages = (cell: CellName, tenantId: string) =>
  cells.deps[cell].db.value<number>(sql`select count(*)::int from messages where tenant_id = ${tenantId}`)

/** Completes an API key: its last six characters are a checksum. */
function withChecksum(body: string): string {
  const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const digest = createHash('sha256').update(body).digest()
  return body + [...digest.subarray(0, 6)].map(byte => base62[byte % 62]).join('')
}

test('a message is sent, delivered and answered in the cell of its workspace', async () => {
  for (const name of cellNames) {
    const { tenantId } = workspaces[name]
    const inboxId = await connect(keys[name])
    await waitForStatus(keys[name], await send(keys[name], inboxId), 'delivered')
    const content = { type: 'text', text: { body: 'Hi' } }
    const from = '+14155550100'
    expect((await keys[name].post('/sandbox/inbound', { inboxId, from, content })).status).toBe(202)
    await eventually(async () => expect(await countMessages(name, tenantId)).toBe(2))
    for (const other of cellNames.filter(each => each !== name))
      expect(await countMessages(other, tenantId)).toBe(0)
  }
})

test('404 or 401 for ids and tokens of a workspace in another cell', async () => {
  const inboxId = await connect(keys.two)
  const id = await send(keys.two, inboxId)
  const { body: list } = await keys.two.get('/conversations?pageSize=1')
  const conversationId = list.conversations[0].id
  for (const path of [`/messages/${id}`, `/conversations/${conversationId}`, `/inboxes/${inboxId}`])
    for (const other of [keys.one, keys.three]) expect((await other.get(path)).status, path).toBe(404)
  // A token that names another workspace is looked up there, and unknown.
  const [scopeOfTwo, scopeOfThree] = [workspaces.two, workspaces.three].map(({ tenantId }) =>
    tenantId.slice(3),
  )
  const moved = withChecksum(keys.two.token.slice(0, -6).replace(scopeOfTwo!, scopeOfThree!))
  expect(withChecksum(keys.two.token.slice(0, -6))).toBe(keys.two.token)
  expect((await newClient(cells.url, '', '', moved).get('/users')).status).toBe(401)
  await connect(keys.two)
  const page = await keys.two.get('/conversations?pageSize=1')
  if (page.body.nextPageToken)
    expect(
      (await keys.three.get(`/conversations?pageSize=1&pageToken=${page.body.nextPageToken}`)).status,
    ).toBe(400)
})

test('an sms callback is received in the cell that its URL names, without a search in the others', async () => {
  const listed = await keys.three.post(`/smsprovider/AC${'7400'.repeat(8)}/phone-numbers`, {
    authToken: 'token',
  })
  const { pendingCredentialId, phoneNumbers } = listed.body
  const sms = { pendingCredentialId, phoneNumberSids: [phoneNumbers[0].phoneNumberSid] }
  const connected = await keys.three.post('/inboxes', { sms })
  expect(connected.status, JSON.stringify(connected.body)).toBe(200)
  const inboxId = connected.body.inboxes[0].id
  const from = '+14155550177'
  const content = { type: 'text', text: { body: 'Hi' } }
  await eventually(async () =>
    expect((await keys.three.post('/sandbox/inbound', { inboxId, from, content })).status).toBe(202),
  )
  const id = await send(keys.three, inboxId)
  await waitForStatus(keys.three, id, 'delivered')
  const call = async (query: string) => {
    const path = `/channels/sms/${inboxId}x/status${query}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
    return (await anonymous.post(path, 'MessageSid=SM1', headers)).status
  }
  const signature = `${'A'.repeat(27)}=`
  cells.cut('two')
  try {
    // An inbox that names no workspace may be in the cell that is lost.
    await eventually(async () => expect(await call('')).toBe(503))
    expect(await call(`?workspace=${workspaces.three.tenantId}`)).toBe(401)
    expect(await call(`?workspace=${workspaces.two.tenantId}`)).toBe(503)
  } finally {
    cells.restore('two')
  }
  await eventually(async () => expect((await keys.two.get('/users')).status).toBe(200))
})

test('a socket opens in the cell of its ticket, and receives the events of its workspace', async () => {
  const { ticket } = (await workspaces.three.owner.post('/realtime/tickets')).body
  const socket = new WebSocket(`${cells.url.replace('http', 'ws')}/v1/realtime?ticket=${ticket}`)
  const frames: { type: string }[] = []
  socket.on('message', data => frames.push(JSON.parse(String(data))))
  await eventually(() => expect(frames[0]?.type).toBe('hello'))
  await keys.three.post('/contacts', { name: 'Kim Ng' })
  await eventually(() => expect(frames.map(({ type }) => type)).toContain('contact.created'))
  socket.close()
})

test('a number is connected once in the installation, also of two concurrent requests', async () => {
  for (let round = 0; round < 5; round++) {
    const chatapp = { resourceIds: ['7100'], phoneNumberIds: [`72${round}`] }
    const answers = await Promise.all([keys.two, keys.three].map(key => key.post('/inboxes', { chatapp })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

test('a disconnected number can be connected in another cell after a minute', async () => {
  const number = '7300'
  const inboxId = await connect(keys.two, number)
  expect((await keys.two.delete(`/inboxes/${inboxId}`)).status).toBe(204)
  const chatapp = { resourceIds: ['7100'], phoneNumberIds: [number] }
  expect((await keys.three.post('/inboxes', { chatapp })).status).toBe(409)
  await cells.deps.one.db.run(
    sql`update directory_accounts set reserved_at = reserved_at - interval '1 minute' where external_id = ${number}`,
  )
  expect((await keys.three.post('/inboxes', { chatapp })).status).toBe(200)
})

test('a login asks all cells: an address in two of them must choose', async () => {
  const [email, password] = [`kim${Date.now()}@example.com`, 'plum-Harbor-42-lantern']
  const passwordHash = await hashPassword(password)
  const owner = { name: 'Kim', email, passwordHash }
  const created = await Promise.all(
    (['two', 'three'] as const).map(cell =>
      transact(cells.deps[cell].db, tx => createWorkspace(tx, { name: cell, owner })),
    ),
  )
  const choice = await anonymous.post('/auth/login', { email, password })
  expect(choice).toMatchObject({ status: 409, body: { code: 'auth_tenant_required' } })
  expect(choice.body.tenants.map(({ id }: { id: string }) => id).sort()).toEqual(
    created.map(({ tenantId }) => tenantId).sort(),
  )
  for (const { tenantId, ownerId } of created) {
    const { status, body } = await anonymous.post('/auth/login', { email, password, tenantId })
    expect([status, body.user.id]).toEqual([200, ownerId])
    const refreshed = await anonymous.post('/auth/refresh', { refreshToken: body.refreshToken })
    expect([refreshed.status, refreshed.body.user.id]).toEqual([200, ownerId])
  }
  const wrong = await anonymous.post('/auth/login', { email, password: 'wrong-Harbor-42-lantern' })
  expect(wrong.body.code).toBe('auth_login_failed')
})

test('an API key of an earlier version, which names no workspace, is found in its cell', async () => {
  const key = withChecksum(`pk_00000000_${'0'.repeat(34)}${String(Date.now()).slice(-6)}`)
  await cells.deps.three.db.run(sql`
    update api_keys set hash = ${createHash('sha256').update(key).digest()}
    where tenant_id = ${workspaces.three.tenantId} and service_account_id = ${(await workspaces.three.key()).id}`)
  expect((await newClient(cells.url, '', '', key).get('/users')).status).toBe(200)
})

test('a new workspace is created in a cell, and found by another process without the directory', async () => {
  const owner = { name: 'Sam', email: `sam${Date.now()}@example.com`, password: 'plum-Harbor-42-lantern' }
  const { status, body } = await anonymous.post('/workspaces', { name: 'Signed up', owner })
  expect(status).toBe(201)
  await cells.deps.one.db.run(sql`delete from directory_workspaces`)
  const other = newClient(await cells.another(), '', '', body.accessToken)
  expect((await other.get('/users')).status).toBe(200)
})

test('the directory is rebuilt from the cells', async () => {
  await cells.deps.one.db.run(sql`delete from directory_workspaces`)
  await cells.deps.one.db.run(sql`insert into directory_workspaces values ('tn_deleted', 'three')`)
  for (const name of cellNames) await rebuildCell(cells.deps.one, cells.deps[name])
  const rows = await cells.deps.one.db.rows<{ id: string; cell: string }>(
    sql`select tenant_id as id, cell from directory_workspaces`,
  )
  for (const name of cellNames) expect(rows).toContainEqual({ id: workspaces[name].tenantId, cell: name })
  expect(rows.map(({ id }) => id)).not.toContain('tn_deleted')
})

test('503 for workspaces of a cell that the process does not serve', async () => {
  const url = await cells.another(['one', 'two'])
  const at = ({ token }: Client) => newClient(url, '', '', token)
  expect((await at(keys.two).get('/users')).status).toBe(200)
  expect(await at(keys.three).get('/users')).toMatchObject({
    status: 503,
    body: { detail: expect.stringContaining('does not serve') },
  })
})

const readReadiness = async () => (await fetch(`${cells.url}/readyz`)).json()

test.each(['two', 'one'] as const)('while cell %s is lost, the others answer without errors', async lost => {
  const inboxId = await connect(keys.three)
  const waiting = await send(keys[lost], await connect(keys[lost]))
  cells.cut(lost)
  const times: number[] = []
  const began = performance.now()
  while (performance.now() - began < 4_000) {
    const at = performance.now()
    expect((await keys.three.get('/users')).status).toBe(200)
    times.push(performance.now() - at)
    await send(keys.three, inboxId)
    const refused = await keys[lost].get('/users')
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await sleep(20)
  }
  // Nothing waits for the lost cell.
  expect(Math.max(...times)).toBeLessThan(within(1_000))
  await waitForStatus(keys.three, await send(keys.three, inboxId), 'delivered')
  expect(await readReadiness()).toMatchObject({
    status: 'ready',
    cells: { [lost]: 'unreachable', three: 'usable' },
  })
  cells.restore(lost)
  await eventually(async () => expect((await keys[lost].get('/users')).status).toBe(200))
  await waitForStatus(keys[lost], waiting, 'delivered')
})
