/**
 * Builds the body of a delivery as the bytes that are signed and sent. It is assembled from the JSON texts in the event
 * log, so retries send identical bytes.
 */
import { testType } from '../schemas.ts'

export interface Envelope {
  id: string
  type: string
  timestamp: string
  /** The number among the public events of the workspace (extension). */
  sequence: number
  /** JSON texts of the public parts of the event */
  contact: string | null
  conversation: string | null
  message: string | null
  inbox: string | null
  journey: string | null
  chatbot: string | null
  rating: string | null
  changes: string | null
}

/**
 * Contact events contain the contact, conversation events the conversation, message events message and conversation, events
 * of inboxes, journeys and chatbots these. Ratings are conversation events with the rating. Updates also contain the names of
 * the properties that changed.
 */
export function buildBody(envelope: Envelope): Buffer {
  const { id, type, timestamp, sequence, contact, changes } = envelope
  const { conversation, message, inbox, journey, chatbot, rating } = envelope
  const parts = type.startsWith('contact.')
    ? { contact, changes }
    : { message, conversation, inbox, journey, chatbot, rating, changes }
  const data = Object.entries(parts)
    .filter(([, text]) => text !== null)
    .map(([name, text]) => `"${name}":${text}`)
  return Buffer.from(
    `{"id":"${id}","type":"${type}","timestamp":"${timestamp}","data":{${data.join()}},"sequence":${sequence}}`,
  )
}

export function buildTestBody(id: string, timestamp: string): Buffer {
  return Buffer.from(JSON.stringify({ id, type: testType, timestamp, data: { test: true }, sequence: null }))
}
