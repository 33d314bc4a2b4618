/** Test helpers: a sandbox with an endpoint that records callbacks, and clients for the provider APIs. */
import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MovableClock, movableClock } from '../../../test/harness/clock.ts'
import { newFolder, removeFolder } from '../../../test/harness/folders.ts'
import { createLog } from '../../platform/log.ts'
import type { Json } from '../http/bodies.ts'
import type { AccountRef } from '../identifiers.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox.ts'

export const appSecret = 'app_secret_example'

export async function waitUntil(
  holds: () => unknown,
  what = 'the condition holds',
  timeoutMs = 90_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`)
    await sleep(10)
  }
}

export interface ReceivedCall {
  path: string
  headers: http.IncomingHttpHeaders
  body: string
}

export interface TestEndpoint {
  url: string
  calls: ReceivedCall[]
  /** statuses of the next responses; 200 when empty */
  statusCodes: number[]
  /** all received updates in order */
  updates(): Json[]
  statuses(id?: string): string[]
  /** forms of the sms provider */
  forms(): Record<string, string>[]
  close(): Promise<void>
}

function parseUpdates({ body }: ReceivedCall): Json[] {
  if (!body.startsWith('{')) return []
  const { entry } = JSON.parse(body) as { entry: Json[] }
  return entry.flatMap(item => {
    const changes = (item.changes as { field: string; value: Json }[] | undefined) ?? []
    const changed = changes.flatMap(({ field, value }) => {
      const list = [...((value.messages as Json[]) ?? []), ...((value.statuses as Json[]) ?? [])]
      return list.length > 0 ? list : [{ field, value }]
    })
    const items = [...((item.messaging as Json[]) ?? []), ...((item.standby as Json[]) ?? []), ...changed]
    return item.field ? [...items, { field: item.field, value: item.value }] : items
  })
}

export async function startEndpoint(): Promise<TestEndpoint> {
  const calls: ReceivedCall[] = []
  const statusCodes: number[] = []
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://endpoint')
    if (request.method === 'GET') {
      response.writeHead(url.searchParams.get('hub.verify_token') === 'wrong' ? 403 : 200)
      response.end(url.searchParams.get('hub.challenge'))
      return
    }
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      calls.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(statusCodes.shift() ?? 200)
      response.end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const updates = () => calls.flatMap(parseUpdates)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    statusCodes,
    updates,
    statuses: id =>
      updates()
        .filter(update => update.status && (id === undefined || update.id === id))
        .map(update => String(update.status)),
    forms: () => calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const isSigned = ({ body, headers }: ReceivedCall, secret = appSecret): boolean =>
  headers['x-hub-signature-256'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export interface ApiResult {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: responses of foreign protocols
  json: any
}

export interface TestSandbox extends Sandbox {
  clock: MovableClock
  dataDir: string
  endpoint: TestEndpoint
  chat(method: string, path: string, body?: unknown, token?: string): Promise<ApiResult>
  social(method: string, path: string, body?: unknown, token?: string): Promise<ApiResult>
  sms(method: string, path: string, form?: Record<string, string>, token?: string): Promise<ApiResult>
  /** Returns a number of a business account whose callbacks are sent to the endpoint. */
  chatNumber(waba?: string): Promise<string>
  socialAccount(account?: string, fields?: string): Promise<string>
  smsNumber(account?: string): Promise<{ sid: string; phone: string }>
  text(number: string, to: string, body?: string): Promise<ApiResult>
  stop(): Promise<void>
}

export const chatRef = (account: string): AccountRef => ({ channel: 'chatapp', account })
export const socialRef = (account: string): AccountRef => ({ channel: 'socialapp', account })
export const smsRef = (account: string): AccountRef => ({ channel: 'sms', account })

export const testOptions = (dataDir: string): SandboxOptions => ({
  dataDir,
  port: 0,
  clock: movableClock(),
  log: createLog('fatal'),
  appSecret,
  verifyToken: 'verify-me',
  controlToken: 'control-token',
})

const allFields =
  'messages,messaging_seen,message_reactions,messaging_postbacks,message_edit,comments,live_comments'

export async function testSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const dataDir = options.dataDir ?? (await newFolder('sandbox'))
  const clock = movableClock()
  const sandbox = await startSandbox({ ...testOptions(dataDir), clock, ...options })
  const endpoint = await startEndpoint()

  async function call(url: string, init: RequestInit): Promise<ApiResult> {
    const response = await fetch(url, init)
    const text = await response.text()
    return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : text }
  }
  const graph =
    (base: string) =>
    (method: string, at: string, body?: unknown, token = 'a-token') =>
      call(`${base}/v23.0/${at}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
  const chat = graph(sandbox.urls.chatapp)
  const social = graph(sandbox.urls.socialapp)
  const sms: TestSandbox['sms'] = (method, at, form, token = 'auth-token') => {
    const account = at.split('/')[0]!.replace(/\.json$/, '')
    return call(`${sandbox.urls.sms}/2010-04-01/Accounts/${at}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}` },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    })
  }
  return {
    ...sandbox,
    clock,
    dataDir,
    endpoint,
    chat,
    social,
    sms,
    async chatNumber(waba = 'waba-1') {
      await chat('POST', `${waba}/subscribed_apps`)
      await chat('POST', `${waba}/subscribed_apps`, {
        override_callback_uri: `${endpoint.url}/chat`,
        verify_token: 'v',
      })
      return (await chat('GET', `${waba}/phone_numbers`)).json.data[0].id
    },
    async socialAccount(account = '17841400000000001', fields = allFields) {
      await social('POST', `${account}/subscribed_apps`, {
        subscribed_fields: fields,
        override_callback_uri: `${endpoint.url}/social`,
        verify_token: 'v',
      })
      return account
    },
    async smsNumber(account = 'AC1') {
      const listed = await sms('GET', `${account}/IncomingPhoneNumbers.json`)
      const { sid, phone_number: phone } = listed.json.incoming_phone_numbers[0]
      const urls = { SmsUrl: `${endpoint.url}/sms/in`, StatusCallback: `${endpoint.url}/sms/status` }
      await sms('POST', `${account}/IncomingPhoneNumbers/${sid}.json`, urls)
      return { sid, phone }
    },
    text: (number, to, body = 'Hello') =>
      chat('POST', `${number}/messages`, { messaging_product: 'whatsapp', to, type: 'text', text: { body } }),
    async stop() {
      await sandbox.close()
      await endpoint.close()
      if (!options.dataDir) await removeFolder(dataDir)
    },
  }
}
