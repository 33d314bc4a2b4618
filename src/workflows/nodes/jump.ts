import Type from 'typebox'
import { violation } from '../../platform/errors.ts'
import { object } from '../../platform/http/schemas.ts'
import { defineNode } from './node-type.ts'

const defaultMax = 10

export const jump = defineNode({
  type: 'jump',
  kinds: ['journey', 'chatbot'],
  summary: 'Go on at another node',
  docs: `At the node with the id \`to\`, at most \`max\` times in a run (10 when left out); after that the run leaves by
\`next\`. As it is bounded, a loop through it need not wait.`,
  data: object({
    to: Type.String({ minLength: 1, maxLength: 100 }),
    max: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  }),
  example: { to: 'menu', max: 3 },
  outputs: () => [{ name: 'next', summary: 'It has jumped often enough' }],
  references: ({ to }) => [{ kind: 'node', id: to, path: 'to' }],
  violations: ({ to }, { nodes }) => {
    const target = nodes.find(node => node.id === to)
    if (!target) return [violation('to', 'unknown_node', `there is no node "${to}"`)]
    return target.type === 'jump' ? [violation('to', 'jump_to_jump', 'must not be a jump itself')] : []
  },
  run: ({ data: { to, max = defaultMax }, visits }) => (visits <= max ? { jump: to } : { to: 'next' }),
})
