import Type, { type Static } from 'typebox'
import { object } from '../../../platform/http/schemas.ts'
import { defineNode, type Step, type WaitCase } from '../node-type.ts'
import {
  addDuration,
  Duration,
  duplicateViolations,
  exactlyOneViolations,
  placeholderViolations,
} from '../shared.ts'
import {
  CaseId,
  Condition,
  conditionReferences,
  conditionViolations,
  getCaseName,
  listExpressions,
} from './cases.ts'

const Text = Type.String({ maxLength: 500 })

const Case = object({
  id: CaseId,
  event: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  key: Type.Optional(Text),
  match: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Text, { maxProperties: 20 })),
  condition: Type.Optional(Condition),
})
type Case = Static<typeof Case>

const data = object({
  cases: Type.Array(Case, { minItems: 1, maxItems: 20 }),
  timeout: Type.Optional(Duration),
})

export const waitFor = defineNode({
  type: 'waitFor',
  summary: 'Wait for an event or a condition',
  docs: `Each case is an \`event\` about the contact or a \`condition\` (a ContactFilter or CEL expression); the first case that
becomes true is taken. An event is a custom event sent with \`POST /events\`, by its name, or an event of the service, such as
\`contact.updated\`, \`conversation.closed\` or \`message.received\`. The event's key must equal \`key\`, and its properties must
equal those of \`match\`; write \`"cartId": "{{event.data.cartId}}"\` to wait for the same cart. A condition that is already true
does not wait. The output of a case is named by its \`id\`, or by its index: \`0\`, \`1\` …`,
  data,
  example: {
    cases: [{ id: 'paid', event: 'checkout', match: { cartId: '{{event.data.cartId}}' } }],
    timeout: { hours: 24 },
  },
  outputs: ({ cases }) => [
    ...cases.map((one, i) => ({ name: getCaseName(one, i), summary: one.event ?? `Condition ${i} is true` })),
    { name: 'timeout', summary: 'No case became true in time' },
  ],
  waits: ({ cases }) => cases.every(one => one.event !== undefined),
  references: ({ cases }) =>
    cases.flatMap(({ condition }, i) =>
      condition === undefined ? [] : conditionReferences(condition, `cases[${i}].condition`),
    ),
  expressions: ({ cases }) =>
    listExpressions(cases.map(({ condition }, i) => ({ condition, path: `cases[${i}].condition` }))),
  violations: ({ cases }) => [
    ...duplicateViolations(cases.map(getCaseName), ['timeout'], i => `cases[${i}].id`),
    ...cases.flatMap((one, i) => caseViolations(one, `cases[${i}]`)),
  ],
  run: async step => {
    const { input } = step
    if (input.type === 'timeout') return { to: 'timeout' }
    if (input.type === 'case') {
      const { index, event } = input
      return {
        to: getCaseName(step.data.cases[index], index),
        ...(event ? { detail: { event: event.name } } : {}),
      }
    }
    const { timeout } = step.data
    const cases = await Promise.all(step.data.cases.map(one => waitCase(step, one)))
    return { wait: { cases, ...(timeout ? { until: addDuration(step.now, timeout) } : {}) } }
  },
})

function caseViolations(one: Case, path: string) {
  const under = (faults: ReturnType<typeof exactlyOneViolations>) =>
    faults.map(fault => ({ ...fault, field: `${path}.${fault.field}` }))
  return [
    ...under(exactlyOneViolations(one, ['event', 'condition'])),
    ...(one.event === undefined && (one.key !== undefined || one.match !== undefined)
      ? under([
          {
            field: one.key === undefined ? 'match' : 'key',
            code: 'unexpected',
            message: 'must only be set together with event',
          },
        ])
      : []),
    ...(one.condition === undefined ? [] : conditionViolations(one.condition, `${path}.condition`)),
    ...placeholderViolations(one.key, `${path}.key`),
    ...placeholderViolations(one.match, `${path}.match`),
  ]
}

async function waitCase(step: Step, { event, key, match, condition }: Case): Promise<WaitCase> {
  if (event === undefined)
    return typeof condition === 'string' ? { expression: condition } : { filter: condition! }
  return {
    event,
    ...(key === undefined ? {} : { key: await step.interpolate(key) }),
    ...(match === undefined ? {} : { match: await step.interpolate(match) }),
  }
}
