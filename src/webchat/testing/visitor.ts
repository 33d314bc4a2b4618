/** A visitor of a website, over HTTP and WebSocket: what the frame of the web chat does. */
import { WebSocket } from 'ws'
import { type ApiResponse, type Client, client } from '../../../test/harness/api.ts'
import { until } from '../../../test/harness/service.ts'
import type { WidgetMessage } from '../schemas.ts'

export interface Frame {
  type: string
  seq?: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read frames freely
  data: any
}

export interface VisitorSocketClient {
  frames: Frame[]
  /** Waits for a frame; `after` skips frames. */
  wait(matches: (frame: Frame) => boolean): Promise<Frame>
  send(frame: object): void
  close(): Promise<number>
  closed: Promise<number>
  ws: WebSocket
}

export interface TestVisitor extends Client {
  inboxKey: string
  say(body: string, clientMessageId?: string): Promise<ApiResponse>
  messages(): Promise<WidgetMessage[]>
  connect(since?: number): Promise<VisitorSocketClient>
}

let count = 0

export async function createWebchat(
  owner: Client,
  settings: object = {},
): Promise<{ id: string; inboxKey: string }> {
  const name = `Site ${++count}`
  const created = await owner.post('/inboxes', {
    webchat: { name, allowedOrigins: ['https://shop.example'] },
  })
  if (created.status !== 200) throw new Error(JSON.stringify(created.body))
  const { id, externalId } = created.body.inboxes[0]
  if (Object.keys(settings).length > 0) {
    const patched = await owner.patch(`/inboxes/${id}`, settings)
    if (patched.status !== 200) throw new Error(JSON.stringify(patched.body))
  }
  return { id, inboxKey: externalId }
}

export async function startVisitor(url: string, inboxKey: string, body: object = {}): Promise<TestVisitor> {
  const session = await client(url, '', '', '').post(`/widget/${inboxKey}/sessions`, body)
  if (session.status !== 201) throw new Error(JSON.stringify(session.body))
  return asVisitor(url, inboxKey, session.body.visitor.id, session.body.visitorToken)
}

export function asVisitor(url: string, inboxKey: string, id: string, token: string): TestVisitor {
  const base = client(url, '', id, token)
  let sent = 0
  return {
    ...base,
    inboxKey,
    say: (body, clientMessageId = `m${++sent}`) =>
      base.post('/widget/messages', { clientMessageId, content: { type: 'text', text: { body } } }),
    messages: async () => (await base.get('/widget/messages?limit=100')).body.messages,
    connect: async since => {
      const { ticket } = (await base.post('/widget/realtime/tickets')).body
      return openSocket(url, ticket, since)
    },
  }
}

export async function openSocket(url: string, ticket: string, since?: number): Promise<VisitorSocketClient> {
  const query = new URLSearchParams({ ticket, ...(since === undefined ? {} : { since: String(since) }) })
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/widget/realtime?${query}`)
  const frames: Frame[] = []
  ws.on('message', data => frames.push(JSON.parse(String(data))))
  const closed = new Promise<number>(resolve => ws.on('close', code => resolve(code)))
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
  return {
    frames,
    ws,
    closed,
    wait: async matches =>
      (await until(
        async () => frames.find(matches),
        frame => frame !== undefined,
      ))!,
    send: frame => ws.send(JSON.stringify(frame)),
    close: () => {
      ws.close()
      return closed
    },
  }
}
