/**
 * Visitors of a website write with retries while their sockets are cut and the service is killed; a person replies to each.
 * Afterwards every message is there once and in order, on both sides, and every visitor's socket has shown every message.
 * Larger: CHAOS=full npx vitest run test/chaos/webchat.test.ts
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually, fresh, query, type Service, scratch, start } from '../system/program.ts'

const isLong = process.env.CHAOS !== undefined
const [visitors, messages, kills] = isLong ? [100, 20, 5] : [8, 5, 2]
const timeoutMs = isLong ? 30 * 60_000 : 400_000

const incoming = (n: number) => `in ${n}`
const outgoing = (n: number) => `out ${n}`

interface Installation {
  service: Service
  isDone: boolean
}

/** Retries until the request succeeds, also while the service restarts. */
async function call(
  { service }: Installation,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: responses are read freely
): Promise<any> {
  for (;;) {
    const response = await fetch(`${service.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    if (response && text !== undefined && response.status < 300)
      return text === '' ? undefined : JSON.parse(text)
    if (response && response.status < 500 && response.status !== 429)
      throw new Error(`${method} ${path}: ${response.status} ${text}`)
    await sleep(100)
  }
}

/** Follows the conversation like the frame does: resumes by sequence number, and reads everything again after `resync`. */
class FollowingVisitor {
  readonly shown = new Map<string, { seq: number; body: string }>()
  readonly #installation: Installation
  readonly #token: string
  #since: number | undefined
  socket: WebSocket | undefined

  constructor(installation: Installation, token: string) {
    this.#installation = installation
    this.#token = token
    void this.#follow()
  }

  async #follow(): Promise<void> {
    while (!this.#installation.isDone) {
      await this.#readAll()
      const { ticket } = await call(this.#installation, this.#token, 'POST', '/widget/realtime/tickets', {})
      await this.#listen(ticket)
    }
  }

  async #readAll(): Promise<void> {
    if (this.#since !== undefined) return
    const page = await call(this.#installation, this.#token, 'GET', '/widget/messages?limit=100')
    for (const message of page.messages) this.#show(message)
    this.#since = page.seq
  }

  #listen(ticket: string): Promise<void> {
    const url = `${this.#installation.service.url.replace('http', 'ws')}/v1/widget/realtime`
    this.socket = new WebSocket(`${url}?ticket=${ticket}&since=${this.#since}`)
    this.socket.on('message', data => {
      const frame = JSON.parse(String(data))
      if (frame.type === 'message') this.#show(frame.data)
      if (frame.type === 'resync') {
        this.#since = undefined
        this.socket?.terminate()
      } else if (frame.seq !== undefined) this.#since = Math.max(this.#since ?? 0, frame.seq)
    })
    this.socket.on('error', () => {})
    return new Promise(resolve => this.socket!.on('close', () => resolve()))
  }

  #show({ id, seq, content }: { id: string; seq: number; content: { text: { body: string } } }): void {
    this.shown.set(id, { seq, body: content.text.body })
  }

  bodies(): string[] {
    return [...this.shown.values()].sort((a, b) => a.seq - b.seq).map(({ body }) => body)
  }
}

async function write(installation: Installation, token: string, onSent: () => void): Promise<void> {
  for (let n = 0; n < messages!; n++) {
    const message = { clientMessageId: `m${n}`, content: { type: 'text', text: { body: incoming(n) } } }
    await call(installation, token, 'POST', '/widget/messages', message)
    // A client that did not get the response sends again, perhaps late.
    if (n % 2 === 1) await call(installation, token, 'POST', '/widget/messages', message)
    onSent()
  }
}

async function reply(installation: Installation, key: string, visitorId: string): Promise<string> {
  let conversationId: string | undefined
  while (conversationId === undefined) {
    const { conversations } = await call(
      installation,
      key,
      'GET',
      '/conversations?channel=webchat&pageSize=200',
    )
    conversationId = conversations.find((one: { externalId: string }) => one.externalId === visitorId)?.id
    if (conversationId === undefined) await sleep(200)
  }
  for (let n = 0; n < messages!; n++)
    await call(installation, key, 'POST', `/conversations/${conversationId}/messages`, {
      clientMessageId: `${visitorId}-${n}`,
      content: { type: 'text', text: { body: outgoing(n) } },
    })
  return conversationId
}

const inOrder = (bodies: string[], kind: string) => bodies.filter(body => body.startsWith(kind))

test('visitors and agents see every message once and in order, whatever is cut or killed', {
  timeout: timeoutMs,
}, async () => {
  const dataDir = fresh(scratch(), 'data')
  const env = { RATE_LIMIT: '0', LOG_LEVEL: 'info' }
  const installation: Installation = { service: await start({ dataDir, env }), isDone: false }
  await installation.service.ready()
  const port = Number(new URL(installation.service.url).port)
  const key = installation.service.credentials().apiKey
  const { inboxes } = await call(installation, key, 'POST', '/inboxes', {
    webchat: { name: 'Shop', allowedOrigins: [] },
  })
  const sessions = await Promise.all(
    Array.from({ length: visitors! }, () =>
      call(installation, '', 'POST', `/widget/${inboxes[0].externalId}/sessions`, {}),
    ),
  )
  const following = sessions.map(({ visitorToken }) => new FollowingVisitor(installation, visitorToken))
  let sent = 0
  const total = visitors! * messages!
  const disturbing = (async () => {
    for (let kill = 1; kill <= kills!; kill++) {
      await eventually(() => sent >= (total * kill) / (kills! + 1), timeoutMs)
      for (const { socket } of following) socket?.terminate()
      await installation.service.kill()
      installation.service = await start({ dataDir, env, port })
      await installation.service.ready(120_000)
    }
  })()
  const [conversationIds] = await Promise.all([
    Promise.all(sessions.map(({ visitor }) => reply(installation, key, visitor.id))),
    ...sessions.map(({ visitorToken }) => write(installation, visitorToken, () => sent++)),
    disturbing,
  ])
  const each = Array.from({ length: messages! }, (_, n) => n)
  for (const [i, visitor] of following.entries()) {
    await eventually(() => visitor.shown.size >= 2 * messages!, timeoutMs)
    const bodies = visitor.bodies()
    expect(bodies).toHaveLength(2 * messages!)
    expect(inOrder(bodies, 'in')).toEqual(each.map(incoming))
    expect(inOrder(bodies, 'out')).toEqual(each.map(outgoing))
    const stored = await query<{ body: string }>(
      dataDir,
      `select content->'text'->>'body' as body from messages where conversation_id = '${conversationIds[i]}' order by position`,
    )
    expect(stored.map(({ body }) => body)).toEqual(bodies)
  }
  installation.isDone = true
  for (const { socket } of following) socket?.terminate()
  expect(await query(dataDir, 'select count(*)::int as count from conversations')).toEqual([
    { count: visitors },
  ])
})
