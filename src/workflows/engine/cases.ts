/** What ends a wait for cases: a condition that holds, or an event that fits. */
import type { Tx } from '../../platform/db/db.ts'
import { ExpressionError } from '../expressions.ts'
import type { EventFacts, WaitCase } from '../nodes/kind.ts'
import type { Run } from './run.ts'
import type { RunScope } from './scope.ts'
import { matches } from './step.ts'

/** Of the conditions; events are not looked at. */
export async function firstTrueCase(
  tx: Tx,
  run: Run,
  scope: RunScope,
  cases: readonly WaitCase[],
): Promise<number | undefined> {
  for (const [index, one] of cases.entries()) {
    if ('filter' in one && (await matches(tx, run, one.filter, new Date(tx.now)))) return index
    if ('expression' in one && (await holds(scope, one.expression))) return index
  }
  return undefined
}

/** What cannot be told yet is not true yet. */
async function holds(scope: RunScope, expression: string): Promise<boolean> {
  try {
    return (await scope.evaluate(expression)) === true
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

export function hasConditions(cases: readonly WaitCase[]): boolean {
  return cases.some(one => !('event' in one))
}

export function caseOfEvent(cases: readonly WaitCase[], event: EventFacts): number | undefined {
  const index = cases.findIndex(one => 'event' in one && fits(one, event))
  return index < 0 ? undefined : index
}

function fits(one: Extract<WaitCase, { event: string }>, event: EventFacts): boolean {
  if (one.event !== event.name) return false
  if (one.key !== undefined && one.key !== (event.key ?? '')) return false
  return Object.entries(one.match ?? {}).every(([name, value]) => textAt(event, name) === value)
}

/** `key` and `name` are the event's own; everything else is in its data. */
function textAt(event: EventFacts, name: string): string | undefined {
  const value = Object.hasOwn(event.data, name) ? event.data[name] : name === 'key' ? event.key : undefined
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
