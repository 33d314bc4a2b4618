import { object } from '../../platform/http/schemas.ts'
import { nodeKind } from './kind.ts'
import { next } from './parts.ts'

export const closeConversation = nodeKind({
  type: 'closeConversation',
  kinds: ['journey', 'chatbot'],
  summary: 'Close the conversation',
  docs: "The run's conversation, else the contact's latest. What is closed, or not there, stays as it is.",
  data: object({}),
  example: {},
  outputs: () => [next],
  run: async ({ effects }) => {
    await effects.closeConversation()
    return { to: 'next' }
  },
})
