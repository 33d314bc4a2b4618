/** Says why the service refused a request of the builder. */
import type { ApiError } from '../api/errors.ts'
import { describe } from '../ui/layout/state-view.tsx'
import { describeReason } from './problems/problem-texts.ts'

/** Returns the first reason, otherwise what happened to the request. */
export function describeRefusal(problem: ApiError): string {
  const [first] = problem.violations
  return first ? describeReason(first) : describe(problem)
}
