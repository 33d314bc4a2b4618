/**
 * Random journeys: each ends or waits, and goes the way that playing it through has shown. FULL=1 is the large form: as
 * many as ten minutes hold, 100 at most; RANDOM_SEED takes up one that failed.
 */
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { timerSet } from '../events.ts'
import { connectInbox, createContact, must, type Run } from '../testing/fixtures.ts'
import { validDefinition } from '../testing/random-definitions.ts'

const full = process.env.FULL === '1'
vi.setConfig({ testTimeout: full ? 720_000 : 90_000 })

const service = await testService()
let owner: Client

beforeAll(async () => {
  owner = await (await service.workspace()).key()
  await connectInbox(owner, '7401')
})

/** Nodes and the outputs they were left by; further than this a loop is not followed. */
const most = 15
const wayOf = (path: Run[]): string[] =>
  path.flatMap(line => (line.output === null ? [] : [`${line.nodeId}:${line.output}`])).slice(0, most)

/** Lets time pass until the run has ended, or gone far enough. */
async function follow(id: string): Promise<Run> {
  for (;;) {
    const run = await until(
      async () => (await must(owner.get(`/runs/${id}`), 200)) as Run,
      now => now.status !== 'running' && (now.status !== 'waiting' || now.waitingFor !== null),
    )
    if (run.status !== 'waiting' || wayOf(run.path).length >= most) return run
    const turn = run.path.length
    const wakes = run.waitingFor.until
    // Word of a message comes by itself; the clock would only hurry it past its time.
    if (wakes && !run.waitingFor.delivery) {
      const away = Date.parse(wakes) - service.deps.clock.now().getTime()
      if (away > 0) service.deps.clock.advance(away)
      // The clock of a test jumps, which a timer that sleeps does not notice.
      service.deps.db.signals.emit(timerSet, wakes)
    }
    await until(
      async () => (await must(owner.get(`/runs/${id}`), 200)) as Run,
      now => now.status !== 'waiting' || now.path.length > turn,
    )
  }
}

let lived = 0

/** In the large form, so that whoever waits sees that it goes on. */
function tell(steps: number, status: string): void {
  lived++
  if (full) process.stderr.write(`journey ${lived}: ${steps} steps, ${status}\n`)
}

test('what is drawn at random ends or waits, and is played through as it is lived', async () => {
  await fc.assert(
    fc.asyncProperty(validDefinition({ most: 10 }), async definition => {
      const { id } = await must(
        owner.post('/journeys', { name: 'Random', definition, entryMode: 'every_time' }),
        201,
      )
      await must(owner.post(`/journeys/${id}/publish`), 200)
      await must(owner.post(`/journeys/${id}/activate`), 200)
      const { id: contactId } = await createContact(owner)
      const played = await must(
        owner.post(`/journeys/${id}/simulate`, { contactId, version: 'published' }),
        200,
      )
      const run = await must(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
      const real = await follow(run.id)
      tell(real.path.length, real.status)
      expect(['completed', 'waiting']).toContain(real.status)
      expect(wayOf(real.path)).toEqual(wayOf(played.path))
      if (real.status === 'completed')
        expect(played).toMatchObject({ status: 'completed', endReason: real.endReason })
      await must(owner.post(`/journeys/${id}/pause`), 200)
    }),
    {
      numRuns: full ? 100 : 2,
      endOnFailure: true,
      interruptAfterTimeLimit: full ? 600_000 : 60_000,
      ...(process.env.RANDOM_SEED ? { seed: Number(process.env.RANDOM_SEED) } : {}),
    },
  )
})
