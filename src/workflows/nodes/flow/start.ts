import Type from 'typebox'
import { literals, object } from '../../../platform/http/schemas.ts'
import { TriggerConfig } from '../../schemas.ts'
import { entryModes } from '../../triggers/trigger-type.ts'
import { defineNode } from '../node-type.ts'

export const start = defineNode({
  type: 'start',
  summary: 'The first node of every run',
  docs: `Every workflow has exactly one start node. It holds the trigger (\`triggerConfig\`) and the entry mode (\`entryMode\`):
\`once\` (a contact enters once, ever), \`once_active\` (only while no earlier run is in progress) or \`every_time\`. With
\`conditions\`, a ContactFilter, only matching contacts enter.

Both are optional in a chatbot: without them it starts a run for every message that no waiting run takes.`,
  data: object({
    triggerConfig: Type.Optional(TriggerConfig),
    entryMode: Type.Optional(literals(entryModes)),
  }),
  example: { triggerConfig: { type: 'contact_created', conditions: {} }, entryMode: 'once' },
  outputs: () => [{ name: 'next', summary: 'The run has started' }],
  run: () => ({ to: 'next' }),
})
