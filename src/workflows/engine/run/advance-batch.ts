/**
 * Moves many runs on in one transaction: what they do is done side by side, what they do alike is one statement, and
 * they are saved together. Runs of a contact that somebody else has in hand this moment, or whose step cannot be done,
 * are left to the queue, where each goes by itself; they hold up nobody, and none of their contact's overtakes them.
 */
import type { Tx } from '../../../platform/db/db.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { isRetryable } from '../../../platform/db/transact.ts'
import type { Deps } from '../../../platform/deps.ts'
import { groupBy } from '../../../platform/group-by.ts'
import type { Input } from '../../nodes/node-type.ts'
import { saveRuns } from '../../store/runs.ts'
import { lockIdleContacts } from '../../store/standing.ts'
import { batchEffects } from '../alike.ts'
import { type AdvanceResult, advance, StepError } from './advance.ts'
import { enqueueFollowUps, startJourney } from './resume.ts'
import type { Run } from './run.ts'

export interface RunInput {
  run: Run
  input: Input
}

/** Enough to find two or three among hundreds whose steps fail. Where more do, what is left goes one by one. */
const maxAttempts = 40

/**
 * The runs are of journeys and of one workspace; locked, or new, when they are saved by being inserted. Gives those that
 * were not moved, as they were.
 */
export async function advanceBatch(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  moves: readonly RunInput[],
  save: typeof saveRuns = saveRuns,
): Promise<RunInput[]> {
  let attempts = 0

  /** A part in which a step fails is halved until that run stands alone. */
  async function moveAll(part: readonly RunInput[]): Promise<RunInput[]> {
    if (part.length === 0) return []
    const left = attempts++ < maxAttempts ? await attempt({ deps, tx, tenantId, save }, part) : [...part]
    if (left !== 'failed') return left
    if (part.length === 1) return [...part]
    const half = Math.ceil(part.length / 2)
    const first = await moveAll(part.slice(0, half))
    const behind = new Set(first.map(({ run }) => run.contactId))
    const [waiting, free] = partition(part.slice(half), ({ run }) => behind.has(run.contactId))
    const unmoved = new Set([...first, ...waiting, ...(await moveAll(free))])
    return part.filter(move => unmoved.has(move))
  }

  return moveAll(moves)
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter(one => !isFirst(one))]
}

interface BatchContext {
  deps: Deps
  tx: Tx
  tenantId: string
  save: typeof saveRuns
}

async function attempt(moving: BatchContext, moves: readonly RunInput[]): Promise<RunInput[] | 'failed'> {
  const { deps, tx } = moving
  pipeline(tx, sql`savepoint together`)
  try {
    const left = await advanceUnlocked(moving, moves.map(copyRun))
    pipeline(tx, sql`release savepoint together`)
    const ids = new Set(left.map(move => move.run.id))
    return moves.filter(move => ids.has(move.run.id))
  } catch (error) {
    if (isRetryable(error)) throw error // the whole transaction is taken again
    await tx.run(sql`rollback to savepoint together`)
    if (!(error instanceof StepError)) deps.log.warn({ err: error }, 'runs could not be moved together')
    return 'failed'
  }
}

/** Moving a run puts new things in the place of old ones, but for the counts of visits and what a node keeps. */
function copyRun({ run, input }: RunInput): RunInput {
  return { run: { ...run, visits: { ...run.visits }, state: structuredClone(run.state) }, input }
}

/** Goes with what comes next, which fails if this does. */
function pipeline(tx: Tx, statement: Sql): void {
  tx.run(statement).catch(() => {})
}

async function advanceUnlocked(moving: BatchContext, moves: readonly RunInput[]): Promise<RunInput[]> {
  const { deps, tx, tenantId, save } = moving
  const wanted = [...new Set(moves.map(({ run }) => run.contactId))]
  const free = await lockIdleContacts(tx, tenantId, wanted)
  const mine = moves.filter(({ run }) => free.has(run.contactId))
  const engine = { deps, tx, call: startJourney, wrap: batchEffects(tx, tenantId) }
  const moved: [Run, AdvanceResult][] = []
  const inOrder = async (group: readonly RunInput[]) => {
    for (const { run, input } of group) moved.push([run, await advance(engine, run, input)])
  }
  const results = await Promise.allSettled(
    [...groupBy(mine, ({ run }) => run.contactId).values()].map(inOrder),
  )
  // After the first fault every statement fails; what came first says why.
  const faults = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  const first = faults.find(fault => (fault as { code?: string }).code !== '25P02')
  if (faults.length > 0) throw first ?? faults[0]
  await save(
    tx,
    moved.map(([run]) => run),
    moved.flatMap(([, { lines }]) => lines),
  )
  for (const [run, advanced] of moved) await enqueueFollowUps(tx, run, advanced)
  return moves.filter(({ run }) => !free.has(run.contactId))
}
