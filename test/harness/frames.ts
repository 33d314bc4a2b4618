/** Opens a realtime socket for one test and collects its frames. */
import { afterAll } from 'vitest'
import { WebSocket } from 'ws'
import type { Client } from './api.ts'

export interface Frame {
  seq?: number
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read frames freely
  data: any
}

export interface Frames extends Array<Frame> {
  /** Sends a frame of the client. */
  say(type: string, data: object): void
}

/** `since` resumes after an event. */
export async function openFrames(client: Client, since?: number): Promise<Frames> {
  const headers = { authorization: `Bearer ${client.token}` }
  const ws = new WebSocket(`${client.url.replace('http', 'ws')}/v1/realtime?since=${since ?? ''}`, {
    headers,
  })
  const say = (type: string, data: object) => ws.send(JSON.stringify({ type, data }))
  const frames: Frames = Object.assign([], { say })
  ws.on('message', data => frames.push(JSON.parse(String(data))))
  await new Promise((resolve, reject) => ws.once('message', resolve).once('error', reject))
  afterAll(() => ws.terminate())
  return frames
}
