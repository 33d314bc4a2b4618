import { object } from '../../../platform/http/schemas.ts'
import { defineNode } from '../node-type.ts'

export const closeConversation = defineNode({
  type: 'closeConversation',
  summary: 'Close the conversation',
  docs: "Closes the run's conversation, or the contact's latest. Has no effect if it is closed or does not exist.",
  data: object({}),
  example: {},
  run: async ({ effects }) => {
    await effects.closeConversation()
    return { to: 'next' }
  },
})
