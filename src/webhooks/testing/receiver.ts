/** A real HTTP receiver on loopback that keeps what it got, byte for byte, and answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  at: number
  headers: Record<string, string>
  body: string
  id: string
  /** The envelope. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into envelopes freely
  event: any
}

export type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void

export interface Receiver {
  url: string
  received: Received[]
  ids(): string[]
  answer: Answer
  close(): Promise<void>
}

export const ok: Answer = response => response.end('ok')
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  response =>
    response.writeHead(code, headers).end(body)

export async function startReceiver(answer: Answer = ok): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      const one = { at: Date.now(), headers, body, id: headers['webhook-id']!, event: JSON.parse(body) }
      received.push(one)
      receiver.answer(response, one, request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    ids: () => received.map(one => one.id),
    answer,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
