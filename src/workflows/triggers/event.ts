import Type from 'typebox'
import { object } from '../../platform/http/schemas.ts'
import { type EventReceived, eventReceived } from '../events.ts'
import { Conditions } from './conditions.ts'
import { defineTrigger } from './trigger-type.ts'

export const eventTrigger = defineTrigger({
  type: 'event',
  kinds: ['journey'],
  summary: 'Something happened in another system',
  docs: `An event of this name was sent with \`POST /events\`, or by an \`emitEvent\` node. The run sees it as \`event\`. What it
is about, such as a cart, is its key: the one it was sent with, or, with \`key\`, the member of its data that has this
name. Entry modes then count for each contact and key, and an event without the member does not enter.`,
  config: object({
    type: Type.Literal('event'),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    conditions: Conditions,
  }),
  events: [eventReceived.type],
  index: {
    config: ({ name }) => [name],
    event: ({ data }) => [(data as EventReceived).event.name],
  },
  match: ({ name, key }, { data }) => {
    const { contactId, event } = data as EventReceived
    if (event.name !== name) return undefined
    const own = key === undefined ? event.key : (event.data[key] ?? null)
    if (key !== undefined && (own === null || typeof own === 'object')) return undefined
    return { contactId, conversationId: null, event: { ...event, key: own === null ? null : String(own) } }
  },
})
