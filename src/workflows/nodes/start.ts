import Type from 'typebox'
import { literals, object } from '../../platform/http/schemas.ts'
import { TriggerConfig } from '../schemas.ts'
import { entryModes } from '../triggers/trigger-type.ts'
import { defineNode } from './node-type.ts'

export const start = defineNode({
  type: 'start',
  kinds: ['journey', 'chatbot'],
  summary: 'Where a run begins',
  docs: `Every workflow has exactly one. It holds what starts a run (\`triggerConfig\`) and how often a contact may enter
(\`entryMode\`): \`once\` in a lifetime, \`once_active\` as long as no earlier run is under way, or \`every_time\`. With
\`conditions\`, a ContactFilter, only contacts that match enter.

In a chatbot both may be left out: it then answers every message that finds no run waiting.`,
  data: object({
    triggerConfig: Type.Optional(TriggerConfig),
    entryMode: Type.Optional(literals(entryModes)),
  }),
  example: { triggerConfig: { type: 'contact_created', conditions: {} }, entryMode: 'once' },
  outputs: () => [{ name: 'next', summary: 'The run has begun' }],
  run: () => ({ to: 'next' }),
})
