/**
 * Starts the whole service for one test file: HTTP, workers, event log and sandbox on its own database. A test of one
 * domain is faster with `testApi`.
 */
import { afterAll } from 'vitest'
import { background, crons, jobs, subscriptions } from '../../src/app.ts'
import { startSequencer } from '../../src/platform/events/sequencer.ts'
import { startSubscriptions } from '../../src/platform/events/subscriptions.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { type ApiOptions, type TestApi, testApi } from './api.ts'
import { playProviders } from './sandbox.ts'

export interface TestService extends TestApi {
  sandbox: Sandbox
}

export async function testService(
  env: Record<string, string> = {},
  options: ApiOptions = {},
): Promise<TestService> {
  const api = await testApi(env, options)
  const sandbox = await playProviders(api)
  for (const cell of options.spread ? api.cells : [api]) afterAll(startBackground(cell))
  return { ...api, sandbox }
}

/**
 * Starts workers, event log and subscriptions: without them, an API is a process that dies after each commit. Returns a
 * function that stops them.
 */
export function startBackground({
  deps,
  connection,
}: Pick<TestApi, 'deps' | 'connection'>): () => Promise<void> {
  const sequencer = startSequencer(deps, { connection, subscriptions })
  const feeds = startSubscriptions(deps, subscriptions, { connection })
  const workers = startWorkers(deps, jobs, { crons })
  const others = background.map(start => start(deps, { connection }))
  return async () => {
    await Promise.all([workers.stop(30_000), feeds.stop(), ...others.map(other => other.stop(1_000))])
    await sequencer.stop()
  }
}

/** Polls until the value satisfies the condition; returns the value. */
export async function until<T>(
  load: () => Promise<T>,
  isDone: (value: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const value = await load()
    if (isDone(value)) return value
    if (Date.now() > deadline) throw new Error(`condition not met in time: ${JSON.stringify(value)}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
