/**
 * Imports a file in the background. Each batch of rows is one transaction, together with how far the file is read and
 * the counts: so a worker that dies leaves nothing half done, and the next goes on behind the last row that landed.
 * While the database is at one batch, the next is read.
 */
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { LeaseLost, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { yieldEvery } from '../../platform/yield.ts'
import {
  endImport,
  type ImportState,
  insertErrors,
  lockImport,
  saveProgress,
  startAttempt,
} from '../store/imports.ts'
import { type Batch, batchReader, emptyBatch, isEmpty, isFull } from './batches.ts'
import { failImport } from './end.ts'
import type { FileFormat } from './layout.ts'
import { parseRow } from './parse-row.ts'
import { prepareImport } from './prepare-import.ts'
import { readRows } from './read-rows.ts'
import { type SeenPhones, seenPhones } from './seen-phones.ts'
import { ImportAborted, loadImporter } from './standing.ts'
import { lockFields, writeRows } from './write-batch.ts'

interface ImportRun {
  deps: Deps
  work: Work
  state: ImportState
  format: FileFormat
  totalRows: number
}

/** Attempts at the same place; a file on which workers die must not be tried for ever. */
const maxAttempts = 10

export async function runImport(deps: Deps, importId: string, work: Work): Promise<void> {
  const { tenantId } = work
  const state = await startAttempt(deps.db, tenantId, importId)
  if (!state) return
  if (state.status === 'processing') {
    const reason =
      state.stuck > maxAttempts
        ? 'the import failed too often at the same place'
        : await attemptImport(deps, state, work)
    if (reason)
      await transact(deps.db, tx =>
        failImport(tx, tenantId, importId, [{ row: 0, column: '', message: reason }]),
      )
  }
  await deps.blobs.delete(state.blob)
}

/** Gives the reason why it cannot go on, if there is one. */
async function attemptImport(deps: Deps, state: ImportState, work: Work): Promise<string | undefined> {
  try {
    const found = state.layout
      ? { layout: state.layout, rows: state.totalRows }
      : await prepareImport(deps, work.tenantId, state)
    if (!found) return undefined
    const position = state.layout ? state.position : found.layout.start
    await importRows({
      deps,
      work,
      state: { ...state, position },
      format: found.layout,
      totalRows: found.rows,
    })
  } catch (error) {
    if (error instanceof ImportAborted) return error.message
    throw error
  }
}

async function importRows(running: ImportRun): Promise<void> {
  const { deps, work, state, format: layout } = running
  const firsts = await loadSeenPhones(running)
  const read = batchReader(layout, firsts, state.dryRun)
  const breathe = yieldEvery()
  const row = state.successCount + state.failedCount + 1
  let batch = emptyBatch(state.position)
  let writing: Promise<void> = Promise.resolve()
  const flush = async () => {
    await writing
    if (!work.holdsLease()) throw new LeaseLost(work.id)
    writing = writeBatch(running, batch)
    writing.catch(() => {}) // told by the next await
    batch = emptyBatch(batch.end)
  }
  const stretch = { from: state.position, to: state.size, row }
  for await (const rows of readRows(deps.blobs, state.blob, layout, stretch)) {
    for (const { row, record } of rows) {
      read(batch, row, record)
      if (isFull(batch)) await flush()
      await breathe()
    }
  }
  if (!isEmpty(batch)) await flush()
  await writing
  await transact(deps.db, tx => endImport(tx, work.tenantId, state.id, 'completed'))
}

/** After a crash: reads again what has landed, for the rows in which phone numbers came first. */
async function loadSeenPhones({ deps, state, format: layout, totalRows }: ImportRun): Promise<SeenPhones> {
  const firsts = seenPhones(totalRows)
  const breathe = yieldEvery()
  const stretch = { from: layout.start, to: state.position, row: 1 }
  for await (const rows of readRows(deps.blobs, state.blob, layout, stretch)) {
    for (const { row, record } of rows) {
      const said = parseRow(record, row, layout.columns, layout.encoding)
      if (!Array.isArray(said) && said.phone !== undefined) firsts.add(said.phone, row)
      await breathe()
    }
  }
  return firsts
}

/** Refuses when another worker has been here meanwhile: then the file is read further than where this batch begins. */
function writeBatch({ deps, work, state, format: layout }: ImportRun, batch: Batch): Promise<void> {
  const { tenantId } = work
  return transact(deps.db, async tx => {
    // Sent together: the database answers them in this order.
    const [current, viewer, ground] = await Promise.all([
      lockImport(tx, tenantId, state.id),
      loadImporter(deps, tx, tenantId, state),
      lockFields(tx, tenantId, layout.columns),
    ])
    if (current?.status !== 'processing' || current.position !== batch.start) throw new LeaseLost(work.id)
    const applying = { viewer, importId: state.id, columns: layout.columns, dryRun: state.dryRun }
    const refused = await writeRows(tx, applying, ground, batch.rows)
    const lost = new Set(refused.map(error => error.row))
    const repeated = batch.rows.filter(
      ({ values: said, firstRow }) => firstRow !== said.row && !lost.has(said.row),
    )
    const errors = [...batch.errors, ...refused, ...repeated.map(toDuplicateWarning)].sort(
      (a, b) => a.row - b.row,
    )
    await insertErrors(tx, tenantId, state.id, current.errorCount, errors)
    await saveProgress(tx, tenantId, state.id, {
      position: batch.end,
      succeeded: batch.rows.length - lost.size,
      failed: batch.failed + lost.size,
    })
  })
}

function toDuplicateWarning({ values: said, firstRow }: Batch['rows'][number]) {
  const message = `is the phone number of row ${firstRow} again: this row updated the same contact`
  return { row: said.row, column: 'phone', message }
}

const maxConcurrentImports = 2

/** So many imports run in one process at the same time: each remembers the phone numbers of its file. */
export function limitConcurrency(run: typeof runImport): typeof runImport {
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
