/** Starts an endpoint in a separate process and collects the arrivals of its requests. */
import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'

export const now = () => performance.timeOrigin + performance.now()

export interface Sink {
  url: string
  /** First arrival of each webhook-id. */
  arrived: Map<string, number>
  stop(): void
}

export async function startSink(): Promise<Sink> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'endpoint.ts'), {
    execArgv: ['--import', 'tsx'],
  })
  const arrived = new Map<string, number>()
  const port = await new Promise<number>(resolve =>
    child.on('message', (message: { port?: number; arrivals?: [string, number][] }) => {
      if (message.port) resolve(message.port)
      for (const [id, at] of message.arrivals ?? []) if (!arrived.has(id)) arrived.set(id, at)
    }),
  )
  return { url: `http://127.0.0.1:${port}/hook`, arrived, stop: () => child.kill() }
}
