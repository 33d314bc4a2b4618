/** An HTTP API for contacts: the requests that create a contact and list the newest 50. */
import type { Load } from './loads.ts'

type Ask = Pick<Load, 'method' | 'path' | 'body'>

export interface Backend {
  url: string
  headers: Record<string, string>
  create: Ask
  list: Ask
  stop(): Promise<void>
}
