import Type from 'typebox'
import { object } from '../../platform/http/schemas.ts'
import { Conditions } from './conditions.ts'
import { defineTrigger } from './trigger-type.ts'

export const conversationIdle = defineTrigger({
  type: 'conversation_idle',
  kinds: ['journey'],
  summary: 'Nobody has written in an open conversation for a while',
  docs: `The last message of an open conversation, whoever wrote it, is so many minutes old. It happens once for each
silence: a later message begins a new one. It is looked for every ten seconds.`,
  config: object({
    type: Type.Literal('conversation_idle'),
    minutes: Type.Integer({ minimum: 1, maximum: 525_600 }),
    conditions: Conditions,
  }),
  events: [],
})
