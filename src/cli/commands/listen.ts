/**
 * Forwards a workspace's events to a URL on a developer's machine that webhooks cannot reach. Events arrive over the
 * realtime connection and are posted like webhooks, signed with a key that this command prints. A broken connection
 * resumes at the last event, so no event is missed while the service restarts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { WebSocket } from 'ws'
import { buildBody } from '../../webhooks/delivery/envelope.ts'
import {
  buildSignedHeaders,
  decodeSecret,
  newPlaintextKey,
  type SigningSecret,
} from '../../webhooks/delivery/sign.ts'
import { type EventType, eventTypes } from '../../webhooks/schemas.ts'
import { type ApiClient, apiFlags, connectApi } from '../api-client.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { jsonFlag } from '../with-database.ts'

export const listenCommand = command({
  meta: { name: 'listen', description: "Forward a workspace's events to a URL on this machine, signed" },
  args: {
    forward: {
      type: 'string',
      required: true,
      description: 'URL to post to, such as http://127.0.0.1:3000/hook',
    },
    events: { type: 'string', description: 'Only these event types, separated by commas' },
    secret: {
      type: 'string',
      description: 'The whsec_ key to sign with (default: a new key, which is printed)',
    },
    ...apiFlags,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    if (!/^https?:/i.test(args.forward) || !URL.canParse(args.forward))
      throw new CliError(`${args.forward} is not an http URL`)
    const plaintext = args.secret ?? newPlaintextKey()
    if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(plaintext))
      throw new CliError('--secret is not a signing key: it must be whsec_ followed by base64')
    const types = parseTypes(args.events)
    const api = await connectApi(args)
    const report = createReporter(args.json)
    report(
      { forward: args.forward, secret: plaintext },
      `Forwarding to ${args.forward}, signed with ${plaintext}`,
    )
    const key: SigningSecret = { version: 1, secret: decodeSecret(plaintext), expiresAt: null }
    await follow(api, report, frame =>
      types.has(frame.type) ? forward(args.forward, key, frame, report) : Promise.resolve(),
    )
  },
})

function parseTypes(list: string | undefined): ReadonlySet<string> {
  const types = list?.split(',').map(type => type.trim()) ?? eventTypes
  const unknown = types.find(type => !eventTypes.includes(type as EventType))
  if (unknown !== undefined)
    throw new CliError(`unknown event type ${unknown}: must be one of ${eventTypes.join(', ')}`)
  return new Set(types)
}

type Report = (value: object, line: string) => void

const createReporter =
  (json: boolean): Report =>
  (value, line) =>
    process.stdout.write(`${json ? JSON.stringify(value) : line}\n`)

interface Frame {
  seq: number
  /** The number among the public events of the workspace. */
  sequence?: number
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
}

const reconnectDelayMs = 1_000

/** Handles one event after the other, in order; events that were not handled are read again after a reconnect. */
async function follow(
  api: ApiClient,
  report: Report,
  handle: (frame: Frame) => Promise<void>,
): Promise<void> {
  let since: number | undefined
  for (;;) {
    const url = `${api.base.replace(/^http/, 'ws')}/v1/realtime${since === undefined ? '' : `?since=${since}`}`
    const socket = new WebSocket(url, { headers: { authorization: api.authorization } })
    socket.on('error', () => {}) // 'close' follows
    let [reading, connected] = [Promise.resolve(), false]
    socket.on('message', text => {
      connected = true
      reading = reading.then(async () => {
        const frame = JSON.parse(String(text)) as Frame
        if (frame.type === 'hello') since ??= (frame.data as { seq: number }).seq
        else if (frame.type === 'resync') since = skipTo(frame, report)
        else if (frame.id !== undefined && frame.seq > (since ?? 0)) {
          await handle(frame)
          since = frame.seq
        }
      })
    })
    const code = await new Promise<number>(resolve => socket.on('close', resolve))
    await reading
    if (code === 4401) throw new CliError('the API key is not valid: use --key, or set PARLEY_API_KEY')
    if (!connected && since === undefined) throw new CliError(`${api.base} cannot be reached`)
    await pause(reconnectDelayMs)
  }
}

function skipTo({ data }: Frame, report: Report): number {
  const { seq } = data as { seq: number }
  report({ skippedTo: seq }, `too many events were missed: continuing with event ${seq + 1}`)
  return seq
}

const timeoutMs = 15_000

async function forward(url: string, key: SigningSecret, frame: Frame, report: Report): Promise<void> {
  const { id, type, timestamp, seq, sequence = seq, data } = frame
  const text = (part: unknown) => (part === undefined ? null : JSON.stringify(part))
  const { contact, conversation, message, inbox, journey, chatbot, rating, changes } = data
  const parts = {
    contact: text(contact),
    conversation: text(conversation),
    message: text(message),
    inbox: text(inbox),
    journey: text(journey),
    chatbot: text(chatbot),
    rating: text(rating),
    changes: text(changes),
  }
  const body = buildBody({ id, type, timestamp, sequence, ...parts })
  const headers = buildSignedHeaders([key], { id, timestamp: Math.floor(Date.now() / 1000), body })
  const startedAt = performance.now()
  const answer = await request(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
    .then(async response => {
      await response.body.dump()
      return String(response.statusCode)
    })
    .catch(error => (error as { code?: string }).code ?? (error as Error).name)
  const ms = Math.round(performance.now() - startedAt)
  report({ id, type, sequence, answer, ms }, `${timestamp} ${type} ${id} → ${answer} (${ms} ms)`)
}
