import Type from 'typebox'
import { object } from '../../platform/http/schemas.ts'
import { defineNode } from './node-type.ts'

export const goal = defineNode({
  type: 'goal',
  kinds: ['journey', 'chatbot'],
  summary: 'Note that the run has reached what it was for',
  docs: 'The run ends here as having reached its goal, or goes on where an edge leaves.',
  data: object({ name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) }),
  example: { name: 'bought' },
  outputs: () => [{ name: 'next', summary: 'The goal is reached' }],
  run: ({ data: { name }, connected }) => {
    const detail = name === undefined ? {} : { detail: { goal: name } }
    return connected('next') ? { to: 'next', ...detail } : { end: 'goal', ...detail }
  },
})
