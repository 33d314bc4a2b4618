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

/** The members that all steps of a transaction share, built once. */
type CommonStep = Omit<Step, 'nodeId' | 'data' | 'run' | 'input' | 'state' | 'visits' | 'connected'>

export function buildCommonStep({ tx, run, scope, effects, now }: Omit<StepContext, 'plan'>): CommonStep {
  return {
    tx,
    tenantId: run.tenantId,
    now,
    effects,
    variable: name => (Object.hasOwn(run.variables, name) ? run.variables[name] : undefined),
    setVariable: (name, value) => {
      const variables = { ...run.variables, [name]: value }
      if (JSON.stringify(variables).length > maxVariableCharacters)
        throw new PermanentStepError('variables_too_large', 'the variables of a run must not exceed 64 KiB')
      run.variables = variables
    },
    interpolate: scope.interpolate,
    evaluate: scope.evaluate,
    matchesPattern: scope.matchesPattern,
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

export function buildStep(
  { run, plan }: Pick<StepContext, 'run' | 'plan'>,
  common: CommonStep,
  node: PlanNode,
  input: Input,
): Step {
  // Listed, because a spread of these members took 20 µs for each step.
  return {
    tx: common.tx,
    tenantId: common.tenantId,
    now: common.now,
    effects: common.effects,
    variable: common.variable,
    setVariable: common.setVariable,
    interpolate: common.interpolate,
    evaluate: common.evaluate,
    matchesPattern: common.matchesPattern,
    matches: common.matches,
    field: common.field,
    nodeId: node.id,
    data: node.data,
    run: toRunInfo(run),
    input,
    state: input.type === 'arrived' ? undefined : (run.state ?? undefined),
    visits: run.visits[node.id] ?? 1,
    connected: output => plan.next(node.id, output) !== undefined,
  }
}
