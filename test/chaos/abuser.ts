/** A process that abuses the service as one workspace, at random, until its parent disconnects. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

export interface Target {
  url: string
  key: string
  /** The workspace that must stay invisible; its id, and ids of its resources. */
  victim: { tenantId: string; contactId: string; conversationId: string; messageId: string }
  inboxId: string
  contactId: string
  /** Journeys with an expression, placeholders and HTTP requests that cost as much as they may. */
  journeyIds: string[]
  /** A bot of this workspace answers every message; the customer at this number answers every message, too. */
  loopingPhone: string
}

export interface AbuseReport {
  /** How often each abuse ran, and the statuses it got. */
  counts: Record<string, Record<string, number>>
  /** Responses that contained something of the victim. */
  leaks: string[]
}

const actors = 12
const report: AbuseReport = { counts: {}, leaks: [] }
const numbers = Array.from({ length: 10_000 }, (_, i) => i % 100)
const random = (max: number) => Math.floor(Math.random() * max)
const pick = <T>(items: readonly T[]): T => items[random(items.length)]!
const times = <T>(count: number, run: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)))

function buildAbuses(target: Target): Record<string, () => Promise<unknown>> {
  const { url, key, victim } = target
  const { host, port } = { host: '127.0.0.1', port: Number(new URL(url).port) }
  const authorization = `Bearer ${key}`

  async function call(method: string, path: string, body?: string | FormData | object): Promise<number> {
    const isRaw = typeof body === 'string' || body instanceof FormData || body === undefined
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        authorization,
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string | FormData) : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await response.text()
    if (text.includes(victim.tenantId)) report.leaks.push(`${method} ${path}: ${text.slice(0, 200)}`)
    return response.status
  }

  /** Sends part of a request and keeps the connection open. */
  async function holdSocket(head: string, ms: number): Promise<number> {
    const socket = connect(port, host)
    socket.on('error', () => {})
    socket.resume()
    socket.write(head)
    await sleep(ms)
    socket.destroy()
    return 0
  }

  async function floodSocket(): Promise<number> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime`, {
      headers: { authorization: pick([authorization, 'Bearer no']) },
    })
    socket.on('error', () => {})
    socket.on('message', data => {
      if (String(data).includes(victim.tenantId)) report.leaks.push(`frame: ${String(data).slice(0, 200)}`)
    })
    await Promise.race([new Promise(resolve => socket.once('open', resolve)), sleep(2_000)])
    for (let n = 0; n < 200 && socket.readyState === WebSocket.OPEN; n++) socket.ping('x'.repeat(100))
    await sleep(500)
    socket.terminate()
    return 0
  }

  const members = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`m${n}`, n]))
  const unknownMembers = JSON.stringify(members)
  const giant = JSON.stringify({ name: 'HOSTILE', note: 'x'.repeat(5_000_000) })
  const deep = '['.repeat(100_000)
  const file = new Blob([Buffer.alloc(3_000_000, 'x')], { type: 'text/plain' })
  const csv = `name,phone,tags\n${Array.from({ length: 3_000 }, (_, n) => `HOSTILE ${n},+1416555${String(n).padStart(4, '0')},hostile`).join('\n')}`
  const upload = (path: string, content: Blob, name: string) => {
    const form = new FormData()
    form.set('file', content, name)
    return call('POST', path, form)
  }
  const condition = () =>
    pick([
      { type: 'searchText', text: pick(['h', 'ost', 'ile 1', 'zz']) },
      { type: 'chatCount', operator: 'lte', value: 3, windowDays: 7 },
      { type: 'hasAnyChannel', channels: ['chatapp', 'sms'] },
    ])
  const filter = () => ({ match: 'all', conditions: [condition(), condition(), condition()] })

  return {
    giantBodies: () =>
      times(4, () => call('POST', pick(['/contacts', '/contacts/search', '/messages']), pick([giant, deep]))),
    unknownMembers: () =>
      times(4, () => call('POST', pick(['/auth/login', '/contacts/search', '/contacts']), unknownMembers)),
    patterns: () =>
      call('POST', '/journeys', {
        name: 'HOSTILE',
        definition: {
          nodes: [
            {
              id: 'start',
              type: 'start',
              data: {
                triggerConfig: {
                  type: 'message_received',
                  match: 'regex',
                  values: [`(?i)${'(\\pL{0,9}){0,9}'.repeat(20)}`],
                },
              },
            },
          ],
          edges: [],
        },
      }),
    runs: () =>
      times(5, () =>
        call('POST', `/journeys/${pick(target.journeyIds)}/runs`, {
          contactId: target.contactId,
          data: { l: numbers },
        }),
      ),
    simulations: () =>
      times(20, () =>
        call('POST', `/journeys/${pick(target.journeyIds)}/simulate`, {
          event: { name: 'x', data: { l: numbers } },
        }),
      ),
    loops: () =>
      call('POST', '/sandbox/inbound', {
        inboxId: target.inboxId,
        from: target.loopingPhone,
        content: { type: 'text', text: { body: 'HOSTILE hello bot' } },
      }),
    searches: () =>
      times(100, () =>
        call('POST', pick(['/contacts/search', '/contacts/search/count']), { filter: filter() }),
      ),
    lists: () =>
      times(100, () => call('GET', `/contacts?search=${pick(['h', 'ost', '1', 'zz'])}&pageSize=100`)),
    exports: () => times(5, () => call('GET', '/contacts/export')),
    uploads: () => times(4, () => upload('/media/uploads', file, 'HOSTILE.txt')),
    imports: () => upload('/contacts/import', new Blob([csv], { type: 'text/csv' }), 'HOSTILE.csv'),
    halfBodies: () =>
      times(40, () =>
        holdSocket(
          `POST /v1/${pick(['channels/chatapp/webhook', 'contacts', 'auth/login', 'media/uploads'])} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: 4000000\r\n\r\n${'x'.repeat(random(60_000))}`,
          1_000 + random(3_000),
        ),
      ),
    halfHeaders: () =>
      times(40, () => holdSocket('GET /v1/contacts HTTP/1.1\r\nhost: x\r\nx-', 1_000 + random(3_000))),
    sockets: () => times(30, floodSocket),
    logins: () =>
      times(10, n =>
        call('POST', '/auth/login', { email: `hostile${n}@example.com`, password: 'wrong password' }),
      ),
    probes: () =>
      times(5, () =>
        call(
          'GET',
          pick([
            `/contacts/${victim.contactId}`,
            `/conversations/${victim.conversationId}/messages`,
            `/messages/${victim.messageId}`,
            `/conversations/${victim.conversationId}`,
          ]),
        ),
      ),
    webhooks: () => call('POST', '/webhooks/verify'),
    messages: () =>
      times(30, () =>
        call('POST', '/messages', {
          inboxId: target.inboxId,
          recipient: { type: 'phone', phoneNumber: `+1416555${String(random(3_000)).padStart(4, '0')}` },
          content: { type: 'text', text: { body: `HOSTILE ${'x'.repeat(3_000)}` } },
        }),
      ),
  }
}

async function act(abuses: Record<string, () => Promise<unknown>>): Promise<void> {
  for (;;) {
    const name = pick(Object.keys(abuses))
    const statuses = await abuses[name]!().catch(error => `error ${error?.cause?.code ?? error?.name}`)
    const counts = report.counts[name] ?? {}
    report.counts[name] = counts
    for (const status of [statuses].flat()) counts[String(status)] = (counts[String(status)] ?? 0) + 1
  }
}

process.on('message', (message: Target | 'report') => {
  if (message === 'report') return void process.send!(report)
  const abuses = buildAbuses(message)
  for (let n = 0; n < actors; n++) void act(abuses)
})
process.on('disconnect', () => process.exit())
process.send!('ready')
