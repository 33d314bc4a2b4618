/** Something that keeps contacts and answers over HTTP: how to make one, and how to list the newest 50. */
import type { Load } from './loads.ts'

type Ask = Pick<Load, 'method' | 'path' | 'body'>

export interface Backend {
  url: string
  headers: Record<string, string>
  create: Ask
  list: Ask
  stop(): Promise<void>
}
