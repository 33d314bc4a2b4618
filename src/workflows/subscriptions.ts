/**
 * The one place where workflows hear of what happens. What events start and wake is put on record in the transaction
 * that moves the cursor: each event has its effect once.
 */
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { handleRemovedContacts } from './engine/contacts.ts'
import { handleConversationEvent } from './engine/enrollment/bot-sessions.ts'
import { buildAdmissibleRuns } from './engine/enrollment/enroll.ts'
import { matchTriggers, triggerEventTypes } from './engine/enrollment/match-triggers.ts'
import { findSegmentEntries } from './engine/enrollment/segment-entries.ts'
import { getTriggerIndex } from './engine/enrollment/trigger-index.ts'
import { advanceBatch } from './engine/run/advance-batch.ts'
import { enqueueResumes } from './engine/run/resume.ts'
import { resumeWaitingRuns } from './engine/waits/event-waits.ts'
import { admitRuns, insertRuns } from './store/runs.ts'

const otherEventTypes = ['conversation.updated', 'message.updated']

export const workflowEngine = subscription({
  name: 'workflows.engine',
  types: [...new Set([...triggerEventTypes, ...otherEventTypes])],
  batchSize: 200,
  apply: (tx, events, deps) => applyEvents(deps, tx, events),
})

async function applyEvents(deps: Deps, tx: Tx, events: LogEvent[]): Promise<void> {
  const { tenantId } = events[0]!
  await handleRemovedContacts(tx, tenantId, events)
  const [actives] = await Promise.all([
    getTriggerIndex(tx, tenantId),
    resumeWaitingRuns(tx, tenantId, events),
  ])
  for (const event of events) await handleConversationEvent(tx, event)
  const asked = [
    ...(await matchTriggers(tx, tenantId, events, actives)),
    ...(await findSegmentEntries(tx, tenantId, events, actives)),
  ]
  // Most have gone their way, or wait, by the time they are written for the first time.
  const runs = await buildAdmissibleRuns(tx, asked)
  const moves = runs.map(run => ({ run, input: { type: 'arrived' as const } }))
  const left = await advanceBatch(deps, tx, tenantId, moves, insertRuns)
  const admitted = await admitRuns(
    tx,
    left.map(({ run }) => run),
  )
  await enqueueResumes(
    tx,
    left.flatMap(({ run }) => (admitted.has(run.id) ? [{ run, why: 'go' as const }] : [])),
  )
}
