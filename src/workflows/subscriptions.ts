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
import { enter } from './engine/entering.ts'
import { wakeListeners } from './engine/listening.ts'
import { matchTriggers, triggeringEvents } from './engine/matching.ts'
import { moveTogether } from './engine/together.ts'
import { wakeMany } from './engine/waking.ts'
import { watchSegments } from './engine/watching.ts'

const alsoHeard = ['conversation.updated', 'message.updated']

export const followEvents = subscription({
  name: 'workflows.engine',
  types: [...new Set([...triggeringEvents, ...alsoHeard])],
  batch: 100,
  apply: (tx, events, deps) => apply(deps, tx, events),
})

async function apply(deps: Deps, tx: Tx, events: LogEvent[]): Promise<void> {
  const { tenantId } = events[0]!
  await followContacts(tx, tenantId, events)
  const actives = await activesOf(tx, tenantId)
  await wakeListeners(tx, tenantId, events)
  for (const event of events) await followBots(tx, event)
  const asked = [
    ...(await matchTriggers(tx, tenantId, events, actives)),
    ...(await watchSegments(tx, tenantId, events, actives)),
  ]
  const runs = await enter(tx, asked)
  const left = await moveTogether(
    deps,
    tx,
    tenantId,
    runs.map(run => ({ run, input: { type: 'arrived' } })),
  )
  await wakeMany(
    tx,
    left.map(({ run }) => ({ run, why: 'go' as const })),
  )
}
