/**
 * The body of a delivery, as the bytes that are signed and sent. It is put together from the texts in the log, so a
 * retry days later says the same, byte for byte.
 */
import { testType } from './event-types.ts'

export interface Envelope {
  id: string
  type: string
  timestamp: string
  /** Of the log; extension. */
  sequence: number
  /** JSON texts of the public parts of the event. */
  contact: string | null
  conversation: string | null
  message: string | null
}

/** Contact events show the contact, conversation events the conversation, message events both of theirs. */
export function buildBody({
  id,
  type,
  timestamp,
  sequence,
  contact,
  conversation,
  message,
}: Envelope): Buffer {
  const shown = type.startsWith('contact.') ? { contact } : { message, conversation }
  const data = Object.entries(shown)
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `"${name}":${text}`)
  return Buffer.from(
    `{"id":"${id}","type":"${type}","timestamp":"${timestamp}","data":{${data.join()}},"sequence":${sequence}}`,
  )
}

export function buildTestBody(id: string, timestamp: string): Buffer {
  return Buffer.from(JSON.stringify({ id, type: testType, timestamp, data: { test: true }, sequence: null }))
}
