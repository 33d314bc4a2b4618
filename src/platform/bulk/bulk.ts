/**
 * Actions on many resources: the resources that match at this moment become the items of a job, which changes them in
 * batches. A batch, its events, the results of its items and the progress are written in one transaction, so that a killed
 * worker leaves nothing half done and the next one continues behind the last batch. Undoing is a job of its own, in order
 * after the first.
 */
import type { Queryable, Tx } from '../db/db.ts'
import type { Sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { fail, invalid, type ProblemKind, violation } from '../errors.ts'
import { type ChangedKind, emitChanged, signalProgress } from '../events/changed.ts'
import { requireScopes } from '../http/authorize.ts'
import type { Caller, Scope } from '../http/caller.ts'
import { type Cron, cron } from '../jobs/cron.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { type Job, job, LeaseLost } from '../jobs/job.ts'
import { type BulkRow, type BulkToApi, maxBulkItems, undoMinutes } from './schemas.ts'
import {
  type BulkTables,
  deleteBulks,
  failBulk,
  findBulk,
  finishBulk,
  insertBulk,
  lockBulk,
  startUndo,
} from './store/bulk-actions.ts'

/** Actions of one workspace that a process runs concurrently. */
const maxPerWorkspace = 2
const ttlMs = 7 * 86_400_000
/** Each action has up to 100,000 items. */
const purgeBatchSize = 10

/** A batch of an action: its items after the last position. */
export interface Batch<Action, Item> {
  deps: Deps
  tenantId: string
  bulk: BulkRow<Action>
  items: readonly Item[]
}

interface BulkAction {
  type: string
}

interface PurgeOptions {
  /** Prefix of the names of its job and cron. */
  domain: string
  tables: BulkTables
  purgeSchedule: string
}

export interface BulkOptions<Action extends BulkAction, Item> extends PurgeOptions {
  kind: ChangedKind
  createId: () => string
  /** Plural, for messages. */
  resources: string
  scopes: Record<Action['type'], Scope>
  notFound: ProblemKind
  undoExpired: ProblemKind
  /** Every action can be undone without it. */
  isUndoable?: (action: Action) => boolean
  listItems: (tx: Tx, bulk: { tenantId: string; id: string }, position: number) => Promise<readonly Item[]>
  change: (tx: Tx, batch: Batch<Action, Item>) => Promise<void>
  undo: (tx: Tx, batch: Batch<Action, Item>) => Promise<void>
}

interface BulkPayload {
  bulkId: string
  isUndo?: boolean
}

export interface Bulk<Action> {
  job: Job<BulkPayload>
  purge: Cron
  /** `select` returns the `id` of each resource, at most one more than allowed. */
  start: (tx: Tx, caller: Caller, action: Action, select: Sql) => Promise<BulkToApi<Action>>
  /** Returns an action of the caller, or, for owners and admins, of anyone. */
  get: (db: Queryable, request: { caller: Caller; id: string }) => Promise<BulkToApi<Action>>
  /** Undoes an action of the caller, or, for owners and admins, of anyone. A running action stops. Idempotent. */
  undo: (
    tx: Tx,
    caller: Caller,
    id: string,
    check?: (row: BulkRow<Action>) => void,
  ) => Promise<BulkToApi<Action>>
}

const isOver = ({ status }: { status: string }): boolean =>
  status === 'completed' || status === 'failed' || status === 'undone'

const toUndoUntil = (finishedAt: string): string =>
  new Date(Date.parse(finishedAt) + undoMinutes * 60_000).toISOString()

export function defineBulk<Action extends BulkAction, Item>(
  options: BulkOptions<Action, Item>,
): Bulk<Action> {
  const run = defineRun(options)
  return {
    job: run,
    purge: definePurge(options),
    start: async (tx, caller, action, select) => {
      const { tables, createId, resources } = options
      const row = await insertBulk(tx, tables, caller, { id: createId(), action, select })
      if (row.total > maxBulkItems)
        invalid(violation('filter', 'too_many', `matches more than ${maxBulkItems} ${resources}; narrow it`))
      await announce(tx, { ...options, run }, caller.tenantId, row)
      return toApi(options, row)
    },
    get: async (db, { caller, id }) => {
      const row = await findBulk<Action>(db, options.tables, { tenantId: caller.tenantId, id })
      return toApi(options, requireVisible(options, caller, row))
    },
    undo: async (tx, caller, id, check) => {
      const found = await lockBulk<Action>(tx, options.tables, { tenantId: caller.tenantId, id })
      const row = requireVisible(options, caller, found)
      requireScopes([options.scopes[row.action.type as Action['type']]], caller)
      if (row.status === 'undoing' || row.status === 'undone') return toApi(options, row)
      const isExpired = row.status !== 'running' && tx.now > toUndoUntil(row.finishedAt!)
      if (isExpired || !canUndo(options, row)) fail(options.undoExpired)
      check?.(row)
      const undone = await startUndo<Action>(tx, options.tables, caller, id)
      await announce(tx, { ...options, run }, caller.tenantId, undone)
      return toApi(options, undone)
    },
  }
}

const canUndo = <Action extends BulkAction, Item>(
  { isUndoable }: BulkOptions<Action, Item>,
  { action }: BulkRow<Action>,
): boolean => isUndoable?.(action) ?? true

function toApi<Action extends BulkAction, Item>(
  options: BulkOptions<Action, Item>,
  row: BulkRow<Action>,
): BulkToApi<Action> {
  const {
    createdByKind: _,
    undoneBy: _by,
    undoneByKind: _kind,
    position: _p,
    undoPosition: _u,
    ...rest
  } = row
  const hasEnded = row.status === 'completed' || row.status === 'failed'
  return { ...rest, undoUntil: hasEnded && canUndo(options, row) ? toUndoUntil(row.finishedAt!) : null }
}

function requireVisible<Action extends BulkAction, Item>(
  { notFound }: BulkOptions<Action, Item>,
  caller: Caller,
  row: BulkRow<Action> | undefined,
): BulkRow<Action> {
  return row && (row.createdBy === caller.id || caller.role !== 'agent') ? row : fail(notFound)
}

/** Jobs of one action run one after the other: undoing begins when no batch is in flight. */
async function announce(
  tx: Tx,
  { kind, run }: { kind: ChangedKind; run: Job<BulkPayload> },
  tenantId: string,
  row: BulkRow<unknown>,
): Promise<void> {
  await emitBulkChanged(tx, kind, tenantId, row)
  const payload = { bulkId: row.id, isUndo: row.status === 'undoing' }
  await enqueue(tx, run, { tenantId, orderingKey: row.id, payload })
}

function definePurge({ domain, purgeSchedule, tables }: PurgeOptions): Cron {
  return cron({
    name: `${domain}.purge_bulk_actions`,
    schedule: purgeSchedule,
    handle: async ({ db, clock }) => {
      const before = new Date(clock.now().getTime() - ttlMs).toISOString()
      while ((await deleteBulks(db, tables, before, purgeBatchSize)) === purgeBatchSize);
    },
  })
}

function defineRun<Action extends BulkAction, Item>({
  domain,
  kind,
  tables,
  ...options
}: BulkOptions<Action, Item>): Job<BulkPayload> {
  /** Returns false when the action is finished. */
  const runBatch = async (deps: Deps, tx: Tx, tenantId: string, bulkId: string): Promise<boolean> => {
    const key = { tenantId, id: bulkId }
    const bulk = await lockBulk<Action>(tx, tables, key)
    if (!bulk || isOver(bulk)) return false
    const isUndo = bulk.status === 'undoing'
    const items = await options.listItems(tx, key, isUndo ? bulk.undoPosition : bulk.position)
    if (items.length === 0) {
      await finishBulk(tx, tables, key, isUndo ? 'undone' : 'completed')
      await emitBulkChanged(tx, kind, tenantId, bulk)
      return false
    }
    await (isUndo ? options.undo : options.change)(tx, { deps, tenantId, bulk, items })
    signalProgress(tx, { tenantId, kind, id: bulkId, userIds: [bulk.createdBy] })
    return true
  }

  return job<BulkPayload>({
    name: `${domain}.run_bulk_action`,
    priority: 'bulk',
    maxPerTenant: () => maxPerWorkspace,
    handle: async (deps, { bulkId }, work) => {
      while (await transact(deps.db, tx => runBatch(deps, tx, work.tenantId, bulkId)))
        if (!work.holdsLease()) throw new LeaseLost(work.id)
    },
    onDead: async (tx, { bulkId, isUndo = false }, tenantId) => {
      const key = { tenantId, id: bulkId }
      const bulk = await lockBulk<Action>(tx, tables, key)
      // An undo that was requested meanwhile has a job of its own.
      if (!bulk || isOver(bulk) || isUndo !== (bulk.status === 'undoing')) return
      await failBulk(tx, tables, key, 'internal_error')
      await emitBulkChanged(tx, kind, tenantId, bulk)
    },
  })
}

/** For the creator, and for owners and admins, who see the actions of others. */
function emitBulkChanged(
  tx: Tx,
  kind: ChangedKind,
  tenantId: string,
  { id, createdBy }: { id: string; createdBy: string },
): Promise<void> {
  return emitChanged(tx, tenantId, { kind, id }, { userIds: [createdBy] })
}
