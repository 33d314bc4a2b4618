import Type from 'typebox'
import { defineTrigger } from '../trigger-type.ts'

export const conversationIdle = defineTrigger({
  type: 'conversation_idle',
  summary: 'An open conversation has been idle',
  docs: `Starts when the last message of a person in an open conversation, in either direction, is \`minutes\` old; messages of
journeys, bots and campaigns do not count. Starts once per silence: a later message of a person begins a new one. Starts at most
\`max\` times until the conversation is closed. Checked every ten seconds.`,
  config: {
    minutes: Type.Integer({ minimum: 1, maximum: 525_600 }),
    max: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Starts per open conversation; default 3' }),
    ),
  },
  events: [],
})
