/** Tests the metrics of completed work: runs and campaigns. */
import { expect, test } from 'vitest'
import { testService } from '../../test/harness/service.ts'
import { onCounted } from '../platform/counters.ts'
import { createMetrics } from '../platform/metrics.ts'
import {
  connectInbox,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  newPhone,
  receiveMessage,
  text,
  waitForRun,
} from '../workflows/testing/fixtures.ts'
import { addGauges } from './gauges.ts'

const service = await testService()
const metrics = createMetrics()
onCounted(service.deps.db, count => metrics.count('main', count))
addGauges([{ name: 'main', deps: service.deps }], metrics)

/** Returns the lines of a metric as values by their labels. */
async function read(name: string): Promise<Record<string, number>> {
  const lines = (await metrics.text()).matchAll(/^([a-z_]+)\{(.*)\} (\S+)$/gm)
  return Object.fromEntries(
    [...lines].filter(line => line[1] === name).map(line => [line[2]!, Number(line[3])]),
  )
}

/** Returns by how much each value has grown. */
const subtract = (values: Record<string, number>, before: Record<string, number>) =>
  Object.fromEntries(Object.entries(values).map(([labels, value]) => [labels, value - (before[labels] ?? 0)]))

test('parley_runs_total counts runs by kind when they start and when they end, and how', async () => {
  const before = await read('parley_runs_total')
  const owner = await (await service.workspace()).key()
  const setVariable = (expression: string) => ({
    trigger: { type: 'manual' },
    nodes: { set: ['setVariable', { name: 'v', expression }] as [string, Record<string, unknown>] },
    edges: ['start > set'],
  })
  const start = async (journeyId: string) => {
    const { id: contactId } = await createContact(owner)
    await expectStatus(owner.post(`/journeys/${journeyId}/runs`, { contactId }), 201)
  }
  const [good, bad] = [
    await createJourney(owner, setVariable('1 + 1')),
    await createJourney(owner, setVariable('1 / 0')),
  ]
  await start(good)
  await start(good)
  await start(bad)
  await waitForRun(owner, good, 'completed')
  await waitForRun(owner, bad, 'failed')
  const inboxId = await connectInbox(owner, '7801')
  await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: { reply: ['sendMessage', { content: text('Hello') }] },
    edges: ['start > reply'],
  })
  await receiveMessage(owner, inboxId, newPhone(), 'Hi')
  await expect
    .poll(async () => subtract(await read('parley_runs_total'), before))
    .toEqual({
      'kind="journey",status="started"': 3,
      'kind="journey",status="completed"': 2,
      'kind="journey",status="failed"': 1,
      'kind="chatbot",status="started"': 1,
      'kind="chatbot",status="completed"': 1,
    })
})

test('parley_campaigns counts the campaigns that are to be sent, by status', async () => {
  const owner = await (await service.workspace()).key()
  expect(await read('parley_campaigns')).toEqual({})
  const inboxId = await connectInbox(owner, '7802')
  const filter = { match: 'all', conditions: [] }
  const segment = await expectStatus(owner.post('/segments', { name: 'All', filter }), 201)
  const sendAt = new Date(service.deps.clock.now().getTime() + 3_600_000).toISOString()
  const ids: string[] = []
  for (const name of ['Spring', 'Summer']) {
    const { id } = await expectStatus(owner.post('/campaigns', { name }), 201)
    const content = text('Hello')
    await expectStatus(owner.patch(`/campaigns/${id}`, { inboxId, segmentId: segment.id, content }), 200)
    await expectStatus(owner.post(`/campaigns/${id}/schedule`, { sendAt }), 200)
    ids.push(id)
  }
  expect(await read('parley_campaigns')).toEqual({ 'status="scheduled"': 2 })
  await expectStatus(owner.post(`/campaigns/${ids[0]}/unschedule`), 200)
  expect(await read('parley_campaigns')).toEqual({ 'status="scheduled"': 1 })
  await expectStatus(owner.post(`/campaigns/${ids[1]}/unschedule`), 200)
  expect(await read('parley_campaigns')).toEqual({})
})

test('the event-loop lag is measured every 10 ms', async () => {
  // The shortest measured interval is the resolution, on a slow machine after some more scrapes.
  const readResolution = async () =>
    Number(/^nodejs_eventloop_lag_min_seconds (\S+)$/m.exec(await metrics.text())![1])
  await expect.poll(readResolution, { interval: 200 }).toSatisfy((s: number) => s > 0.005 && s < 0.015)
})
