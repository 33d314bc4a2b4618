import Type from 'typebox'
import { object } from '../../../platform/http/schemas.ts'
import { defineNode } from '../node-type.ts'

export const goal = defineNode({
  type: 'goal',
  summary: 'Record that the run has reached its goal',
  docs: 'Ends the run with the reason `goal`, or continues if an edge leaves the node.',
  data: object({ name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) }),
  example: { name: 'bought' },
  outputs: () => [{ name: 'next', summary: 'The goal is reached' }],
  run: ({ data: { name }, connected }) => {
    const detail = name === undefined ? {} : { detail: { goal: name } }
    return connected('next') ? { to: 'next', ...detail } : { end: 'goal', ...detail }
  },
})
