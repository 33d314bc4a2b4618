import Type from 'typebox'
import { object } from '../../../platform/http/schemas.ts'
import { addDuration, Duration, duplicateViolations, VariableName } from '../node-fields.ts'
import { defineNode, type Json } from '../node-type.ts'
import {
  awaitedExpressions,
  awaitedProperties,
  awaitedReferences,
  awaitedViolations,
  toWaitCase,
} from './awaited-cases.ts'
import { CaseId, getCaseName } from './cases.ts'

const Case = object({ id: CaseId, ...awaitedProperties })

const data = object({
  cases: Type.Array(Case, { minItems: 1, maxItems: 20 }),
  timeout: Type.Optional(Duration),
  saveAs: Type.Optional(VariableName),
})

export const waitFor = defineNode({
  type: 'waitFor',
  summary: 'Wait for an event or a condition',
  docs: `Each case is an \`event\` about the contact or a \`condition\` (a ContactFilter or CEL expression); the first case that
becomes true is taken. An event is a custom event sent with \`POST /events\`, by its name, or an event of the service, such as
\`contact.updated\`, \`conversation.closed\` or \`message.received\`. The event's key must equal \`key\`, and its properties must
equal those of \`match\`; write \`"cartId": "{{event.data.cartId}}"\` to wait for the same cart. A condition that is already true
does not wait. \`saveAs\` names the variable that stores the event as \`{name, key, data}\`, or null for a condition. The output
of a case is named by its \`id\`, or by its index: \`0\`, \`1\` …`,
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
  references: ({ cases }) => awaitedReferences(cases, 'cases'),
  expressions: ({ cases }) => awaitedExpressions(cases, 'cases'),
  sets: ({ saveAs }) => (saveAs === undefined ? [] : [saveAs]),
  violations: ({ cases }) => [
    ...duplicateViolations(cases.map(getCaseName), ['timeout'], i => `cases[${i}].id`),
    ...cases.flatMap((one, i) => awaitedViolations(one, `cases[${i}]`)),
  ],
  run: async step => {
    const { input } = step
    if (input.type === 'timeout') return { to: 'timeout' }
    if (input.type === 'case') {
      const { index, event } = input
      if (step.data.saveAs) step.setVariable(step.data.saveAs, event as Json)
      return {
        to: getCaseName(step.data.cases[index], index),
        ...(event ? { detail: { event: event.name } } : {}),
      }
    }
    const { timeout } = step.data
    const cases = await Promise.all(step.data.cases.map(one => toWaitCase(step, one)))
    return { wait: { cases, ...(timeout ? { until: addDuration(step.now, timeout) } : {}) } }
  },
})
