import { expect, test } from 'vitest'
import { testApi } from '../../../../test/harness/api.ts'
import { playProviders } from '../../../../test/harness/sandbox.ts'
import { applyStatus } from '../../../conversations/messages/delivery-status.ts'
import { transact } from '../../../platform/db/transact.ts'
import { findRun } from '../../store/runs/runs.ts'
import { resumeRun } from '../run/resume.ts'
import type { Resume } from '../run/run.ts'

const api = await testApi()
await playProviders(api)
const { deps } = api
const text = (body: string) => ({ type: 'text', text: { body } })

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
let inboxes = 0

/** Creates a run that waits for the delivery status of its message. */
async function waiting() {
  const { owner, tenantId } = await api.workspace()
  await owner.post('/inboxes', { chatapp: { resourceIds: ['w'], phoneNumberIds: [`phone-${inboxes++}`] } })
  const { id } = (await owner.post('/journeys', { name: 'J', definition })).body
  await owner.post(`/journeys/${id}/publish`)
  await owner.post(`/journeys/${id}/activate`)
  const contact = (await owner.post('/contacts', { phone: '+14155550123' })).body
  const run = (await owner.post(`/journeys/${id}/runs`, { contactId: contact.id })).body
  const now = async () => (await findRun(deps.db, tenantId, run.id))!
  const report = async (reason: Resume['reason'], revision?: number) => {
    const resume = { runId: run.id, revision: revision ?? (await now()).revision, reason }
    await transact(deps.db, tx =>
      resumeRun({ deps, tx, startJourney: async () => ({ refused: 'no' }) }, tenantId, resume),
    )
  }
  if ((await now()).status === 'running') await report('continue')
  const messageId = (await now()).wait!.delivery!
  const error = { code: 'undeliverable', message: 'no', retryable: false }
  const setStatus = (status: 'sent' | 'delivered' | 'failed') =>
    transact(deps.db, tx =>
      applyStatus(tx, tenantId, messageId, { status, ...(status === 'failed' ? { error } : {}) }),
    )
  return { now, report, setStatus }
}

const outcomes = [
  ['delivered', 'good'],
  ['failed', 'bad'],
] as const
const delivery = (status: 'sent' | 'delivered' | 'failed') => ({
  type: 'delivery' as const,
  status,
  code: null,
})

test.each(outcomes)('a message that is %s while the run handles sent leads to %s', async (status, end) => {
  const { now, report, setStatus } = await waiting()
  await setStatus(status)
  await report(delivery('sent'))
  expect(await now()).toMatchObject({ status: 'completed', nodeId: end })
})

test.each(outcomes)('status %s reported for the previous revision leads to %s', async (status, end) => {
  const { now, report, setStatus } = await waiting()
  const { revision } = await now()
  await setStatus('sent')
  await report(delivery('sent'))
  expect(await now()).toMatchObject({ status: 'waiting', revision: revision + 1 })
  await setStatus(status)
  await report(delivery(status), revision)
  expect(await now()).toMatchObject({ status: 'completed', nodeId: end })
})

test('status sent is not handled twice', async () => {
  const { now, report, setStatus } = await waiting()
  const { revision } = await now()
  await setStatus('sent')
  await report(delivery('sent'))
  const after = await now()
  await report(delivery('sent'), revision)
  expect(await now()).toEqual(after)
})
