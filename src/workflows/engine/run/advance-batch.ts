/**
 * Advances many runs in one transaction: concurrently, with equal effects combined into one statement, saved together.
 * Runs whose contact is locked or whose step fails are returned to the caller, which moves them to the job queue. They
 * do not delay other runs, and no run of the same contact overtakes them.
 */
import { addTagsToLocked, lockTags } from '../../../contacts/tags-and-fields/tags.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { isRetryable, withCausationDepth } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/deps.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { NeedsThread } from '../../expressions/evaluation.ts'
import type { Effects, Input } from '../../nodes/node-type.ts'
import { insertRuns, lockIdleContacts, saveRuns } from '../../store/runs/runs.ts'
import { LazyEffects } from '../effects/lazy.ts'
import { loadPublishers } from '../publisher/publishers.ts'
import { type AdvanceResult, advance, StepError } from './advance.ts'
import { enqueueFollowUps, startJourney } from './resume.ts'
import type { EffectsOfRun, Run } from './run.ts'

export interface RunInput {
  run: Run
  input: Input
}

/** Enough to isolate two or three failing runs among hundreds. With more failures the rest goes through the queue. */
const maxAttempts = 40

/**
 * Takes journey runs of one workspace, locked, or new if `save` inserts them. Returns the runs that were not advanced,
 * unchanged.
 */
export async function advanceBatch(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  items: readonly RunInput[],
  save: typeof saveRuns = saveRuns,
): Promise<RunInput[]> {
  let attempts = 0

  /** Halves a batch in which a step fails until the failing run is alone. */
  async function advancePart(part: readonly RunInput[]): Promise<RunInput[]> {
    if (part.length === 0) return []
    const skipped = attempts++ < maxAttempts ? await attempt({ deps, tx, tenantId, save }, part) : [...part]
    if (skipped instanceof NeedThreads) return advanceOthers(part, skipped.contactIds)
    if (skipped !== 'failed') return skipped
    if (part.length === 1) return [...part]
    const half = Math.ceil(part.length / 2)
    const first = await advancePart(part.slice(0, half))
    const blocked = new Set(first.map(({ run }) => run.contactId))
    const second = part.slice(half)
    const behind = second.filter(({ run }) => blocked.has(run.contactId))
    const free = second.filter(({ run }) => !blocked.has(run.contactId))
    const all = new Set([...first, ...behind, ...(await advancePart(free))])
    return part.filter(item => all.has(item))
  }

  async function advanceOthers(part: readonly RunInput[], contactIds: ReadonlySet<string>) {
    const others = await advancePart(part.filter(({ run }) => !contactIds.has(run.contactId)))
    return part.filter(item => contactIds.has(item.run.contactId) || others.includes(item))
  }

  return advancePart(items)
}

/** Thrown to roll back a batch in which runs of these contacts have expensive evaluations. */
class NeedThreads extends Error {
  readonly contactIds: ReadonlySet<string>
  constructor(contactIds: ReadonlySet<string>) {
    super('evaluations need a thread')
    this.contactIds = contactIds
  }
}

interface BatchContext {
  deps: Deps
  tx: Tx
  tenantId: string
  save: typeof saveRuns
}

async function attempt(
  context: BatchContext,
  items: readonly RunInput[],
): Promise<RunInput[] | NeedThreads | 'failed'> {
  const { deps, tx } = context
  pipeline(tx, sql`savepoint advance_batch`)
  try {
    const skipped = await advanceUnlocked(context, items.map(copyRun))
    pipeline(tx, sql`release savepoint advance_batch`)
    const ids = new Set(skipped.map(({ run }) => run.id))
    return items.filter(({ run }) => ids.has(run.id))
  } catch (error) {
    if (isRetryable(error)) throw error // the whole transaction is retried
    await tx.run(sql`rollback to savepoint advance_batch`)
    if (error instanceof NeedThreads) return error
    if (!(error instanceof StepError)) deps.log.warn({ err: error }, 'workflow batch failed')
    return 'failed'
  }
}

/** Copies the members that `advance` changes in place; it replaces all others. */
function copyRun({ run, input }: RunInput): RunInput {
  return { run: { ...run, visits: { ...run.visits }, state: structuredClone(run.state) }, input }
}

