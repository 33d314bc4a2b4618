/**
 * Runs an import in the background: prepare-import → read-rows → parse-row → write-batch. A batch of rows and the
 * progress of the import are written in one transaction, so that a killed worker leaves nothing half written and the
 * next attempt resumes behind the last written row. The next batch is read while one is written.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { job, LeaseLost, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { eventLoop } from '../../platform/limits/event-loop.ts'
import { yieldEvery } from '../../platform/yield.ts'
import { type ImportState, startAttempt } from '../store/imports.ts'
import { parseRow } from './parse-row.ts'
import { completeImport, failImport, ImportAborted, type ImportRun, prepareImport } from './prepare-import.ts'
import {
  type Batch,
  batchReader,
  emptyBatch,
  isEmpty,
  isFull,
  readRows,
  type SeenPhones,
  seenPhones,
} from './read-rows.ts'
import { writeBatch } from './write-batch.ts'

/** Attempts without progress: a file that crashes workers must not be retried forever. */
const maxAttempts = 10

/** Imports per process: each holds the phone numbers of its file in memory. */
const maxConcurrentImports = 2

const run = limitConcurrency(runImport)

export const importContacts = job<{ importId: string }>({
  name: 'contacts.import',
  priority: 'bulk',
  // The import itself counts the attempts since its last progress.
  retry: { maxAttempts: 1_000_000, initialDelayMs: 1_000, maxDelayMs: 60_000 },
  handle: (deps, { importId }, work) => run(deps, importId, work),
})

async function runImport(deps: Deps, importId: string, work: Work): Promise<void> {
  const { tenantId } = work
  const state = await startAttempt(deps.db, tenantId, importId)
  if (!state) return
  if (state.status === 'processing') {
    const reason =
      state.attempts > maxAttempts
        ? 'the import failed too often at the same place'
        : await attemptImport(deps, state, work)
    if (reason)
      await transact(deps.db, tx =>
        failImport(tx, tenantId, importId, [{ row: 0, column: '', message: reason }]),
      )
  }
  await deps.blobs.delete(state.blob)
}

/** Returns the reason if the import cannot continue. */
async function attemptImport(deps: Deps, state: ImportState, work: Work): Promise<string | undefined> {
  try {
    const prepared = state.format
      ? { format: state.format, rows: state.totalRows }
      : await prepareImport(deps, work.tenantId, state)
    if (!prepared) return undefined
    const { format, rows: totalRows } = prepared
    const position = state.format ? state.position : format.start
    await importRows({ deps, work, state: { ...state, position }, format, totalRows })
  } catch (error) {
    if (error instanceof ImportAborted) return error.message
    throw error
  }
}

async function importRows(run: ImportRun): Promise<void> {
  const { deps, work, state, format } = run
  const addToBatch = batchReader(format, await loadSeenPhones(run), state.dryRun)
  const maybeYield = yieldEvery()
  let batch = emptyBatch(state.position)
  let writing: Promise<void> = Promise.resolve()
  const flush = async () => {
    await writing
    if (!work.holdsLease()) throw new LeaseLost(work.id)
    writing = writeWithPause(run, batch)
    writing.catch(() => {}) // reported by the next await
    batch = emptyBatch(batch.end)
  }
  const row = state.successCount + state.failedCount + 1
  const range = { from: state.position, to: state.size, row }
  for await (const rows of readRows(deps.blobs, state.blob, format, range)) {
    for (const { row, record } of rows) {
      addToBatch(batch, row, record)
      if (isFull(batch)) await flush()
      await maybeYield()
    }
  }
  if (!isEmpty(batch)) await flush()
  await writing
  await transact(deps.db, tx => completeImport(tx, work.tenantId, state, 'completed'))
}

/** On a busy machine an import pauses after each batch for as long as the batch took: others need the database, too. */
async function writeWithPause(run: ImportRun, batch: Batch): Promise<void> {
  const startedAt = performance.now()
  await writeBatch(run, batch)
  if (eventLoop(run.deps).isLate()) await sleep(performance.now() - startedAt)
}

/** Reads the written rows again after a crash, to find the row in which each phone number occurred first. */
async function loadSeenPhones({ deps, state, format, totalRows }: ImportRun): Promise<SeenPhones> {
  const seen = seenPhones(totalRows)
  const maybeYield = yieldEvery()
  const range = { from: format.start, to: state.position, row: 1 }
  for await (const rows of readRows(deps.blobs, state.blob, format, range)) {
    for (const { row, record } of rows) {
      const values = parseRow(record, row, format)
      if (!Array.isArray(values) && values.phone !== undefined) seen.add(values.phone, row)
      await maybeYield()
    }
  }
  return seen
}

function limitConcurrency(run: typeof runImport): typeof runImport {
  let running = 0
  return async (deps, importId, work) => {
    if (running >= maxConcurrentImports) throw new RetryLater(1_000, 'other imports are running')
    running++
    try {
      await run(deps, importId, work)
    } finally {
      running--
    }
  }
}
