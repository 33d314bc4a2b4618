import { expect, test } from 'vitest'
import { testApi } from '../../../../test/harness/api.ts'
import { playProviders } from '../../../../test/harness/sandbox.ts'
import { applyStatus } from '../../../conversations/delivery-status.ts'
import { transact } from '../../../platform/db/transact.ts'
import { findRun } from '../../store/runs.ts'
import { type Resume, resumeRun } from '../run/resume.ts'

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

/** A run that waits for word of its message. */
async function waiting() {
  const { owner, tenantId } = await api.workspace()
  await owner.post('/inboxes', { chatapp: { resourceIds: ['w'], phoneNumberIds: [`fate-${inboxes++}`] } })
  const { id } = (await owner.post('/journeys', { name: 'J', definition })).body
  await owner.post(`/journeys/${id}/publish`)
  await owner.post(`/journeys/${id}/activate`)
  const contact = (await owner.post('/contacts', { phone: '+14155550123' })).body
  const run = (await owner.post(`/journeys/${id}/runs`, { contactId: contact.id })).body
  const now = async () => (await findRun(deps.db, tenantId, run.id))!
  const tell = async (reason: Resume['reason'], revision?: number) => {
    const resume = { runId: run.id, revision: revision ?? (await now()).revision, reason }
    await transact(deps.db, tx =>
      resumeRun({ deps, tx, startJourney: async () => ({ refused: 'no' }) }, tenantId, resume),
    )
  }
  if ((await now()).status === 'running') await tell('continue')
  const messageId = (await now()).wait!.delivery!
  const error = { code: 'undeliverable', message: 'no', retryable: false }
  const become = (status: 'sent' | 'delivered' | 'failed') =>
    transact(deps.db, tx =>
      applyStatus(tx, tenantId, messageId, { status, ...(status === 'failed' ? { error } : {}) }),
    )
  return { now, tell, become }
}

const fates = [
  ['delivered', 'good'],
  ['failed', 'bad'],
] as const
const word = (status: 'sent' | 'delivered' | 'failed') => ({ type: 'delivery' as const, status, code: null })

test.each(fates)('a message that is %s while its being sent is told leads to %s', async (status, end) => {
  const { now, tell, become } = await waiting()
  await become(status)
  await tell(word('sent'))
  expect(await now()).toMatchObject({ status: 'completed', nodeId: end })
})

test.each(fates)(
  'word that it is %s, meant for the revision before, leads to %s all the same',
  async (status, end) => {
    const { now, tell, become } = await waiting()
    const { revision } = await now()
    await become('sent')
    await tell(word('sent'))
    expect(await now()).toMatchObject({ status: 'waiting', revision: revision + 1 })
    await become(status)
    await tell(word(status), revision)
    expect(await now()).toMatchObject({ status: 'completed', nodeId: end })
  },
)

test('that it was sent is not told again', async () => {
  const { now, tell, become } = await waiting()
  const { revision } = await now()
  await become('sent')
  await tell(word('sent'))
  const after = await now()
  await tell(word('sent'), revision)
  expect(await now()).toEqual(after)
})
