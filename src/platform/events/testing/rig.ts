/** Setup that the tests of the log share: sample events, and the log read with SQL. */
import { pino } from 'pino'
import { expect } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/harness/database.ts'
import { eventually } from '../../../../test/harness/wait.ts'
import { type Bus, inProcessBus } from '../../bus/bus.ts'
import { sql } from '../../db/sql.ts'
import { transact } from '../../db/transact.ts'
import type { Deps } from '../../deps.ts'
import { emitMany, event, pendingEvent } from '../event.ts'
import { type SequencerOptions, startSequencer } from '../sequencer.ts'

export const thingChanged = event<{ n: number; row?: number }>({ type: 'thing.changed', isPublic: true })
export const thingHidden = event<{ n: number }>({ type: 'thing.hidden' })
export const silent = pino({ level: 'silent' })

export async function eventRig() {
  const database: TestDatabase = await testDatabase()
  const { db, clock, connection } = database
  const bus: Bus = inProcessBus(error => {
    throw error
  })
  const deps = { db, clock, log: silent, bus } as unknown as Deps & { bus: Bus }
  const emitAll = (tenantId: string, ...numbers: number[]) =>
    transact(db, tx =>
      emitMany(
        tx,
        numbers.map(n => pendingEvent(thingChanged, { tenantId, data: { n } })),
      ),
    )
  const outboxIsEmpty = () =>
    eventually(async () => expect(await db.rows(sql`select id from outbox`)).toEqual([]))
  const sequencer = (options: Partial<SequencerOptions> = {}) =>
    startSequencer(deps, { connection, ...options })
  return { ...database, bus, deps, emitAll, outboxIsEmpty, sequencer }
}

export { eventually }
