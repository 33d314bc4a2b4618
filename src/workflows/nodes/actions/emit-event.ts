import Type from 'typebox'
import { object } from '../../../platform/http/schemas.ts'
import { placeholderViolations } from '../node-fields.ts'
import { defineNode, type Json } from '../node-type.ts'

export const emitEvent = defineNode({
  type: 'emitEvent',
  summary: 'Emit a custom event',
  docs: `Same as \`POST /events\` for the run's contact: starts journeys with an \`event\` trigger of this name, and resumes runs
that wait for it. Texts in \`key\` and \`data\` may contain placeholders.`,
  data: object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    key: Type.Optional(Type.String({ maxLength: 200 })),
    data: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 })),
  }),
  example: { name: 'quiz_finished', key: '{{event.key}}', data: { score: '{{variables.score}}' } },
  violations: given => [
    ...placeholderViolations(given.key, 'key'),
    ...placeholderViolations(given.data, 'data'),
  ],
  run: async step => {
    const { name } = step.data
    const key = step.data.key === undefined ? {} : { key: await step.interpolate(step.data.key) }
    const data =
      step.data.data === undefined
        ? {}
        : { data: (await step.interpolate(step.data.data)) as Record<string, Json> }
    await step.effects.emitEvent({ name, ...key, ...data })
    return { to: 'next', detail: { event: name } }
  },
})
