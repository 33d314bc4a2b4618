/** Slow searches of one workspace delay neither its own writes nor anything of another workspace. */
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import { eventually } from '../../test/harness/wait.ts'
import { sql } from '../platform/db/sql.ts'

const api = await testApi()

/** Blocks every statement that reads the table, as if it took long. */
async function blockReads(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client(api.connection)
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  onTestFinished(() => client.end())
  return async () => {
    await client.query('rollback')
  }
}

const countWaiting = async () =>
  (
    await api.deps.db.one<{ n: number }>(
      sql`select count(*) as n from pg_locks where relation = 'contact_chats'::regclass and not granted`,
    )
  ).n

test('100 slow searches of a workspace run two at a time; all other requests are answered meanwhile', async () => {
  const [slow, other] = [(await api.workspace()).owner, (await api.workspace()).owner]
  for (const { post } of [slow, other]) await post('/contacts', { name: 'Ada', phone: '+14155550142' })
  const release = await blockReads('contact_chats')
  let ended = 0
  const chatted = {
    match: 'all',
    conditions: [{ type: 'chatCount', operator: 'lte', value: 3, windowDays: 7 }],
  }
  const searches = Array.from({ length: 100 }, (_, n) =>
    slow
      .post(n % 2 === 0 ? '/contacts/search' : '/contacts/search/count', { filter: chatted })
      .finally(() => ended++),
  )
  await eventually(async () => expect(await countWaiting()).toBe(2))
  const byText = { match: 'all', conditions: [{ type: 'searchText', text: 'Ada' }] }
  for (let n = 0; n < 20; n++) {
    const answers = await Promise.all([
      other.post('/contacts', { name: `Bob ${n}` }),
      other.post('/contacts/search', { filter: byText }),
      other.get('/contacts?search=ada'),
      other.get('/conversations?search=ada'),
      other.get('/contacts/export'),
      slow.post('/contacts', { name: `Bob ${n}` }),
      slow.get('/contacts/count'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 201, 200])
  }
  expect([ended, await countWaiting()]).toEqual([0, 2])
  await release()
  for (const { status, body } of await Promise.all(searches)) expect(status, JSON.stringify(body)).toBe(200)
})
