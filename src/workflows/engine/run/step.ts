/** Builds the step: the interface through which a node reads and changes its run. */

import { loadSnapshots } from '../../../contacts/contact-views.ts'
import { findExistingTagsAndFields } from '../../../contacts/tags-and-fields/custom-fields.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { Plan, PlanNode } from '../../definition/plan.ts'
import type { Effects, Input, Step } from '../../nodes/node-type.ts'
import { contactMatchesFilter } from '../waits/conditions.ts'
import { type Run, toRunInfo } from './run.ts'
import { PermanentStepError, type RunScope } from './scope.ts'

export interface StepContext {
  tx: Tx
  run: Run
  plan: Plan
  scope: RunScope
  effects: Effects
  now: Date
}

const maxVariableCharacters = 65_536

export function buildStep(
  { tx, run, plan, scope, effects, now }: StepContext,
  node: PlanNode,
  input: Input,
): Step {
  return {
    tx,
    tenantId: run.tenantId,
    now,
    nodeId: node.id,
    data: node.data,
    run: toRunInfo(run),
    input,
    state: input.type === 'arrived' ? undefined : (run.state ?? undefined),
    visits: run.visits[node.id] ?? 1,
    effects,
    connected: output => plan.next(node.id, output) !== undefined,
    variable: name => (Object.hasOwn(run.variables, name) ? run.variables[name] : undefined),
    setVariable: (name, value) => {
      const size = JSON.stringify({ ...run.variables, [name]: value }).length
      if (size > maxVariableCharacters)
        throw new PermanentStepError('variables_too_large', 'the variables of a run must not exceed 64 KiB')
      run.variables = { ...run.variables, [name]: value }
    },
    interpolate: (value, options) => scope.interpolate(value, options),
    evaluate: expression => scope.evaluate(expression),
    matchesPattern: (pattern, text) => scope.matchesPattern(pattern, text),
    matches: filter => contactMatchesFilter(tx, run, filter, now),
    field: async fieldId => {
      const { fields } = await findExistingTagsAndFields(tx, run.tenantId, [], [fieldId])
      if (!fields.has(fieldId))
        throw new PermanentStepError('unknown_custom_field', `the custom field ${fieldId} was deleted`)
      const [contact] = await loadSnapshots(tx, run.tenantId, [run.contactId])
      return contact?.fields[fieldId] || undefined
    },
  }
}
