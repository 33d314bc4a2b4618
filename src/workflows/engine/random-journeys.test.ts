/**
 * Random journeys: each ends or waits, and takes the path that its simulation has shown. FULL=1 runs the large form: as
 * many as fit in ten minutes, at most 100; RANDOM_SEED repeats a failed one.
 */
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { timerSet } from '../events.ts'
import { connectInbox, createContact, expectStatus, type Run } from '../testing/fixtures.ts'
import { validDefinition } from '../testing/random-definitions.ts'

const full = process.env.FULL === '1'
vi.setConfig({ testTimeout: full ? 720_000 : 90_000 })

const service = await testService()
let owner: Client

beforeAll(async () => {
  owner = await (await service.workspace()).key()
  await connectInbox(owner, '7401')
})

/** Maximum number of outputs to compare; longer loops are not followed. */
const maxOutputs = 15
const getOutputs = (path: Run[]): string[] =>
  path.flatMap(line => (line.output === null ? [] : [`${line.nodeId}:${line.output}`])).slice(0, maxOutputs)

/** Advances the clock until the run has ended or has taken enough steps. */
async function follow(id: string): Promise<Run> {
  for (;;) {
    const run = await until(
      async () => (await expectStatus(owner.get(`/runs/${id}`), 200)) as Run,
      now => now.status !== 'running' && (now.status !== 'waiting' || now.waitingFor !== null),
    )
    if (run.status !== 'waiting' || getOutputs(run.path).length >= maxOutputs) return run
    const length = run.path.length
    const wakes = run.waitingFor.until
    // A delivery status arrives without moving the clock, which would cause a timeout.
    if (wakes && !run.waitingFor.delivery) {
      const away = Date.parse(wakes) - service.deps.clock.now().getTime()
      if (away > 0) service.deps.clock.advance(away)
      // A sleeping timer loop does not notice that the test clock jumps.
      service.deps.db.signals.emit(timerSet, wakes)
    }
    await until(
      async () => (await expectStatus(owner.get(`/runs/${id}`), 200)) as Run,
      now => now.status !== 'waiting' || now.path.length > length,
    )
  }
}

let lived = 0

/** Reports progress in the large form. */
function report(steps: number, status: string): void {
  lived++
  if (full) process.stderr.write(`journey ${lived}: ${steps} steps, ${status}\n`)
}

test('a random journey ends or waits, on the same path as its simulation', async () => {
  await fc.assert(
    fc.asyncProperty(validDefinition({ maxNodes: 10 }), async definition => {
      const { id } = await expectStatus(
        owner.post('/journeys', { name: 'Random', definition, entryMode: 'every_time' }),
        201,
      )
      await expectStatus(owner.post(`/journeys/${id}/publish`), 200)
      await expectStatus(owner.post(`/journeys/${id}/activate`), 200)
      const { id: contactId } = await createContact(owner)
      const played = await expectStatus(
        owner.post(`/journeys/${id}/simulate`, { contactId, version: 'published', window: 'open' }),
        200,
      )
      const run = await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
      const real = await follow(run.id)
      report(real.path.length, real.status)
      expect(['completed', 'waiting']).toContain(real.status)
      expect(getOutputs(real.path)).toEqual(getOutputs(played.path))
      if (real.status === 'completed')
        expect(played).toMatchObject({ status: 'completed', endReason: real.endReason })
      await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
    }),
    {
      numRuns: full ? 100 : 2,
      endOnFailure: true,
      interruptAfterTimeLimit: full ? 600_000 : 60_000,
      ...(process.env.RANDOM_SEED ? { seed: Number(process.env.RANDOM_SEED) } : {}),
    },
  )
})
