/**
 * Exits of a run: events and conditions in `exitWhen` of the start node that end the run wherever it is. A run that waits
 * carries its exits with their placeholders filled; conditions are also checked whenever the run continues.
 */
import { type ExitCase, listExits, type Plan } from '../../definition/plan.ts'
import { toWaitCase } from '../../nodes/flow/awaited-cases.ts'
import type { Input, Outcome, WaitCase } from '../../nodes/node-type.ts'
import { findTrueCase } from '../waits/conditions.ts'
import type { Run } from './run.ts'
import type { StepContext } from './step.ts'

/** Returns the exit that ends the run now, or undefined. */
export async function findExit(
  { tx, run, plan, scope }: StepContext,
  input: Input,
): Promise<Extract<Input, { type: 'exit' }> | undefined> {
  if (input.type === 'exit') return input
  const conditions = listExits(plan).map(toCondition)
  const index = await findTrueCase(tx, run, scope, conditions)
  return index === undefined ? undefined : { type: 'exit', index, event: null }
}

/** Events cannot be true when a run continues. */
function toCondition({ condition }: ExitCase): WaitCase {
  if (condition === undefined) return { event: '' }
  return typeof condition === 'string' ? { expression: condition } : { filter: condition }
}

export function toExitOutcome(plan: Plan, index: number): Outcome & { end: string } {
  const { goal } = listExits(plan)[index] ?? {}
  return goal === undefined
    ? { end: 'exited', detail: { exit: index } }
    : { end: 'goal', detail: { exit: index, goal } }
}

/** Lets events end the run, also while it does not wait. */
export function awaitExits(run: Run, exits: WaitCase[]): void {
  if (exits.length === 0) return
  run.wait = { ...run.wait, exits }
  run.waitsForEvent = true
}

/** Returns the exits of a run that is about to wait. */
export function resolveExits({ plan, scope }: Pick<StepContext, 'plan' | 'scope'>): Promise<WaitCase[]> {
  return Promise.all(listExits(plan).map(exit => toWaitCase(scope, exit)))
}
