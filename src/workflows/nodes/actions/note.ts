import Type from 'typebox'
import { object } from '../../../platform/http/schemas.ts'
import { placeholderViolations } from '../node-fields.ts'
import { defineNode } from '../node-type.ts'

export const note = defineNode({
  type: 'note',
  summary: "Add a note to the run's log",
  docs: 'Visible to users who inspect the run, never to the customer.',
  data: object({ text: Type.String({ minLength: 1, maxLength: 2_000 }) }),
  example: { text: 'Asked for {{variables.topic}}' },
  violations: ({ text }) => placeholderViolations(text, 'text'),
  run: async step => {
    const text = await step.interpolate(step.data.text)
    await step.effects.note(text)
    return { to: 'next', detail: { note: text } }
  },
})
