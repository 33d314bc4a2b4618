import Type from 'typebox'
import { defineTrigger } from '../trigger-type.ts'

export const conversationIdle = defineTrigger({
  type: 'conversation_idle',
  summary: 'An open conversation has been idle',
  docs: `Starts when the last message of an open conversation, in either direction, is \`minutes\` old. Starts once per idle
period: a later message begins a new one. Checked every ten seconds.`,
  config: { minutes: Type.Integer({ minimum: 1, maximum: 525_600 }) },
  events: [],
})
