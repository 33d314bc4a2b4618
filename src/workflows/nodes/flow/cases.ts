/** Cases of `branch` and `waitFor`: filters and expressions, each with an output named by its id or index. */
import Type, { type Static } from 'typebox'
import { type Violation, violation } from '../../../platform/errors.ts'
import { object } from '../../../platform/http/schemas.ts'
import { ContactFilter, filterReferences, filterViolations } from '../../../segments/filter/filter.ts'
import { findExpressionError, maxExpressionLength } from '../../expressions/expressions.ts'
import { OutputId } from '../node-fields.ts'
import type { LocatedExpression, Reference } from '../node-type.ts'

export const Expression = Type.String({
  minLength: 1,
  maxLength: maxExpressionLength,
  description: 'CEL over contact, conversation, message, variables, event and now',
})

export const Condition = Type.Union([Expression, ContactFilter])
export type Condition = Static<typeof Condition>

export const CaseId = Type.Optional(OutputId)

export const BranchCase = Type.Union([
  Expression,
  ContactFilter,
  object({ id: CaseId, filter: ContactFilter }),
  object({ id: CaseId, expression: Expression }),
])
export type BranchCase = Static<typeof BranchCase>

/** Returns the name of a case's output: its id, or its index. */
export function getCaseName(one: unknown, i: number): string {
  const id = typeof one === 'object' && one !== null ? (one as { id?: string }).id : undefined
  return id ?? String(i)
}

/** Returns the filter or expression of a case and its path within the case. */
export function getCondition(one: BranchCase): { condition: Condition; at: string } {
  if (typeof one === 'object' && 'filter' in one) return { condition: one.filter, at: '.filter' }
  if (typeof one === 'object' && 'expression' in one) return { condition: one.expression, at: '.expression' }
  return { condition: one, at: '' }
}

export function conditionViolations(condition: Condition, path: string): Violation[] {
  if (typeof condition !== 'string') return filterViolations(condition, path)
  const fault = findExpressionError(condition)
  return fault ? [violation(path, 'invalid_expression', fault)] : []
}

/** Returns the conditions that are expressions. */
export function listExpressions(
  conditions: readonly { condition: Condition | undefined; path: string }[],
): LocatedExpression[] {
  return conditions.flatMap(({ condition, path }) =>
    typeof condition === 'string' ? [{ path, expression: condition, isCondition: true }] : [],
  )
}

export function conditionReferences(condition: Condition, path: string): Reference[] {
  return typeof condition === 'string' ? [] : filterReferences(condition, path)
}
