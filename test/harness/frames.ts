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

export async function openFrames(client: Client): Promise<Frame[]> {
  const headers = { authorization: `Bearer ${client.token}` }
  const ws = new WebSocket(`${client.url.replace('http', 'ws')}/v1/realtime`, { headers })
  const frames: Frame[] = []
  ws.on('message', data => frames.push(JSON.parse(String(data))))
  await new Promise((resolve, reject) => ws.once('message', resolve).once('error', reject))
  afterAll(() => ws.terminate())
  return frames
}
