import { createHash } from 'node:crypto'
import Type from 'typebox'
import { violation } from '../../../platform/errors.ts'
import { object } from '../../../platform/http/schemas.ts'
import { defineNode } from '../node-type.ts'

const Weight = Type.Number({ minimum: 0, maximum: 1_000_000 })

export const split = defineNode({
  type: 'split',
  summary: 'Distribute contacts at random',
  docs: `\`weights\` gives each output its share: \`{"a": 50, "b": 50}\`, or \`[50, 50]\` with the outputs \`0\` and \`1\`. A
contact always takes the same output of the same node and workflow, also in later runs.`,
  data: object({
    weights: Type.Union([
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,100}$' }), Weight, {
        minProperties: 2,
        maxProperties: 20,
      }),
      Type.Array(Weight, { minItems: 2, maxItems: 20 }),
    ]),
  }),
  example: { weights: { a: 50, b: 50 } },
  outputs: ({ weights }) =>
    Object.entries(weights).map(([name, weight]) => ({ name, summary: `Share ${weight}` })),
  violations: ({ weights }) =>
    Object.values(weights).some(weight => weight > 0)
      ? []
      : [violation('weights', 'invalid_value', 'must not all be 0')],
  run: ({ data: { weights }, run, nodeId }) => ({
    to: pickOutput(weights as Record<string, number>, `${run.workflowId}/${nodeId}/${run.contactId}`),
  }),
})

/** Picks an output by weight. The same key always gets the same output. */
export function pickOutput(weights: Readonly<Record<string, number>>, key: string): string {
  const shares = Object.entries(weights).filter(([, weight]) => weight > 0)
  const total = shares.reduce((sum, [, weight]) => sum + weight, 0)
  let left = (createHash('sha256').update(key).digest().readUIntBE(0, 6) / 2 ** 48) * total
  for (const [name, weight] of shares) {
    if (left < weight) return name
    left -= weight
  }
  return shares.at(-1)![0]
}
