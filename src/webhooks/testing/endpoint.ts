/** HTTP endpoint on loopback that records calls and responds as configured. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedCall {
  receivedAt: number
  headers: Record<string, string>
  body: string
  id: string
  /** The envelope. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary members
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

export async function startEndpoint(respond: Responder = ok): Promise<TestEndpoint> {
  const received: ReceivedCall[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      const call = {
        receivedAt: Date.now(),
        headers,
        body,
        id: headers['webhook-id']!,
        event: JSON.parse(body),
      }
      received.push(call)
      endpoint.respond(response, call, request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const endpoint: TestEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    ids: () => received.map(call => call.id),
    respond,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return endpoint
}
