/**
 * Counts the statements and round trips of requests, and compares them with docs/internals/statements.md. Only the requests
 * are counted: workers, the event log and its consumers do not run.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/project-root.ts'
import { type ApiResponse, type Client, testApi } from '../harness/api.ts'
import { playProviders } from '../harness/sandbox.ts'

const document = path.join(projectRoot, 'docs/internals/statements.md')
const api = await testApi({}, { spread: true })
await playProviders(api)

interface Cost {
  statements: number
  roundTrips: number
}

let counted: Cost = { statements: 0, roundTrips: 0 }
let isSending = false
const { query } = pg.Client.prototype

/** All that is sent in one tick, on any connection, is one round trip. BEGIN, COMMIT and ROLLBACK are not counted as statements. */
function count(statement: unknown): void {
  if (typeof statement !== 'string' || !/^(begin|commit|rollback)$/i.test(statement)) counted.statements++
  if (isSending) return
  isSending = true
  counted.roundTrips++
  setImmediate(() => {
    isSending = false
  })
}

beforeAll(() => {
  pg.Client.prototype.query = function (this: pg.Client, ...args: Parameters<typeof query>) {
    count(args[0])
    return query.apply(this, args)
  } as typeof query
})
afterAll(() => {
  pg.Client.prototype.query = query
})

/** Measures the request three times, after one that fills the caches; timers of the process may add to one of them. */
async function measure(send: (n: number) => Promise<ApiResponse>): Promise<Cost> {
  const costs: Cost[] = []
  for (let n = 0; n < 4; n++) {
    counted = { statements: 0, roundTrips: 0 }
    const { status, body } = await send(n)
    if (n > 0) costs.push(counted)
    expect(status, JSON.stringify(body)).toBeLessThan(300)
  }
  return {
    statements: Math.min(...costs.map(cost => cost.statements)),
    roundTrips: Math.min(...costs.map(cost => cost.roundTrips)),
  }
}

/** An inbox number belongs to one workspace, so each run of the test connects another one. */
let numbers = 100

async function prepare() {
  const { owner } = await api.workspace()
  const create = async (at: string, body: unknown) => {
    const answer = await owner.post(at, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const ids = async (at: string, body: (n: number) => unknown) => {
    const created: string[] = []
    for (let n = 0; n < 4; n++) created.push((await create(at, body(n))).id)
    return created
  }
  const contacts = await ids('/contacts', n => ({ name: `Contact ${n}`, phone: `+1415555020${n}` }))
  const tags = await ids('/tags', n => ({ name: `Tag ${n}` }))
  const labels = await ids('/labels', n => ({ name: `Label ${n}`, color: '#336699' }))
  const { inboxes } = await create('/inboxes', {
    chatapp: { resourceIds: ['5551'], phoneNumberIds: [`5550${++numbers}`] },
  })
  const inboxId: string = inboxes[0].id
  const conversations: string[] = []
  for (let n = 0; n < 4; n++)
    conversations.push((await create('/messages', message(inboxId, `+1415555030${n}`))).conversation.id)
  return { owner, contacts, tags, labels, inboxId, conversations }
}

const text = (body: string) => ({ type: 'text', text: { body } })
const message = (inboxId: string, phoneNumber: string) => ({
  inboxId,
  recipient: { type: 'phone', phoneNumber },
  content: text('Hello'),
})

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Operation of the table → the n-th request of it. */
const requests: Record<string, (prepared: Prepared, owner: Client, n: number) => Promise<ApiResponse>> = {
  'POST /contacts': (_, owner, n) => owner.post('/contacts', { name: `New ${n}`, phone: `+1415555040${n}` }),
  'GET /contacts/{id}': ({ contacts }, owner, n) => owner.get(`/contacts/${contacts[n]}`),
  'GET /contacts': (_, owner) => owner.get('/contacts'),
  'POST /contacts/search': (_, owner) =>
    owner.post('/contacts/search', { filter: { match: 'all', conditions: [] } }),
  'PATCH /contacts/{id}': ({ contacts }, owner, n) =>
    owner.patch(`/contacts/${contacts[n]}`, { name: `Other ${n}` }),
  'POST /contacts/{id}/tags/{tagId}': ({ contacts, tags }, owner, n) =>
    owner.post(`/contacts/${contacts[n]}/tags/${tags[n]}`),
  'POST /tags': (_, owner, n) => owner.post('/tags', { name: `Another ${n}` }),
  'GET /tags': (_, owner) => owner.get('/tags'),
  'POST /segments': (_, owner, n) =>
    owner.post('/segments', { name: `Segment ${n}`, filter: { match: 'all', conditions: [] } }),
  'GET /segments': (_, owner) => owner.get('/segments'),
  'POST /messages, first': ({ inboxId }, owner, n) =>
    owner.post('/messages', message(inboxId, `+1415555050${n}`)),
  'POST /messages, known recipient': ({ inboxId }, owner, n) =>
    owner.post('/messages', message(inboxId, `+1415555030${n}`)),
  'POST /conversations/{id}/messages': ({ conversations }, owner, n) =>
    owner.post(`/conversations/${conversations[n]}/messages`, { content: text('And you?') }),
  'POST /conversations/{id}/notes': ({ conversations }, owner, n) =>
    owner.post(`/conversations/${conversations[n]}/notes`, { text: 'A note' }),
  'GET /conversations': (_, owner) => owner.get('/conversations'),
  'GET /conversations/{id}': ({ conversations }, owner, n) => owner.get(`/conversations/${conversations[n]}`),
  'GET /conversations/{id}/messages': ({ conversations }, owner, n) =>
    owner.get(`/conversations/${conversations[n]}/messages`),
  'GET /conversations/{id}/timeline': ({ conversations }, owner, n) =>
    owner.get(`/conversations/${conversations[n]}/timeline`),
  'PUT /conversations/{id}/owner': ({ conversations }, owner, n) =>
    owner.put(`/conversations/${conversations[n]}/owner`, { type: 'user', id: owner.id }),
  'PUT /conversations/{id}/labels/{labelId}': ({ conversations, labels }, owner, n) =>
    owner.put(`/conversations/${conversations[n]}/labels/${labels[n]}`),
  'POST /conversations/{id}/close': ({ conversations }, owner, n) =>
    owner.post(`/conversations/${conversations[n]}/close`),
  'GET /console/bootstrap': (_, owner) => owner.get('/console/bootstrap'),
}

test('statements and round trips per operation are those of the document', async () => {
  const prepared = await prepare()
  const rows = [...readFileSync(document, 'utf8').matchAll(/^\| (`.*) \| (\d+) \| (\d+) \|$/gm)]
  const listed = rows.map(([, operation, statements, roundTrips]) => ({
    operation: operation!.replaceAll('`', ''),
    statements: Number(statements),
    roundTrips: Number(roundTrips),
  }))
  expect(listed.map(row => row.operation)).toEqual(Object.keys(requests))
  const measured: (Cost & { operation: string })[] = []
  for (const [operation, send] of Object.entries(requests))
    measured.push({ operation, ...(await measure(n => send(prepared, prepared.owner, n))) })
  const toStatements = ({ operation, statements }: (typeof measured)[number]) => `${operation}: ${statements}`
  expect(measured.map(toStatements)).toEqual(listed.map(toStatements))
  // On a busy machine the loop may turn once between statements that are usually sent together.
  const isSlower = ({ roundTrips }: Cost, n: number) => roundTrips > listed[n]!.roundTrips + 1
  expect(measured.filter(isSlower)).toEqual([])
})
