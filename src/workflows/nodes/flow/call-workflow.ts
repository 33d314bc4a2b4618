import Type from 'typebox'
import { AnyId, object } from '../../../platform/http/schemas.ts'
import { placeholderViolations } from '../node-fields.ts'
import { defineNode, type Json, next, type Outcome } from '../node-type.ts'

export const callWorkflow = defineNode({
  type: 'callWorkflow',
  summary: 'Start another journey for the contact',
  docs: `The journey must be active; its entry mode and conditions apply. The started run reads \`data\` as \`event.data\`. With
\`wait\` this run continues when the started run has ended. Without an edge from \`failed\`, a journey that cannot be started
is skipped.`,
  data: object({
    journeyId: AnyId,
    data: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 })),
    wait: Type.Optional(Type.Boolean()),
  }),
  example: { journeyId: 'jrn_…', data: { reason: 'won' }, wait: true },
  outputs: () => [
    next,
    { name: 'failed', summary: 'The journey could not be started, or failed while this run waited' },
  ],
  references: ({ journeyId }) => [{ kind: 'journey', id: journeyId, path: 'journeyId' }],
  violations: ({ data }) => placeholderViolations(data, 'data'),
  run: async (step): Promise<Outcome> => {
    const onFailure = step.connected('failed') ? 'failed' : 'next'
    const { input } = step
    if (input.type === 'returned')
      return { to: input.status === 'completed' ? 'next' : onFailure, detail: { status: input.status } }
    const data = (await step.interpolate(step.data.data ?? {})) as Record<string, Json>
    const started = await step.effects.startJourney(step.data.journeyId, data)
    if ('refused' in started) return { to: onFailure, detail: { refused: started.refused } }
    const detail = { runId: started.runId }
    if (step.data.wait) return { wait: { run: started.runId }, detail }
    return { to: 'next', detail }
  },
})
