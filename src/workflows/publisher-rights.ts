/**
 * A version acts with the rights of its publisher. When the publisher loses rights that its nodes need, the workflow is
 * paused, and runs of the version are held. They continue when a user or key with the rights publishes the workflow, or when it
 * is activated after the publisher has regained them.
 */
import { releaseBotAssignments } from '../conversations/opening/bot-assignment.ts'
import { recordAudit } from '../identity/audit.ts'
import { accessChanged } from '../identity/events.ts'
import { type Access, findAccess, type RoleDeps } from '../identity/rights/reauthorize.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { fail } from '../platform/errors.ts'
import { pendingChange } from '../platform/events/changed.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { emitMany } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import type { Caller } from '../platform/http/caller.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { job } from '../platform/jobs/job.ts'
import { describeMissing, findMissingRights } from './definition/rights.ts'
import { enqueueResumes } from './engine/run/resume.ts'
import { workflowProblems } from './errors.ts'
import { workflowsChanged } from './events.ts'
import { emitStatusChanged } from './status-events.ts'
import {
  getPublishedVersion,
  listWithoutRights,
  lockVersionsOf,
  type PublishedVersion,
  pausePublished,
  takeHeldRuns,
  updatePublishers,
} from './store/rights.ts'
import type { WorkflowRow } from './store/workflows.ts'

/** 409 if the publisher of the published version lacks rights that its nodes need. */
export async function checkPublisher(
  deps: RoleDeps,
  on: Queryable,
  { tenantId, kind, publishedVersionId }: WorkflowRow,
): Promise<void> {
  if (publishedVersionId === null) return
  const version = await getPublishedVersion(on, tenantId, publishedVersionId)
  const missing = await listMissing(deps, on, tenantId, version)
  if (missing.length > 0)
    fail(workflowProblems[kind].rightsLost, `${describeMissing(missing)}; publish it again`)
}

/** A version without a publisher has the rights of an owner. */
async function listMissing(
  deps: RoleDeps,
  on: Queryable,
  tenantId: string,
  version: PublishedVersion,
): Promise<string[]> {
  if (version.publisherId === null) return []
  return findMissingRights(version, await findAccess(deps, on, tenantId, version.publisherId))
}

/** Pauses the workflows of publishers whose access was reduced. */
export const pauseWithoutRights = subscription({
  name: 'workflows.publisher_rights',
  types: [accessChanged.type],
  apply: async (tx, events, deps) => {
    const { tenantId } = events[0]!
    const ids = (events as LogEvent<{ accountId: string }>[]).map(({ data }) => data.accountId)
    await pauseWorkflowsOf(deps, tx, tenantId, [...new Set(ids)])
  },
})

async function pauseWorkflowsOf(
  deps: RoleDeps,
  tx: Tx,
  tenantId: string,
  accountIds: readonly string[],
): Promise<void> {
  const versions = await lockVersionsOf(tx, tenantId, accountIds)
  if (versions.length === 0) return
  const holders = new Map<string, Access | undefined>()
  for (const id of accountIds) holders.set(id, await findAccess(deps, tx, tenantId, id))
  const lost = versions.flatMap(({ id, publisherId, ...required }) => {
    const missing = findMissingRights(required, holders.get(publisherId!))
    return missing.length > 0 ? [{ id, publisherId, missing }] : []
  })
  if (lost.length === 0) return
  await updatePublishers(tx, tenantId, lost)
  const paused = await pausePublished(
    tx,
    tenantId,
    lost.map(version => version.id),
  )
  const bots = paused.filter(({ kind }) => kind === 'chatbot').map(({ id }) => id)
  if (bots.length > 0) await releaseBotAssignments(tx, tenantId, bots)
  for (const { id, kind } of paused)
    await recordAudit(tx, { tenantId, kind: 'system' }, `${kind}.paused`, id, {
      reason: 'publisher_rights_lost',
    })
  await emitStatusChanged(
    tx,
    tenantId,
    paused.map(({ id }) => id),
  )
  await emitMany(
    tx,
    paused.map(({ id, kind }) => pendingChange(tenantId, { kind, id })),
  )
  tx.signal(workflowsChanged, tenantId)
}

/**
 * Restores the rights of versions of a locked workflow: of those whose publisher holds them again, and of those that the
 * caller takes over as publisher. Their held runs continue.
 */
export async function restoreRights(
  deps: RoleDeps,
  tx: Tx,
  { tenantId, id: workflowId }: WorkflowRow,
  adopter?: Caller,
): Promise<void> {
  const restored: Parameters<typeof updatePublishers>[2][number][] = []
  for (const version of await listWithoutRights(tx, tenantId, workflowId)) {
    const { id, publisherId } = version
    const canAdopt = adopter && findMissingRights(version, adopter).length === 0
    if (canAdopt) restored.push({ id, publisherId: adopter.id, missing: [] })
    else if ((await listMissing(deps, tx, tenantId, version)).length === 0)
      restored.push({ id, publisherId, missing: [] })
  }
  if (restored.length === 0) return
  await updatePublishers(tx, tenantId, restored)
  await enqueue(tx, releaseHeldRuns, {
    tenantId,
    orderingKey: workflowId,
    payload: { workflowId, after: '' },
  })
}

const pageSize = 500

export const releaseHeldRuns = job<{ workflowId: string; after: string }>({
  name: 'workflows.release_held_runs',
  priority: 'normal',
  handle: (deps, { workflowId, after }, work) =>
    transact(deps.db, async tx => {
      const { tenantId } = work
      const runs = await takeHeldRuns(tx, tenantId, workflowId, { after, limit: pageSize })
      await enqueueResumes(
        tx,
        runs.flatMap(run => (run.heldResumes ?? []).map(held => ({ run, ...held }))),
      )
      const last = runs.at(-1)
      if (last && runs.length === pageSize)
        await enqueue(tx, releaseHeldRuns, {
          tenantId,
          orderingKey: workflowId,
          payload: { workflowId, after: last.id },
        })
      await work.finish(tx)
    }),
})
