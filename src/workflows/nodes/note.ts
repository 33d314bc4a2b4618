import Type from 'typebox'
import { object } from '../../platform/http/schemas.ts'
import { defineNode } from './node-type.ts'
import { next, placeholderViolations } from './shared.ts'

export const note = defineNode({
  type: 'note',
  kinds: ['journey', 'chatbot'],
  summary: 'Write something into the log of the run',
  docs: 'For those who look at the run; the customer never sees it.',
  data: object({ text: Type.String({ minLength: 1, maxLength: 2_000 }) }),
  example: { text: 'Asked for {{variables.topic}}' },
  outputs: () => [next],
  violations: ({ text }) => placeholderViolations(text, 'text'),
  run: async step => {
    const text = await step.interpolate(step.data.text)
    await step.effects.note(text)
    return { to: 'next', detail: { note: text } }
  },
})
