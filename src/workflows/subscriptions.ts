/**
 * The one place where workflows hear of what happens. What events start and wake is put on record in the transaction
 * that moves the cursor: each event has its effect once.
 */
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { activesOf } from './engine/actives.ts'
import { followBots } from './engine/bots.ts'
import { followContacts } from './engine/contacts.ts'
import { prepare } from './engine/entering.ts'
import { wakeListeners } from './engine/listening.ts'
import { matchTriggers, triggeringEvents } from './engine/matching.ts'
import { moveTogether } from './engine/together.ts'
import { wakeMany } from './engine/waking.ts'
import { watchSegments } from './engine/watching.ts'
import { admitRuns, insertRuns } from './store/runs.ts'

const alsoHeard = ['conversation.updated', 'message.updated']

export const followEvents = subscription({
  name: 'workflows.engine',
  types: [...new Set([...triggeringEvents, ...alsoHeard])],
  batch: 200,
  apply: (tx, events, deps) => apply(deps, tx, events),
})

async function apply(deps: Deps, tx: Tx, events: LogEvent[]): Promise<void> {
  const { tenantId } = events[0]!
  await followContacts(tx, tenantId, events)
  const [actives] = await Promise.all([activesOf(tx, tenantId), wakeListeners(tx, tenantId, events)])
  for (const event of events) await followBots(tx, event)
  const asked = [
    ...(await matchTriggers(tx, tenantId, events, actives)),
    ...(await watchSegments(tx, tenantId, events, actives)),
  ]
  // Most have gone their way, or wait, by the time they are written for the first time.
  const runs = await prepare(tx, asked)
  const moves = runs.map(run => ({ run, input: { type: 'arrived' as const } }))
  const left = await moveTogether(deps, tx, tenantId, moves, insertRuns)
  const admitted = await admitRuns(
    tx,
    left.map(({ run }) => run),
  )
  await wakeMany(
    tx,
    left.flatMap(({ run }) => (admitted.has(run.id) ? [{ run, why: 'go' as const }] : [])),
  )
}
