/** A realtime client that reconnects with the last sequence number it received and drops duplicates. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

export function watch(url: () => string, token: string) {
  const frames = new Map<number, string>()
  let last = 0
  let stopped = false
  let socket: WebSocket | undefined

  async function follow(): Promise<void> {
    while (!stopped) {
      await new Promise<void>(resolve => {
        socket = new WebSocket(`${url().replace('http', 'ws')}/v1/realtime?since=${last}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        socket.on('message', data => {
          const { seq, type } = JSON.parse(String(data)) as { seq?: number; type: string }
          if (seq === undefined || type === 'hello') return
          frames.set(seq, type)
          last = Math.max(last, seq)
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
      })
      await sleep(100)
    }
  }
  void follow()
  return {
    /** Returns the sequence numbers of message events, in order. */
    received: (): number[] =>
      [...frames]
        .filter(([, type]) => type === 'message.created' || type === 'message.updated')
        .map(([seq]) => seq)
        .sort((a, b) => a - b),
    stop: () => {
      stopped = true
      socket?.terminate()
    },
  }
}
