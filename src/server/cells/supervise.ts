/**
 * Prepares a cell, and watches whether it is reachable. A cell that is down delays no other one: requests of its
 * workspaces are refused immediately, and it is prepared, including migrations, when it is back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sealed } from '../../app.ts'
import { ConfigError } from '../../platform/config.ts'
import type { DatabaseClock } from '../../platform/db/clock.ts'
import { MigrationError, migrate } from '../../platform/db/migrate.ts'
import { assertDecryptable } from '../../platform/encryption/sealed-columns.ts'
import { assertSupported } from '../database/check-postgres.ts'
import { isWritable } from '../store.ts'
import type { Cell } from './cell.ts'
import { NoAnswer, withTimeout } from './search.ts'

const checkIntervalMs = 1_000
/** Long, because a busy cell is not down. A server that refuses connections is noticed at the next check. */
const answerTimeoutMs = 5_000
/** After a stall of this process the first check is late although the cell has answered. */
const unansweredChecks = 2
const retryDelayMs = 1_000

export interface Supervision {
  /** Resolves when the cell is prepared or its first attempt has failed. Throws if it can never work. */
  attempted: Promise<void>
  stop(): void
}

/** `onReady` runs once, when the cell is prepared. */
export function superviseCell(cell: Cell, onReady: () => Promise<void>): Supervision {
  const { log } = cell.deps
  const stopped = new AbortController()
  const { signal } = stopped
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false })
  let stopClock = () => {}

  async function attempt(): Promise<boolean> {
    try {
      stopClock = await prepareCell(cell)
    } catch (error) {
      if (isPermanent(error)) throw error
      log.warn({ err: error, cell: cell.name }, 'cell not reachable; its workspaces are not served')
      return false
    }
    if (signal.aborted) stopClock()
    else cell.isUsable = true
    return true
  }

  async function retry(): Promise<void> {
    for (;;) {
      await wait(retryDelayMs)
      if (await attempt().catch(error => logAndWait(error))) return
    }
  }

  async function logAndWait(error: unknown): Promise<boolean> {
    log.error({ err: error, cell: cell.name }, 'the cell cannot be used')
    await wait(10_000)
    return false
  }

  async function start(firstAttempt: boolean): Promise<void> {
    if (!firstAttempt) await retry()
    log.info({ cell: cell.name }, 'cell ready')
    await onReady()
    const check = createCheck(cell)
    for (;;) {
      await wait(checkIntervalMs)
      await check()
    }
  }

  const first = attempt()
  first
    .then(isPrepared => start(isPrepared))
    .catch(error => {
      if (!signal.aborted) log.error({ err: error, cell: cell.name }, 'the cell is no longer watched')
    })
  return {
    attempted: first.then(() => {}),
    stop: () => {
      stopped.abort()
      stopClock()
    },
  }
}

const isPermanent = (error: unknown) => error instanceof ConfigError || error instanceof MigrationError

/** Checks and migrates the database, and starts its clock. Returns a function that stops the clock. */
export async function prepareCell({ name, database, deps }: Cell): Promise<() => void> {
  const { db, keys, clock, log } = deps
  await assertSupported(database.direct, `of the cell ${name}`)
  const migrations = await migrate(database.direct)
  if (migrations.length > 0) log.info({ cell: name, migrations }, 'migrated')
  await assertDecryptable(db, keys, sealed)
  return (clock as DatabaseClock).sync(db, log)
}

function createCheck(cell: Cell): () => Promise<void> {
  const { db, log } = cell.deps
  let unanswered = 0
  return async () => {
    const failure = await withTimeout(isWritable(db), answerTimeoutMs).then(
      writable => (writable ? undefined : new Error('the database is read-only')),
      (error: Error) => error,
    )
    unanswered = failure instanceof NoAnswer ? unanswered + 1 : 0
    if (unanswered > 0 && unanswered < unansweredChecks) return
    if (failure) db.recycle()
    const isUsable = failure === undefined
    if (isUsable === cell.isUsable) return
    cell.isUsable = isUsable
    if (isUsable) log.info({ cell: cell.name }, 'cell reachable again')
    else log.warn({ cell: cell.name, err: failure }, 'cell not reachable; its workspaces are not served')
  }
}
