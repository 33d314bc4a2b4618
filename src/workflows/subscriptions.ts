/**
 * Applies events of the log to workflows, in the transaction that advances the consumer's offset: each event takes effect
 * exactly once.
 */
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { handleConversationEvent } from './engine/enrollment/bot-sessions.ts'
import { buildAdmissibleRuns } from './engine/enrollment/enroll.ts'
import { getTriggerIndex, matchTriggers, triggerEventTypes } from './engine/enrollment/match-triggers.ts'
import { dependsOnEarlierRun, enrollInOrder } from './engine/enrollment/restarts.ts'
import { findSegmentEntries } from './engine/enrollment/segment-entries.ts'
import { advanceBatch } from './engine/run/advance-batch.ts'
import { enqueueResumes } from './engine/run/resume.ts'
import { applyLaterExits, handleRemovedContacts, resumeWaitingRuns } from './engine/waits/event-waits.ts'
import { endUndelivered, toFailedSend } from './engine/waits/late-failures.ts'
import { admitRuns, insertRuns } from './store/runs/runs.ts'
import { hasAnyWorkflow } from './store/workflows.ts'

/** The events that start, resume or end runs. */
export const workflowEventTypes: readonly string[] = [
  ...new Set([...triggerEventTypes, 'conversation.updated', 'message.updated']),
]

export const workflowEngine = subscription({
  name: 'workflows.engine',
  types: workflowEventTypes,
  batchSize: 200,
  hasNoEffect: async ({ db }, events) => !(await hasAnyWorkflow(db, events[0]!.tenantId)),
  apply: (tx, events, deps) => applyEvents(deps, tx, events),
})

async function applyEvents(deps: Deps, tx: Tx, events: LogEvent[]): Promise<void> {
  const { tenantId } = events[0]!
  await handleRemovedContacts(tx, tenantId, events)
  const [index, answers] = await Promise.all([
    getTriggerIndex(tx, tenantId),
    resumeWaitingRuns(tx, tenantId, events),
  ])
  await applyToSendingRuns(tx, tenantId, events, answers)
  const matched = [
    ...(await matchTriggers(tx, tenantId, events, index)),
    ...(await findSegmentEntries(tx, tenantId, events, index)),
  ]
  await enrollInOrder(tx, matched.filter(dependsOnEarlierRun))
  const enrollments = matched.filter(enrollment => !dependsOnEarlierRun(enrollment))
  // Most runs have ended or wait when they are inserted.
  const runs = await buildAdmissibleRuns(tx, enrollments)
  const items = runs.map(run => ({ run, input: { type: 'arrived' as const } }))
  const remaining = (await advanceBatch(deps, tx, tenantId, items, insertRuns)).map(({ run }) => run)
  const admitted = await admitRuns(tx, remaining)
  const resumes = remaining
    .filter(run => admitted.has(run.id))
    .map(run => ({ run, reason: 'continue' as const }))
  await enqueueResumes(tx, resumes)
  await applyLaterExits(tx, tenantId, matched, events)
}

/**
 * Applies events of conversations and failures of messages. In a conversation their order is that of the log: it decides
 * why a run ends. Failures of different conversations are applied together.
 */
async function applyToSendingRuns(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
  answers: ReadonlySet<string>,
): Promise<void> {
  let failed: NonNullable<ReturnType<typeof toFailedSend>>[] = []
  for (const event of events) {
    const failure = toFailedSend(event)
    const { conversation } = event.data as { conversation?: { id: string } }
    if (failure) failed.push(failure)
    else if (failed.some(({ conversationId }) => conversationId === conversation?.id)) {
      await endUndelivered(tx, tenantId, failed)
      failed = []
    }
    await handleConversationEvent(tx, event, answers)
  }
  if (failed.length > 0) await endUndelivered(tx, tenantId, failed)
}
