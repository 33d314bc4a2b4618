/** What ends a wait for cases: a condition that holds, or an event that fits. */
import type { Tx } from '../../../platform/db/db.ts'
import { ExpressionError } from '../../expressions/expressions.ts'
import type { RunEvent, WaitCase } from '../../nodes/node-type.ts'
import type { Run } from '../run/run.ts'
import type { RunScope } from '../run/scope.ts'
import { contactMatchesFilter } from '../run/step.ts'

/** Of the conditions; events are not looked at. */
export async function findTrueCase(
  tx: Tx,
  run: Run,
  scope: RunScope,
  cases: readonly WaitCase[],
): Promise<number | undefined> {
  for (const [index, one] of cases.entries()) {
    if ('filter' in one && (await contactMatchesFilter(tx, run, one.filter, new Date(tx.now)))) return index
    if ('expression' in one && (await isTrue(scope, one.expression))) return index
  }
  return undefined
}

/** What cannot be told yet is not true yet. */
async function isTrue(scope: RunScope, expression: string): Promise<boolean> {
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

export function findCaseForEvent(cases: readonly WaitCase[], event: RunEvent): number | undefined {
  const index = cases.findIndex(one => 'event' in one && matchesEvent(one, event))
  return index < 0 ? undefined : index
}

function matchesEvent(one: Extract<WaitCase, { event: string }>, event: RunEvent): boolean {
  if (one.event !== event.name) return false
  if (one.key !== undefined && one.key !== (event.key ?? '')) return false
  return Object.entries(one.match ?? {}).every(([name, value]) => getEventText(event, name) === value)
}

/** `key` and `name` are the event's own; everything else is in its data. */
function getEventText(event: RunEvent, name: string): string | undefined {
  const value = Object.hasOwn(event.data, name) ? event.data[name] : name === 'key' ? event.key : undefined
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
