import Type from 'typebox'
import { channels } from '../../../platform/config.ts'
import { literals, object } from '../../../platform/http/schemas.ts'
import { defineNode } from '../node-type.ts'

export const setOptOut = defineNode({
  type: 'setOptOut',
  summary: 'Opt the contact in or out of a channel',
  docs: 'While a contact is opted out, nobody can send messages to them on this channel.',
  data: object({ channel: literals(channels), optedOut: Type.Boolean() }),
  example: { channel: 'sms', optedOut: true },
  run: async ({ data: { channel, optedOut }, effects }) => {
    await effects.setOptOut(channel, optedOut)
    return { to: 'next' }
  },
})
