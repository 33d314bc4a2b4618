/**
 * The whole service for one test file: HTTP, workers, the event log and the sandbox, on a database of its own. What a
 * story needs; a test of one domain is quicker with `testApi`.
 */
import { afterAll } from 'vitest'
import { background, crons, jobs, subscriptions } from '../../src/app.ts'
import { startSequencer } from '../../src/platform/events/sequencer.ts'
import { startSubscriptions } from '../../src/platform/events/subscriptions.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { type TestApi, testApi } from './api.ts'
import { playProviders } from './sandbox.ts'

export interface TestService extends TestApi {
  sandbox: Sandbox
}

export async function testService(env: Record<string, string> = {}): Promise<TestService> {
  const api = await testApi(env)
  const { deps, connection } = api
  const sandbox = await playProviders(api)
  const sequencer = startSequencer(deps, { connection })
  const feeds = startSubscriptions(deps, subscriptions, { connection })
  const workers = startWorkers(deps, jobs, { crons })
  const others = background.map(start => start(deps, { connection }))
  afterAll(async () => {
    await Promise.all([workers.stop(30_000), feeds.stop(), ...others.map(other => other.stop(1_000))])
    await sequencer.stop()
  })
  return { ...api, sandbox }
}

/** Asks until the answer is as wanted. */
export async function until<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (wanted(answer)) return answer
    if (Date.now() > end) throw new Error(`still not: ${JSON.stringify(answer)}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
