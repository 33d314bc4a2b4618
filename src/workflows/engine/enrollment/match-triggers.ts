/** Which journeys the events of the log start. */
import type { Tx } from '../../../platform/db/db.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import type { ActiveWorkflow } from '../../store/active-workflows.ts'
import { findTriggerType, triggerTypes } from '../../triggers/registry.ts'
import { type Enrollment, filterByConditions, maxCausationDepth } from './enroll.ts'
import type { TriggerIndex } from './trigger-index.ts'

export const triggerEventTypes: readonly string[] = [...new Set(triggerTypes.flatMap(kind => kind.events))]

/** Those that ask for it, in the order of the events; whether they may enter is for their entry mode to say. */
export async function matchTriggers(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
  actives: TriggerIndex,
): Promise<Enrollment[]> {
  const asked = events.flatMap(event =>
    actives.candidates(event).flatMap(active => matchTrigger(active, event) ?? []),
  )
  return confirmMatches(tx, tenantId, await filterByConditions(tx, tenantId, asked))
}

export function matchTrigger(active: ActiveWorkflow, event: LogEvent): Enrollment | undefined {
  const kind = findTriggerType(active.trigger.type)
  const { importId } = event.data as { importId?: string }
  if (event.causationDepth > maxCausationDepth) return undefined
  if (importId !== undefined && !kind?.includesImported?.(active.trigger as never)) return undefined
  const entry = kind?.match?.(active.trigger as never, event)
  return entry && { active, entry, causationDepth: event.causationDepth }
}

async function confirmMatches(
  tx: Tx,
  tenantId: string,
  enterings: readonly Enrollment[],
): Promise<Enrollment[]> {
  const out: Enrollment[] = []
  for (const entering of enterings) {
    const { active, entry } = entering
    const confirm = findTriggerType(active.trigger.type)?.confirm
    if (!confirm || (await confirm(tx, tenantId, active.trigger as never, entry))) out.push(entering)
  }
  return out
}
