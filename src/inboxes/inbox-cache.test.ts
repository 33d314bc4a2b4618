import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import { otherDeps } from '../../test/harness/deps.ts'
import { playProviders } from '../../test/harness/sandbox.ts'
import { sql } from '../platform/db/sql.ts'
import { getCachedInbox } from './inboxes.ts'

const api = await testApi()
await playProviders(api)
const { db } = api.deps
const { owner, tenantId } = await api.workspace()

async function connected(number: string): Promise<{ tenantId: string; inboxId: string }> {
  const made = await owner.post('/inboxes', { chatapp: { resourceIds: ['w'], phoneNumberIds: [number] } })
  return { tenantId, inboxId: made.body.inboxes[0].id }
}

test('what this process deletes is gone at once, what another deletes within a second', async () => {
  const asked = await connected('recall-1')
  const other = otherDeps(api.deps, api.connection).db
  for (const on of [db, other]) expect(await getCachedInbox(on, asked)).toMatchObject({ id: asked.inboxId })
  expect((await owner.delete(`/inboxes/${asked.inboxId}`)).status).toBe(204)
  expect(await getCachedInbox(db, asked)).toBeUndefined()
  await sleep(850)
  expect(await getCachedInbox(other, asked)).toBeUndefined()
})

test('another workspace that asks for it gets nothing, and does not keep it from its own', async () => {
  const asked = await connected('recall-2')
  const stranger = { ...asked, tenantId: 'tn_another' }
  const answers = await Promise.all([stranger, asked, stranger, asked].map(one => getCachedInbox(db, one)))
  expect(answers.map(inbox => inbox?.tenantId)).toEqual([undefined, tenantId, undefined, tenantId])
})

test('that there is none is not remembered', async () => {
  const asked = await connected('recall-3')
  const later = { ...asked, inboxId: 'ibx_later' }
  expect(await getCachedInbox(db, later)).toBeUndefined()
  await db.run(sql`update inboxes set id = 'ibx_later' where id = ${asked.inboxId}`)
  expect(await getCachedInbox(db, later)).toMatchObject({ id: 'ibx_later' })
})
