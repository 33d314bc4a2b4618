import { expect, test } from 'vitest'
import type { Client } from '../../test/harness/api.ts'
import { onCounted } from '../platform/counters.ts'
import { createMetrics } from '../platform/metrics.ts'
import { eventually, startHarness } from './testing/harness.ts'

const harness = await startHarness()
const metrics = createMetrics()
onCounted(harness.api.deps.db, count => metrics.count('main', count))
/** Of all runs of the test: failed deliveries of the first may still be tried again during the second. */
const clients: Client[] = []

test('parley_webhook_attempts_total counts the logged attempts by outcome', async () => {
  const { tenantId, client } = await harness.createWorkspace((response, { event }) =>
    response.writeHead(event.type === 'contact.created' ? 400 : 200).end(),
  )
  clients.push(client)
  await harness.emit(tenantId, 5, 'message.created')
  await harness.emit(tenantId, 2, 'contact.created')
  await eventually(async () => {
    const logged = (await Promise.all(clients.map(each => harness.attempts(each)))).flat()
    const count = (status: string) => logged.filter(attempt => attempt.status === status).length
    const [succeeded, failed] = [count('succeeded'), count('failed')]
    // A failed delivery may have been tried again meanwhile.
    expect([succeeded, failed >= 2 * clients.length]).toEqual([5 * clients.length, true])
    const text = await metrics.text()
    expect(text).toContain(`parley_webhook_attempts_total{outcome="succeeded"} ${succeeded}\n`)
    expect(text).toContain(`parley_webhook_attempts_total{outcome="failed"} ${failed}\n`)
  })
})
