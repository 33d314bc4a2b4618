import { expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { applyStatus } from '../../conversations/statuses.ts'
import { transact } from '../../platform/db/transact.ts'
import { findRun } from '../store/runs.ts'
import { type WakeUp, wake } from './waking.ts'

const api = await testApi()
await playProviders(api)
const { deps } = api
const text = (body: string) => ({ type: 'text', text: { body } })

test.each([
  ['delivered', 'good'],
  ['failed', 'bad'],
] as const)('a message that is %s while its being sent is told leads to %s', async (status, end) => {
  const { owner, tenantId } = await api.workspace()
  await owner.post('/inboxes', { chatapp: { resourceIds: ['w'], phoneNumberIds: [`fate-${status}`] } })
  const node = (id: string, type: string, data: object) => ({ id, type, data })
  const definition = {
    nodes: [
      node('start', 'start', { triggerConfig: { type: 'manual' }, entryMode: 'every_time' }),
      node('send', 'sendMessage', { content: text('Hello') }),
      node('good', 'end', {}),
      node('bad', 'end', {}),
    ],
    edges: [
      { id: '1', source: 'start', target: 'send' },
      { id: '2', source: 'send', target: 'good' },
      { id: '3', source: 'send', target: 'bad', sourceHandle: 'failed' },
    ],
  }
  const { id } = (await owner.post('/journeys', { name: 'J', definition })).body
  await owner.post(`/journeys/${id}/publish`)
  await owner.post(`/journeys/${id}/activate`)
  const contact = (await owner.post('/contacts', { phone: '+14155550123' })).body
  const run = (await owner.post(`/journeys/${id}/runs`, { contactId: contact.id })).body
  const now = async () => (await findRun(deps.db, tenantId, run.id))!
  const told = async (why: WakeUp['why']) => {
    const { turn } = await now()
    await transact(deps.db, tx =>
      wake({ deps, tx, call: async () => ({ refused: 'no' }) }, tenantId, { runId: run.id, turn, why }),
    )
  }
  if ((await now()).status === 'running') await told('go')
  const messageId = (await now()).wait!.delivery!
  const error = { code: 'undeliverable', message: 'no', retryable: false }
  await transact(deps.db, tx =>
    applyStatus(tx, tenantId, messageId, { status, ...(status === 'failed' ? { error } : {}) }),
  )
  await told({ type: 'delivery', status: 'sent', code: null })
  expect(await now()).toMatchObject({ status: 'completed', nodeId: end })
})
