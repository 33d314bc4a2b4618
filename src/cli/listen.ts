/**
 * Brings a workspace's events to a developer's own machine, which no webhook could reach: they come over the realtime
 * connection and are posted to a local URL as webhooks are, signed with a key that this command shows. A connection that
 * breaks is opened again where it was, so nothing is missed while the service restarts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { WebSocket } from 'ws'
import { buildBody } from '../webhooks/envelope.ts'
import { type EventType, eventTypes } from '../webhooks/schemas.ts'
import { buildSignedHeaders, decodeSecret, newPlaintextKey, type SigningSecret } from '../webhooks/sign.ts'
import { type ApiClient, apiFlags, connectApi } from './api-client.ts'
import { command } from './command.ts'
import { CliError } from './errors.ts'
import { jsonFlag } from './with-database.ts'

export const listenCommand = command({
  meta: { name: 'listen', description: "Forward a workspace's events to a URL on this machine, signed" },
  args: {
    forward: { type: 'string', required: true, description: 'Where to post, as http://127.0.0.1:3000/hook' },
    events: { type: 'string', description: 'Only these types, with commas between them' },
    secret: {
      type: 'string',
      description: 'The whsec_ key to sign with; otherwise a new one is made and shown',
    },
    ...apiFlags,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    if (!/^https?:/i.test(args.forward) || !URL.canParse(args.forward))
      throw new CliError(`${args.forward} is not an http URL`)
    const plaintext = args.secret ?? newPlaintextKey()
    if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(plaintext))
      throw new CliError('--secret is not a signing key: it begins with whsec_ and goes on in base64')
    const types = wantedTypes(args.events)
    const remote = await connectApi(args)
    const say = sayer(args.json)
    say(
      { forward: args.forward, secret: plaintext },
      `Forwarding to ${args.forward}, signed with ${plaintext}`,
    )
    const key: SigningSecret = { version: 1, secret: decodeSecret(plaintext), expiresAt: null }
    await follow(remote, say, frame =>
      types.has(frame.type) ? forward(args.forward, key, frame, say) : Promise.resolve(),
    )
  },
})

function wantedTypes(list: string | undefined): ReadonlySet<string> {
  const wanted = list?.split(',').map(type => type.trim()) ?? eventTypes
  const unknown = wanted.find(type => !eventTypes.includes(type as EventType))
  if (unknown !== undefined) throw new CliError(`there is no event type ${unknown}: ${eventTypes.join(', ')}`)
  return new Set(wanted)
}

type Say = (value: object, line: string) => void

const sayer =
  (json: boolean): Say =>
  (value, line) =>
    process.stdout.write(`${json ? JSON.stringify(value) : line}\n`)

interface Frame {
  seq: number
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
}

const againMs = 1_000

/** One event after the other, in order, however slowly they are taken: what waits here is read again if we fall behind. */
async function follow(remote: ApiClient, say: Say, take: (frame: Frame) => Promise<void>): Promise<void> {
  let since: number | undefined
  for (;;) {
    const url = `${remote.base.replace(/^http/, 'ws')}/v1/realtime${since === undefined ? '' : `?since=${since}`}`
    const socket = new WebSocket(url, { headers: { authorization: remote.authorization } })
    socket.on('error', () => {}) // it closes then, too
    let [reading, connected] = [Promise.resolve(), false]
    socket.on('message', text => {
      connected = true
      reading = reading.then(async () => {
        const frame = JSON.parse(String(text)) as Frame
        if (frame.type === 'hello') since ??= (frame.data as { seq: number }).seq
        else if (frame.type === 'resync') since = resynced(frame, say)
        else if (frame.id !== undefined && frame.seq > (since ?? 0)) {
          await take(frame)
          since = frame.seq
        }
      })
    })
    const code = await new Promise<number>(resolve => socket.on('close', resolve))
    await reading
    if (code === 4401) throw new CliError('the token is not valid: give --key, or set PARLEY_API_KEY')
    if (!connected && since === undefined) throw new CliError(`${remote.base} cannot be reached`)
    await pause(againMs)
  }
}

function resynced({ data }: Frame, say: Say): number {
  const { seq } = data as { seq: number }
  say({ skippedTo: seq }, `too much was missed: going on with event ${seq + 1}`)
  return seq
}

const timeoutMs = 15_000

async function forward(url: string, key: SigningSecret, frame: Frame, say: Say): Promise<void> {
  const { id, type, timestamp, seq, data } = frame
  const text = (part: unknown) => (part === undefined ? null : JSON.stringify(part))
  const { contact, conversation, message } = data
  const parts = { contact: text(contact), conversation: text(conversation), message: text(message) }
  const body = buildBody({ id, type, timestamp, sequence: seq, ...parts })
  const headers = buildSignedHeaders([key], { id, timestamp: Math.floor(Date.now() / 1000), body })
  const began = performance.now()
  const answer = await request(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
    .then(async response => {
      await response.body.dump()
      return String(response.statusCode)
    })
    .catch(error => (error as { code?: string }).code ?? (error as Error).name)
  const ms = Math.round(performance.now() - began)
  say({ id, type, sequence: seq, answer, ms }, `${timestamp} ${type} ${id} → ${answer} (${ms} ms)`)
}
