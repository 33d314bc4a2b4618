import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import { otherDeps } from '../../test/harness/other-process.ts'
import { playProviders } from '../../test/harness/sandbox.ts'
import { sql } from '../platform/db/sql.ts'
import { getCachedInbox } from './inboxes.ts'

const api = await testApi()
await playProviders(api)
const { deps } = api
const { owner, tenantId } = await api.workspace()

let numbers = 0
async function connected(): Promise<{ tenantId: string; inboxId: string }> {
  const number = `recall-${++numbers}`
  const made = await owner.post('/inboxes', { chatapp: { resourceIds: ['w'], phoneNumberIds: [number] } })
  return { tenantId, inboxId: made.body.inboxes[0].id }
}

test('a deletion is visible immediately in this process and within a second in others', async () => {
  const key = await connected()
  const other = otherDeps(deps, api.connection)
  for (const process of [deps, other])
    expect(await getCachedInbox(process, key)).toMatchObject({ id: key.inboxId })
  expect((await owner.delete(`/inboxes/${key.inboxId}`)).status).toBe(204)
  expect(await getCachedInbox(deps, key)).toBeUndefined()
  await sleep(850)
  expect(await getCachedInbox(other, key)).toBeUndefined()
})

test('another workspace does not get the inbox and does not evict it', async () => {
  const key = await connected()
  const stranger = { ...key, tenantId: 'tn_another' }
  const answers = await Promise.all([stranger, key, stranger, key].map(one => getCachedInbox(deps, one)))
  expect(answers.map(inbox => inbox?.tenantId)).toEqual([undefined, tenantId, undefined, tenantId])
})

test('a missing inbox is not cached', async () => {
  const key = await connected()
  const later = { ...key, inboxId: `${key.inboxId}later` }
  expect(await getCachedInbox(deps, later)).toBeUndefined()
  await deps.db.run(sql`update inboxes set id = ${later.inboxId} where id = ${key.inboxId}`)
  expect(await getCachedInbox(deps, later)).toMatchObject({ id: later.inboxId })
})
