/** Which journeys the events of the log start. */
import type { Tx } from '../../platform/db/db.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import type { Active } from '../store/engine-versions.ts'
import { triggerKindOf, triggerKinds } from '../triggers/all.ts'
import type { Actives } from './actives.ts'
import { deepestCause, type Entering, withConditions } from './entering.ts'

export const triggeringEvents: readonly string[] = [...new Set(triggerKinds.flatMap(kind => kind.events))]

/** Those that ask for it, in the order of the events; whether they may enter is for their entry mode to say. */
export async function matchTriggers(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
  actives: Actives,
): Promise<Entering[]> {
  const asked = events.flatMap(event =>
    actives.lookingAt(event).flatMap(active => enteringOf(active, event) ?? []),
  )
  return confirmed(tx, tenantId, await withConditions(tx, tenantId, asked))
}

export function enteringOf(active: Active, event: LogEvent): Entering | undefined {
  const kind = triggerKindOf(active.trigger.type)
  const { importId } = event.data as { importId?: string }
  if (event.causeDepth > deepestCause) return undefined
  if (importId !== undefined && !kind?.imported?.(active.trigger as never)) return undefined
  const entry = kind?.match?.(active.trigger as never, event)
  return entry && { active, entry, causeDepth: event.causeDepth }
}

async function confirmed(tx: Tx, tenantId: string, enterings: readonly Entering[]): Promise<Entering[]> {
  const out: Entering[] = []
  for (const entering of enterings) {
    const { active, entry } = entering
    const confirm = triggerKindOf(active.trigger.type)?.confirm
    if (!confirm || (await confirm(tx, tenantId, active.trigger as never, entry))) out.push(entering)
  }
  return out
}
