import { object } from '../../platform/http/schemas.ts'
import { defineNode } from './node-type.ts'
import { next } from './shared.ts'

export const closeConversation = defineNode({
  type: 'closeConversation',
  kinds: ['journey', 'chatbot'],
  summary: 'Close the conversation',
  docs: "Closes the run's conversation, or the contact's latest. Has no effect if it is closed or does not exist.",
  data: object({}),
  example: {},
  outputs: () => [next],
  run: async ({ effects }) => {
    await effects.closeConversation()
    return { to: 'next' }
  },
})
