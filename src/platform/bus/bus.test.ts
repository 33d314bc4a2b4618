import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/harness/database.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { inProcessBus } from './bus.ts'
import { payloadAssembler, postgresBus, toPayloads } from './postgres.ts'
import { busContract } from './testing/describe-bus.ts'

const { connection } = await testDatabase()

busContract('the bus within a process', async onError => {
  const bus = inProcessBus(onError)
  return { a: bus, b: bus }
})

let channels = 0
busContract('the bus over PostgreSQL', async onError => {
  const channel = `Test ${++channels}`
  const report = (error: unknown) => {
    if (!/terminating connection|Connection terminated/.test(String(error))) onError(error)
  }
  const [a, b] = await Promise.all(
    [1, 2].map(() => postgresBus(connection, { channel, onError: report, heartbeatMs: 200 })),
  )
  return { a: a!, b: b!, interrupt: () => terminateListeners(channel) }
})

async function terminateListeners(channel: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and (query like $1 or query like '%pg_notify%')`,
    [`listen "${channel}"%`],
  )
  await client.end()
}

test('the others are notified when a sender was cut off', async () => {
  const [a, b] = await Promise.all([1, 2].map(() => postgresBus(connection, { channel: 'cut' })))
  const missed = vi.fn()
  b!.subscribe('tea', () => {}, missed)
  a!.publish('tea', {})
  await terminateListeners('no such channel, so only the one that notified')
  await eventually(() => expect(missed).toHaveBeenCalled())
  await Promise.all([a!.close(), b!.close()])
})

test('a server that cannot be reached is an error at the start', async () => {
  await expect(postgresBus({ host: '127.0.0.1', port: 1 })).rejects.toThrow(/ECONNREFUSED/)
})

test('a batch whose beginning was missed is left out', () => {
  const payloads = toPayloads('a', [['tea', { text: 'x'.repeat(20_000) }]])
  const others = payloadAssembler('b')
  expect(payloads.length).toBe(3)
  expect(payloads.every(payload => Buffer.byteLength(payload) < 8_000)).toBe(true)
  expect(payloads.slice(1).map(payload => others.add(payload))).toEqual([undefined, undefined])
  expect(payloads.map(payload => others.add(payload)).at(-1)?.[0]?.[0]).toBe('tea')
})
