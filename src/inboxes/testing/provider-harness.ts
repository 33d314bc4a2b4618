/** Test harness: a sandbox account and a server that records its webhooks for the adapter under test. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { newFolder, removeFolder } from '../../../test/harness/folders.ts'
import { MediaId, MessageId } from '../../conversations/schemas.ts'
import { systemClock } from '../../platform/clock.ts'
import type { RemoteChannel } from '../../platform/config.ts'
import { createLog } from '../../platform/log.ts'
import type { AccountRef } from '../../sandbox/identifiers.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import type { Inbound } from '../../sandbox/schemas.ts'
import { buildWebhookUrl, providers } from '../accounts/accounts.ts'
import type { Content } from '../content.ts'
import type {
  Account,
  MediaFile,
  OutboundMessage,
  ProviderEvent,
  WebhookRequest,
} from '../providers/provider.ts'
import { InboxId } from '../schemas.ts'

const appSecret = 'app_secret_example'
const accountSid = 'AC00000000000000000000000000000001'
const wabaId = 'waba-1'

export interface ProviderHarness {
  sandbox: Sandbox
  account: Account
  ref: AccountRef
  secrets: string[]
  /** All webhooks received. */
  webhooks: WebhookRequest[]
  /** Events parsed from the verified webhooks. */
  events(): ProviderEvent[]
  waitForEvent<T extends ProviderEvent['type']>(
    type: T,
    matches?: (event: Extract<ProviderEvent, { type: T }>) => boolean,
  ): Promise<Extract<ProviderEvent, { type: T }>>
  customer(inbound: Inbound): Promise<string>
  /** The last message that the provider accepted for this recipient. */
  received(to: string): Promise<{ providerMessageId: string; payload: Record<string, unknown> } | undefined>
  close(): Promise<void>
}

/** Address of the simulated customer with this scenario. */
export function buildRecipient(channel: RemoteChannel, scenario: string): string {
  return channel === 'socialapp' ? `1500555${scenario}` : `+1500555${scenario}`
}

export async function waitFor<T>(
  find: () => T | undefined | Promise<T | undefined>,
  what: string,
): Promise<T> {
  const deadline = Date.now() + 40_000
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await sleep(10)
  }
}

export interface Server {
  url: string
  close(): Promise<void>
}

export async function serve(handler: http.RequestListener): Promise<Server> {
  const server = http.createServer(handler)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function recorder(
  webhooks: WebhookRequest[],
  url: () => string,
  accountId: () => string,
): http.RequestListener {
  return (request, response) => {
    if (request.method === 'GET') {
      response.end(new URL(request.url!, 'http://us').searchParams.get('hub.challenge'))
      return
    }
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      webhooks.push({
        method: 'POST',
        url: url() + request.url,
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks),
        receivedAt: new Date().toISOString(),
        accountId: accountId(),
      })
      response.end()
    })
  }
}

async function createAccount(channel: RemoteChannel, urls: Sandbox['urls'], us: string): Promise<Account> {
  const inboxId = InboxId.create()
  const common = { tenantId: 'tn_1', inboxId, channel, rate: null, token: 'token', timeoutMs: 5_000 }
  const at = { webhookUrl: buildWebhookUrl(us, channel, inboxId) }
  if (channel === 'socialapp') {
    const externalId = '17841400000000001'
    return {
      ...common,
      ...at,
      externalId,
      baseUrl: `${urls.socialapp}/v23.0`,
      config: { accountId: externalId },
    }
  }
  if (channel === 'chatapp') {
    const config = { wabaId, phoneNumberId: 'number-1' }
    const baseUrl = `${urls.chatapp}/v23.0`
    const filtering = encodeURIComponent(
      JSON.stringify([{ field: 'id', operator: 'IN', value: ['number-1'] }]),
    )
    await fetch(`${baseUrl}/${wabaId}/phone_numbers?filtering=${filtering}`, {
      headers: { authorization: 'Bearer token' },
    })
    return { ...common, ...at, externalId: 'number-1', baseUrl, config }
  }
  const basic = Buffer.from(`${accountSid}:token`).toString('base64')
  const listed = await fetch(`${urls.sms}/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json`, {
    headers: { authorization: `Basic ${basic}` },
  })
  const { incoming_phone_numbers: numbers } = (await listed.json()) as {
    incoming_phone_numbers: { sid: string; phone_number: string }[]
  }
  const { sid, phone_number: phoneNumber } = numbers[0]!
  const config = { accountSid, phoneNumberSid: sid, phoneNumber }
  return { ...common, ...at, externalId: sid, baseUrl: urls.sms, config }
}

export async function startProviderHarness(
  channel: RemoteChannel,
  options: Partial<SandboxOptions> = {},
): Promise<ProviderHarness> {
  const dataDir = await newFolder('provider')
  const log = createLog('fatal')
  const sandbox = await startSandbox({
    dataDir,
    port: 0,
    clock: systemClock,
    log,
    appSecret,
    verifyToken: 'v',
    ...options,
  })
  const webhooks: WebhookRequest[] = []
  let account: Account | undefined
  const server = await serve(
    recorder(
      webhooks,
      () => server.url,
      () => account?.externalId ?? '',
    ),
  )
  account = await createAccount(channel, sandbox.urls, server.url)
  const provider = providers[channel]
  await provider.registerWebhook(account, 'v')
  const secrets = channel === 'sms' ? [account.token] : ['another secret', appSecret]
  const ref = { channel, account: account.externalId }
  const events = () =>
    webhooks.flatMap(webhook => {
      if (!provider.verifyWebhook(webhook, secrets))
        throw new Error('the signature of a webhook does not verify')
      return provider.parseWebhook(webhook)
    })
  const waitForEvent: ProviderHarness['waitForEvent'] = (type, matches = () => true) =>
    waitFor(
      () => events().find(one => one.type === type && matches(one as never)) as never,
      `a ${type} matching event among ${JSON.stringify(events())}`,
    )
  return {
    sandbox,
    account,
    ref,
    secrets,
    webhooks,
    events,
    waitForEvent,
    customer: async inbound => (await sandbox.control.inbound(ref, inbound)).providerMessageId,
    received: async to => (await sandbox.control.sent(ref, to)).at(-1) as never,
    close: async () => {
      await sandbox.close()
      await server.close()
      await removeFolder(dataDir)
    },
  }
}

export const text = (body: string): Content => ({ type: 'text', text: { body } })

export function buildOutbound(
  to: string,
  content: Content = text('Hello'),
  rest: Partial<OutboundMessage> = {},
): OutboundMessage {
  return { messageId: MessageId.create(), to, content, sentByHuman: false, ...rest }
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const image = Buffer.from(pixel, 'base64')

export function file(mediaType: MediaFile['mediaType'] = 'image', mimeType = 'image/png'): MediaFile {
  return {
    mediaId: MediaId.create(),
    mimeType,
    mediaType,
    filename: 'a "name"\r\n.png',
    size: image.length,
    url: 'https://media.example/file.png',
    open: async () => Readable.from([image.subarray(0, 10), image.subarray(10)]),
  }
}

export async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer))
  return Buffer.concat(chunks)
}
