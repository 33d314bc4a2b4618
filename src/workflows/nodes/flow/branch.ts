import Type from 'typebox'
import { object } from '../../../platform/http/schemas.ts'
import { duplicateViolations } from '../node-fields.ts'
import { defineNode } from '../node-type.ts'
import {
  BranchCase,
  conditionReferences,
  conditionViolations,
  getCaseName,
  getCondition,
  listExpressions,
} from './cases.ts'

export const branch = defineNode({
  type: 'branch',
  summary: 'Continue on one of several paths',
  docs: `Takes the first case that is true. A case is a ContactFilter or a CEL expression, either directly or as
\`{id, filter}\` or \`{id, expression}\`. Its output is named by its \`id\`, or by its index: \`0\`, \`1\` …`,
  data: object({ cases: Type.Array(BranchCase, { minItems: 1, maxItems: 20 }) }),
  example: {
    cases: [
      { id: 'big', expression: 'variables.total > 100' },
      { id: 'vip', filter: { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: ['tag_…'] }] } },
    ],
  },
  outputs: ({ cases }) => [
    ...cases.map((one, i) => ({ name: getCaseName(one, i), summary: `Case ${i} is true` })),
    { name: 'else', summary: 'No case is true' },
  ],
  references: ({ cases }) =>
    cases.flatMap((one, i) => {
      const { condition, at } = getCondition(one)
      return conditionReferences(condition, `cases[${i}]${at}`)
    }),
  expressions: ({ cases }) =>
    listExpressions(
      cases.map((one, i) => {
        const { condition, at } = getCondition(one)
        return { condition, path: `cases[${i}]${at}` }
      }),
    ),
  violations: ({ cases }) => [
    ...duplicateViolations(cases.map(getCaseName), ['else'], i => `cases[${i}].id`),
    ...cases.flatMap((one, i) => {
      const { condition, at } = getCondition(one)
      return conditionViolations(condition, `cases[${i}]${at}`)
    }),
  ],
  run: async step => {
    for (const [i, one] of step.data.cases.entries()) {
      const { condition } = getCondition(one)
      const holds =
        typeof condition === 'string'
          ? (await step.evaluate(condition)) === true
          : await step.matches(condition)
      if (holds) return { to: getCaseName(one, i) }
    }
    return { to: 'else' }
  },
})
