/** Exits are not missed while a run executes a step, waits for its first job, or starts in the same batch of events. */
import { afterAll, expect, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import { jobs, subscriptions } from '../../app.ts'
import { transact } from '../../platform/db/transact.ts'
import { startSequencer } from '../../platform/events/sequencer.ts'
import { startSubscriptions } from '../../platform/events/subscriptions.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { createContact, createJourney, expectStatus, listRuns, waitForRun } from '../testing/fixtures.ts'
import { resumeRun } from './run/resume.ts'

const api = await testApi()
const { deps, connection } = api
const stops: (() => Promise<unknown>)[] = []
afterAll(() => stops.reduceRight((done, stop) => done.then(stop), Promise.resolve() as Promise<unknown>))

const startLog = () => {
  const sequencer = startSequencer(deps, { connection })
  const feeds = startSubscriptions(deps, subscriptions, { connection })
  stops.push(
    () => sequencer.stop(),
    () => feeds.stop(),
  )
}
const startJobs = () => {
  const workers = startWorkers(deps, jobs, { crons: [] })
  stops.push(() => workers.stop(30_000))
}

const createCart = (owner: Client) =>
  createJourney(owner, {
    trigger: { type: 'event', name: 'cart' },
    start: { exitWhen: [{ event: 'paid', goal: 'bought' }] },
    nodes: { nap: ['delay', { for: { days: 2 } }] },
    edges: ['start > nap'],
  })

test('a later event of the same batch, and an event before the first job, end the run', async () => {
  const owner = await (await api.workspace()).key()
  const [batched, manual] = [await createCart(owner), await createCart(owner)]
  const first = await createContact(owner)
  const second = await createContact(owner)
  const send = (name: string, contactId: string) =>
    expectStatus(owner.post('/events', { name, contactId }), 202)
  // `paid` before `cart` does not end the run.
  for (const name of ['paid', 'cart']) await send(name, second.id)
  for (const name of ['cart', 'paid']) await send(name, first.id)
  const third = await createContact(owner)
  await expectStatus(owner.post(`/journeys/${manual}/runs`, { contactId: third.id }), 201)
  await send('paid', third.id)
  startLog()
  await waitForRun(owner, batched, 'waiting', second.id)
  startJobs()
  expect((await waitForRun(owner, batched, 'completed', first.id)).endReason).toBe('goal')
  expect((await waitForRun(owner, manual, 'completed', third.id)).endReason).toBe('goal')
  expect((await listRuns(owner, batched, `?contactId=${second.id}`))[0].status).toBe('waiting')
})

test('an exit that was enqueued for an earlier revision ends the run', async () => {
  const owner = await (await api.workspace()).key()
  const id = await createCart(owner)
  const { id: contactId } = await createContact(owner)
  await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
  const run = await waitForRun(owner, id, 'waiting')
  const event = { name: 'paid', key: null, data: {} }
  await transact(deps.db, tx =>
    resumeRun({ deps, tx, startJourney: async () => ({ refused: 'no' }) }, owner.tenantId, {
      runId: run.id,
      revision: 0,
      reason: { type: 'exit', index: 0, event },
    }),
  )
  expect((await waitForRun(owner, id, 'completed')).endReason).toBe('goal')
})
