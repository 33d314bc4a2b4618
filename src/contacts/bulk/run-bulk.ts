/**
 * Runs and undoes actions on many contacts. A batch of contacts, its events, the results of its items and the progress are
 * written in one transaction, so that a killed worker leaves nothing half done and the next one continues behind it.
 */
import { findAccess } from '../../identity/rights/reauthorize.ts'
import { setActor } from '../../platform/db/actor.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { emitChanged, signalProgress } from '../../platform/events/changed.ts'
import { cron } from '../../platform/jobs/cron.ts'
import { job, LeaseLost } from '../../platform/jobs/job.ts'
import type { Viewer } from '../access.ts'
import { listVisibleContacts } from '../contact-views.ts'
import { lockContact } from '../contacts.ts'
import {
  type ContactBulkRow,
  type ContactItem,
  type ContactOutcome,
  deleteContactBulk,
  failContactBulk,
  finishContactBulk,
  listContactItems,
  lockContactBulk,
  saveContactOutcomes,
  saveContactUndo,
} from '../store/bulk/bulk-actions.ts'
import { getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { type ActionContext, applyAction, revertAction } from './apply.ts'
import { actionScopes } from './schemas.ts'

const batchSize = 200
const maxPerWorkspace = 2
const ttlMs = 7 * 86_400_000
const purgeBatchSize = 10

export const runContactBulk = job<{ bulkId: string; isUndo?: boolean }>({
  name: 'contacts.run_bulk_action',
  priority: 'bulk',
  maxPerTenant: () => maxPerWorkspace,
  handle: async (deps, { bulkId }, work) => {
    while (await transact(deps.db, tx => runBatch(deps, tx, work.tenantId, bulkId)))
      if (!work.holdsLease()) throw new LeaseLost(work.id)
  },
  onDead: async (tx, { bulkId, isUndo = false }, tenantId) => {
    const bulk = await lockContactBulk(tx, tenantId, bulkId)
    // An undo that was requested meanwhile has a job of its own.
    if (!bulk || isOver(bulk) || isUndo !== (bulk.status === 'undoing')) return
    await failContactBulk(tx, tenantId, bulkId, 'internal_error')
    await emitContactBulkChanged(tx, tenantId, bulk)
  },
})

const isOver = ({ status }: ContactBulkRow): boolean =>
  status === 'completed' || status === 'failed' || status === 'undone'

export const purgeContactBulk = cron({
  name: 'contacts.purge_bulk_actions',
  schedule: '13 * * * *',
  handle: async ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - ttlMs).toISOString()
    while ((await deleteContactBulk(db, before, purgeBatchSize)) === purgeBatchSize);
  },
})

/** Returns false when the action is finished. */
async function runBatch(deps: Deps, tx: Tx, tenantId: string, bulkId: string): Promise<boolean> {
  const bulk = await lockContactBulk(tx, tenantId, bulkId)
  if (!bulk || isOver(bulk)) return false
  const isUndo = bulk.status === 'undoing'
  const position = isUndo ? bulk.undoPosition : bulk.position
  const items = await listContactItems(tx, tenantId, bulkId, position, batchSize)
  if (items.length === 0) {
    await finishContactBulk(tx, tenantId, bulkId, isUndo ? 'undone' : 'completed')
    await emitContactBulkChanged(tx, tenantId, bulk)
    return false
  }
  await setActor(tx, {
    type: isUndo ? bulk.undoneByKind! : bulk.createdByKind,
    id: isUndo ? bulk.undoneBy! : bulk.createdBy,
  })
  const viewer = await findViewer(deps, tx, tenantId, bulk)
  const context = {
    tenantId,
    viewer,
    action: bulk.action,
    definitions: await getFieldDefinitions(tx, tenantId),
  }
  if (isUndo) await undoBatch(tx, bulk, items, context)
  else await changeBatch(tx, bulk, items, context)
  signalProgress(tx, { tenantId, kind: 'contact_bulk', id: bulkId, userIds: [bulk.createdBy] })
  return true
}

/** For the creator, and for owners and admins, who see the actions of others. */
export function emitContactBulkChanged(
  tx: Tx,
  tenantId: string,
  { id, createdBy }: Pick<ContactBulkRow, 'id' | 'createdBy'>,
): Promise<void> {
  return emitChanged(tx, tenantId, { kind: 'contact_bulk', id }, { userIds: [createdBy] })
}

/** The person who started or undid the action, with their present rights; without them, nothing is visible. */
async function findViewer(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  { status, createdBy, undoneBy, action }: ContactBulkRow,
): Promise<Viewer | undefined> {
  const id = status === 'undoing' ? undoneBy! : createdBy
  const access = await findAccess(deps, tx, tenantId, id)
  return access?.scopes.has(actionScopes[action.type]) ? { ...access, tenantId, id } : undefined
}

type BatchContext = Omit<ActionContext, 'viewer'> & { tenantId: string; viewer: Viewer | undefined }

/** Locks in the order of the ids, as every change of several contacts does. */
async function changeBatch(
  tx: Tx,
  bulk: ContactBulkRow,
  items: readonly ContactItem[],
  { tenantId, viewer, ...context }: BatchContext,
): Promise<void> {
  const ids = items.map(item => item.contactId)
  const visible = viewer ? await listVisibleContacts(tx, viewer, ids) : new Set<string>()
  const outcomes: ContactOutcome[] = []
  for (const { n, contactId } of items) {
    const contact = visible.has(contactId) && (await lockContact(tx, tenantId, contactId))
    outcomes.push(
      contact
        ? { n, ...(await applyAction(tx, { ...context, viewer: viewer! }, contact)) }
        : { n, result: 'failed', before: null },
    )
  }
  await saveContactOutcomes(tx, tenantId, bulk.id, outcomes)
}

async function undoBatch(
  tx: Tx,
  bulk: ContactBulkRow,
  items: readonly ContactItem[],
  { tenantId, viewer, ...context }: BatchContext,
): Promise<void> {
  let restored = 0
  const changed = items.filter(item => item.result === 'changed')
  for (const { contactId, before } of changed) {
    const contact = viewer && (await lockContact(tx, tenantId, contactId))
    if (contact && (await revertAction(tx, { ...context, viewer }, contact, before))) restored++
  }
  await saveContactUndo(tx, tenantId, bulk.id, {
    position: items.at(-1)!.n,
    restored,
    notRestored: changed.length - restored,
  })
}
