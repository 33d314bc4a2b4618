import { object } from '../../platform/http/schemas.ts'
import { defineNode } from './node-type.ts'
import { next } from './shared.ts'

export const closeConversation = defineNode({
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
