/** A real HTTP receiver on loopback that keeps what it got, byte for byte, and answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedCall {
  at: number
  headers: Record<string, string>
  body: string
  id: string
  /** The envelope. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into envelopes freely
  event: any
}

export type Responder = (response: ServerResponse, received: ReceivedCall, request: IncomingMessage) => void

export interface TestEndpoint {
  url: string
  received: ReceivedCall[]
  ids(): string[]
  respond: Responder
  close(): Promise<void>
}

export const ok: Responder = response => response.end('ok')
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Responder =>
  response =>
    response.writeHead(code, headers).end(body)

export async function startEndpoint(answer: Responder = ok): Promise<TestEndpoint> {
  const received: ReceivedCall[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      const one = { at: Date.now(), headers, body, id: headers['webhook-id']!, event: JSON.parse(body) }
      received.push(one)
      receiver.respond(response, one, request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const receiver: TestEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    ids: () => received.map(one => one.id),
    respond: answer,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
