import { object } from '../../../platform/http/schemas.ts'
import { defineNode } from '../node-type.ts'

export const end = defineNode({
  type: 'end',
  summary: 'The run ends here',
  docs: 'An output without an edge ends the run just as well; this says that it is meant.',
  data: object({}),
  example: {},
  outputs: () => [],
  run: () => ({ end: 'end' }),
})
