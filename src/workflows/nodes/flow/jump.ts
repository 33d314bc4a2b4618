import Type from 'typebox'
import { violation } from '../../../platform/errors.ts'
import { object } from '../../../platform/http/schemas.ts'
import { describeUnknownNode } from '../node-fields.ts'
import { defineNode } from '../node-type.ts'

const defaultMax = 10

export const jump = defineNode({
  type: 'jump',
  summary: 'Continue at another node',
  docs: `Continues at the node with the id \`to\`, at most \`max\` times in a run (default 10); after that the run leaves by
\`next\`. Because the number of jumps is limited, a loop through a jump does not need a wait.`,
  data: object({
    to: Type.String({ minLength: 1, maxLength: 100 }),
    max: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  }),
  example: { to: 'menu', max: 3 },
  outputs: () => [{ name: 'next', summary: 'The maximum number of jumps is reached' }],
  references: ({ to }) => [{ kind: 'node', id: to, path: 'to' }],
  violations: ({ to }, { nodes }) => {
    const target = nodes.find(node => node.id === to)
    if (!target) {
      const ids = nodes.map(node => node.id)
      return [violation('to', 'unknown_node', describeUnknownNode(to, ids))]
    }
    return target.type === 'jump' ? [violation('to', 'jump_to_jump', 'must not be a jump node')] : []
  },
  run: ({ data: { to, max = defaultMax }, visits }) => (visits <= max ? { jump: to } : { to: 'next' }),
})
