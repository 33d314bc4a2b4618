/**
 * Imports a file in the background. Each batch of rows is one transaction, together with how far the file is read and
 * the counts: so a worker that dies leaves nothing half done, and the next goes on behind the last row that landed.
 * While the database is at one batch, the next is read.
 */
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { LeaseLost, RetryLater, type Work } from '../../platform/jobs/job.ts'
import {
  endImport,
  type ImportState,
  insertErrors,
  lockImport,
  saveProgress,
  startAttempt,
} from '../store/imports.ts'
import { applyRows, holdGround } from './apply.ts'
import { type Batch, batcher, emptyBatch, isEmpty, isFull } from './batches.ts'
import { giveUp } from './end.ts'
import { type FirstRows, firstRows } from './first-rows.ts'
import type { Layout } from './layout.ts'
import { look } from './look.ts'
import { pace } from './pace.ts'
import { readRow } from './rows.ts'
import { rowsOfFile } from './rows-of-file.ts'
import { Stopped, standingOf } from './standing.ts'

interface Running {
  deps: Deps
  work: Work
  state: ImportState
  layout: Layout
  totalRows: number
}

/** Attempts at the same place; a file on which workers die must not be tried for ever. */
const mostStuck = 10

export async function runImport(deps: Deps, importId: string, work: Work): Promise<void> {
  const { tenantId } = work
  const state = await startAttempt(deps.db, tenantId, importId)
  if (!state) return
  if (state.status === 'processing') {
    const reason =
      state.stuck > mostStuck
        ? 'the import failed too often at the same place'
        : await tryOnce(deps, state, work)
    if (reason)
      await transact(deps.db, tx => giveUp(tx, tenantId, importId, [{ row: 0, column: '', message: reason }]))
  }
  await deps.blobs.delete(state.blob)
}

/** Gives the reason why it cannot go on, if there is one. */
async function tryOnce(deps: Deps, state: ImportState, work: Work): Promise<string | undefined> {
  try {
    const found = state.layout
      ? { layout: state.layout, rows: state.totalRows }
      : await look(deps, work.tenantId, state)
    if (!found) return undefined
    const position = state.layout ? state.position : found.layout.start
    await importRows({
      deps,
      work,
      state: { ...state, position },
      layout: found.layout,
      totalRows: found.rows,
    })
  } catch (error) {
    if (error instanceof Stopped) return error.message
    throw error
  }
}

async function importRows(running: Running): Promise<void> {
  const { deps, work, state, layout } = running
  const firsts = await earlierRows(running)
  const read = batcher(layout, firsts, state.dryRun)
  const breathe = pace()
  const row = state.successCount + state.failedCount + 1
  let batch = emptyBatch(state.position)
  let writing: Promise<void> = Promise.resolve()
  const flush = async () => {
    await writing
    if (!work.stillMine()) throw new LeaseLost(work.id)
    writing = store(running, batch)
    writing.catch(() => {}) // told by the next await
    batch = emptyBatch(batch.end)
  }
  const stretch = { from: state.position, to: state.size, row }
  for await (const rows of rowsOfFile(deps.blobs, state.blob, layout, stretch)) {
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
async function earlierRows({ deps, state, layout, totalRows }: Running): Promise<FirstRows> {
  const firsts = firstRows(totalRows)
  const breathe = pace()
  const stretch = { from: layout.start, to: state.position, row: 1 }
  for await (const rows of rowsOfFile(deps.blobs, state.blob, layout, stretch)) {
    for (const { row, record } of rows) {
      const said = readRow(record, row, layout.columns, layout.letters)
      if (!Array.isArray(said) && said.phone !== undefined) firsts.note(said.phone, row)
      await breathe()
    }
  }
  return firsts
}

/** Refuses when another worker has been here meanwhile: then the file is read further than where this batch begins. */
function store({ deps, work, state, layout }: Running, batch: Batch): Promise<void> {
  const { tenantId } = work
  return transact(deps.db, async tx => {
    // Sent together: the database answers them in this order.
    const [current, viewer, ground] = await Promise.all([
      lockImport(tx, tenantId, state.id),
      standingOf(tx, tenantId, state),
      holdGround(tx, tenantId, layout.columns),
    ])
    if (current?.status !== 'processing' || current.position !== batch.start) throw new LeaseLost(work.id)
    const applying = { viewer, importId: state.id, columns: layout.columns, dryRun: state.dryRun }
    const refused = await applyRows(tx, applying, ground, batch.rows)
    const lost = new Set(refused.map(error => error.row))
    const repeated = batch.rows.filter(({ said, firstRow }) => firstRow !== said.row && !lost.has(said.row))
    const errors = [...batch.errors, ...refused, ...repeated.map(repeatOf)].sort((a, b) => a.row - b.row)
    await insertErrors(tx, tenantId, state.id, current.errorCount, errors)
    await saveProgress(tx, tenantId, state.id, {
      position: batch.end,
      succeeded: batch.rows.length - lost.size,
      failed: batch.failed + lost.size,
    })
  })
}

function repeatOf({ said, firstRow }: Batch['rows'][number]) {
  const message = `is the phone number of row ${firstRow} again: this row updated the same contact`
  return { row: said.row, column: 'phone', message }
}

const atOnce = 2

/** So many imports run in one process at the same time: each remembers the phone numbers of its file. */
export function atMostAFew(run: typeof runImport): typeof runImport {
  let running = 0
  return async (deps, importId, work) => {
    if (running >= atOnce) throw new RetryLater(1_000, 'other imports are running')
    running++
    try {
      await run(deps, importId, work)
    } finally {
      running--
    }
  }
}