/** Sends a statement without awaiting it; the next statement fails if this one does. */
function pipeline(tx: Tx, statement: Sql): void {
  tx.run(statement).catch(() => {})
}

async function advanceUnlocked(context: BatchContext, items: readonly RunInput[]): Promise<RunInput[]> {
  const { deps, tx, tenantId, save } = context
  const contactIds = [...new Set(items.map(({ run }) => run.contactId))]
  const versionIds = [...new Set(items.map(({ run }) => run.versionId))]
  const [locked, publishers] = await Promise.all([
    lockIdleContacts(tx, tenantId, contactIds),
    loadPublishers(tx, tenantId, versionIds),
  ])
  const wrapEffects = batchEffects(tx, tenantId)
  const engine = { deps, tx, startJourney, evaluation: 'inline' as const, wrapEffects, publishers }
  const advanced: [Run, AdvanceResult][] = []
  const needThreads = new Set<string>()
  const advanceInOrder = async (group: readonly RunInput[]) => {
    for (const { run, input } of group) {
      const result = await advance(engine, run, input).catch(error => {
        if (error instanceof StepError && error.cause instanceof NeedsThread) needThreads.add(run.contactId)
        throw error
      })
      advanced.push([run, result])
    }
  }
  // New runs of archived contacts are left to the caller, who checks whether they may enter.
  const isReady = ({ run: { contactId, versionId } }: RunInput) =>
    locked.has(contactId) &&
    !(save === insertRuns && locked.get(contactId)!.isArchived) &&
    !publishers.get(versionId)?.hasLostRights
  const byContact = groupBy(items.filter(isReady), ({ run }) => run.contactId)
  const results = await Promise.allSettled([...byContact.values()].map(advanceInOrder))
  if (needThreads.size > 0) throw new NeedThreads(needThreads)
  throwFirstError(results)
  await save(
    tx,
    advanced.map(([run]) => run),
    advanced.flatMap(([, { stepRows }]) => stepRows),
  )
  for (const [run, result] of advanced) await enqueueFollowUps(tx, run, result)
  return items.filter(item => !isReady(item))
}

/** After the first error of a transaction every statement fails with 25P02; only the first error names the cause. */
function throwFirstError(results: readonly PromiseSettledResult<void>[]): void {
  const errors = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  if (errors.length > 0)
    throw errors.find(error => (error as { code?: string }).code !== '25P02') ?? errors[0]
}

interface PendingTag {
  contactId: string
  tagId: string
  causationDepth: number
  resolve: (exists: boolean) => void
  reject: (error: unknown) => void
}

class BatchEffects extends LazyEffects {
  private readonly live: EffectsOfRun
  private readonly run: Run
  private readonly add: (tag: PendingTag) => void

  constructor(live: EffectsOfRun, run: Run, add: (tag: PendingTag) => void) {
    super(live.build)
    this.live = live
    this.run = run
    this.add = add
  }

  override addTag(tagId: string): Promise<boolean> {
    const { contactId, causationDepth } = this.run
    this.live.invalidate()
    return new Promise((resolve, reject) => {
      this.add({ contactId, tagId, causationDepth, resolve, reject })
    })
  }
}

/** Combines the tags that runs of one transaction, whose contacts are locked, add concurrently: one statement per causation depth. */
function batchEffects(tx: Tx, tenantId: string): (live: EffectsOfRun, run: Run) => Effects {
  let pending: PendingTag[] = []

  async function flush(): Promise<void> {
    const batch = pending
    pending = []
    try {
      const existing = await lockTags(tx, tenantId, [...new Set(batch.map(tag => tag.tagId))])
      const valid = batch.filter(tag => existing.has(tag.tagId))
      for (const [depth, tags] of groupBy(valid, tag => String(tag.causationDepth)))
        await addTagsToLocked(withCausationDepth(tx, Number(depth)), tenantId, tags)
      for (const tag of batch) tag.resolve(existing.has(tag.tagId))
    } catch (error) {
      for (const tag of batch) tag.reject(error)
    }
  }

  function add(tag: PendingTag): void {
    if (pending.length === 0) setImmediate(flush)
    pending.push(tag)
  }

  return (live, run) => new BatchEffects(live, run, add)
}
