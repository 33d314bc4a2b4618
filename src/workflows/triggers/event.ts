import Type from 'typebox'
import { type EventReceived, eventReceived } from '../events.ts'
import { Duration } from '../nodes/node-fields.ts'
import { defineTrigger } from './trigger-type.ts'

export const eventTrigger = defineTrigger({
  type: 'event',
  summary: 'A custom event was received',
  docs: `Starts for an event of this name sent with \`POST /events\` or by an \`emitEvent\` node. The run reads it as \`event\`. The
key identifies the subject of the event, such as a cart: the key it was sent with, or, with \`key\`, the property of its data
with this name. Entry modes apply per contact and key. Events without that property start no run.

With \`debounce\` the run starts when no further event of the contact and key has arrived for that time, with the newest event.
With \`restart\` an event ends a run in progress of the contact and key (reason \`restarted\`) and starts a new one, so that its
timers follow the newest event.`,
  config: {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    debounce: Type.Optional(Duration),
    restart: Type.Optional(Type.Boolean()),
  },
  events: [eventReceived.type],
  index: {
    config: ({ name }) => [name],
    event: ({ data }) => [(data as EventReceived).event.name],
  },
  match: ({ name, key }, { data }) => {
    const { contactId, event } = data as EventReceived
    if (event.name !== name) return undefined
    const value = key === undefined ? event.key : (event.data[key] ?? null)
    if (key !== undefined && (value === null || typeof value === 'object')) return undefined
    return {
      contactId,
      conversationId: null,
      event: { ...event, key: value === null ? null : String(value) },
    }
  },
})
