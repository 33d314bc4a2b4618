import Type from 'typebox'
import { channels } from '../../platform/config.ts'
import { literals, object } from '../../platform/http/schemas.ts'
import { defineNode } from './node-type.ts'
import { next } from './shared.ts'

export const setOptOut = defineNode({
  type: 'setOptOut',
  kinds: ['journey', 'chatbot'],
  summary: 'Note that the contact does, or does not, want messages',
  docs: 'On one channel. From then on nothing is sent there, by anybody, until it is taken back.',
  data: object({ channel: literals(channels), optedOut: Type.Boolean() }),
  example: { channel: 'sms', optedOut: true },
  outputs: () => [next],
  run: async ({ data: { channel, optedOut }, effects }) => {
    await effects.setOptOut(channel, optedOut)
    return { to: 'next' }
  },
})
