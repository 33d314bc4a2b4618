/** The cases of a workflow: simulations that are stored with it, with the path and the effects that their author expects. */
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import type { Definition, WorkflowKind } from '../model/definition.ts'
import { isEqual } from '../model/merge.ts'

export type WorkflowCase = Schemas['WorkflowCase']
export type Simulation = Schemas['Simulation']
export type SimulationRequest = WorkflowCase['request']
type Expected = WorkflowCase['expected']

export const maxCases = 50

/** Simulates the definition on the screen; it need not be saved. */
export function simulate(
  kind: WorkflowKind,
  id: string,
  definition: Definition,
  request: SimulationRequest,
): Promise<Simulation> {
  const params = { path: { id } }
  return kind === 'journey'
    ? call(api.POST('/journeys/{id}/simulate', { params, body: { ...request, definition } }))
    : call(api.POST('/chatbots/{id}/simulate', { params, body: { ...request, draft: definition } }))
}

export interface CaseSet {
  cases: WorkflowCase[]
  revision: number
}

export function loadCases(kind: WorkflowKind, id: string): Promise<CaseSet> {
  const params = { path: { id } }
  return kind === 'journey'
    ? call(api.GET('/journeys/{id}/cases', { params }))
    : call(api.GET('/chatbots/{id}/cases', { params }))
}

function saveCases(kind: WorkflowKind, id: string, { cases, revision }: CaseSet): Promise<CaseSet> {
  const params = { path: { id }, header: { 'If-Match': `"${revision}"` } }
  return kind === 'journey'
    ? call(api.PUT('/journeys/{id}/cases', { params, body: { cases } }))
    : call(api.PUT('/chatbots/{id}/cases', { params, body: { cases } }))
}

const maxAttempts = 3

/**
 * Changes the list that is shown. If a colleague has changed it meanwhile, the change is made to theirs, and `hadConflict`
 * says so.
 */
export async function changeCases(
  kind: WorkflowKind,
  id: string,
  shown: CaseSet,
  change: (cases: readonly WorkflowCase[]) => WorkflowCase[],
): Promise<CaseSet & { hadConflict: boolean }> {
  let base = shown
  for (let attempt = 1; ; attempt++) {
    try {
      const saved = await saveCases(kind, id, { ...base, cases: change(base.cases) })
      return { ...saved, hadConflict: attempt > 1 }
    } catch (error) {
      if (ApiError.from(error).status !== 412 || attempt === maxAttempts) throw error
      base = await loadCases(kind, id)
    }
  }
}

/** Returns the part of a result that a case compares: wordings and times may change. */
export function toExpected({ entered, endReason, path, effects }: Simulation): Expected {
  return {
    entered,
    endReason,
    path: path.map(({ nodeId, output }) => ({ nodeId, output })),
    effects: effects.map(({ nodeId, effect }) => ({ nodeId, effect })),
  }
}

export interface CaseResult {
  case: WorkflowCase
  passed: boolean
  /** The first thing that differs from the expectation. */
  difference?: CaseDifference
  /** The request failed, such as for a draft with violations. */
  error?: unknown
}

type Expectation = Expected['path'][number] | Expected['effects'][number] | boolean | string | null

export interface CaseDifference {
  what: 'entry' | 'path' | 'effects' | 'end'
  /** Undefined: nothing is expected, or nothing more happened. */
  expected: Expectation | undefined
  actual: Expectation | undefined
}

function findFirst<T extends Expectation>(
  what: CaseDifference['what'],
  expected: readonly T[],
  actual: readonly T[],
): CaseDifference | undefined {
  for (let i = 0; i < Math.max(expected.length, actual.length); i++)
    if (!isEqual(expected[i], actual[i])) return { what, expected: expected[i], actual: actual[i] }
  return undefined
}

/** Returns the first difference between what a case expects and what a simulation did. */
export function compareCase(expected: Expected, simulation: Simulation): CaseDifference | undefined {
  const actual = toExpected(simulation)
  return (
    findFirst('entry', [expected.entered], [actual.entered]) ??
    findFirst('path', expected.path, actual.path) ??
    findFirst('effects', expected.effects, actual.effects) ??
    findFirst('end', [expected.endReason], [actual.endReason])
  )
}

async function runCase(
  kind: WorkflowKind,
  id: string,
  definition: Definition,
  one: WorkflowCase,
): Promise<CaseResult> {
  try {
    const difference = compareCase(one.expected, await simulate(kind, id, definition, one.request))
    return { case: one, passed: difference === undefined, ...(difference ? { difference } : {}) }
  } catch (error) {
    return { case: one, passed: false, error }
  }
}

/** Runs all cases of the workflow on the definition, one after another: the service limits concurrent simulations. */
export async function runCases(
  kind: WorkflowKind,
  id: string,
  definition: Definition,
): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  const { cases } = await loadCases(kind, id)
  for (const one of cases) results.push(await runCase(kind, id, definition, one))
  return results
}
