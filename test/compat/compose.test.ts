/**
 * Runs the services of deploy/compose.yaml as plain processes, with its commands and settings, on a PostgreSQL and a NATS
 * server of this machine and an S3 server from npm. Skipped where one of the two servers is absent.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newFolder, removeFolder } from '../harness/folders.ts'
import { administer } from '../harness/server.ts'
import {
  checkout,
  eventually,
  freePort,
  fresh,
  parley,
  type Service,
  scratch,
  start,
} from '../system/program.ts'
import { load } from './packages.ts'

const root = scratch()
const text = readFileSync(path.join(checkout, 'deploy/compose.yaml'), 'utf8')
const postgres = { host: '127.0.0.1', port: 5432, user: 'postgres', database: 'postgres' }

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const open = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return open
}
const isPostgresUsable = await administer(postgres, 'select 1').then(
  () => true,
  () => false,
)
const canRun = isPostgresUsable && (await answers(4222))

/** Reads the settings of all processes, with the values of deploy/.env.example and passwords filled in. */
function readSettings(): Record<string, string> {
  const given = { SECRET_KEY: 'a secret of tests, and of nothing else', POSTGRES_PASSWORD: 'x' }
  const values: Record<string, string> = {
    ...given,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  const block = /environment: &environment\n(.*?)\n\n/s.exec(text)![1]!
  const substitute = (value: string) =>
    value.replace(/\$\{(\w+):([?-])(.*?)\}/g, (_, name: string, kind: string, fallback: string) => {
      if (kind === '?' && values[name] === undefined) throw new Error(`${name} is not in deploy/.env.example`)
      return values[name] ?? fallback
    })
  const lines = [...block.matchAll(/^ {4}([A-Z0-9_]+): (.*)$/gm)]
  return Object.fromEntries(lines.map(([, name, value]) => [name!, substitute(value!)]))
}

/** Returns the arguments after `node bin/parley.js`. */
function readCommand(service: string): string[] {
  const [, list] = new RegExp(
    `^ {2}${service}:\\n(?:.*\\n)*? {4}command: \\['node', 'bin/parley.js', (.*)\\]`,
    'm',
  ).exec(text)!
  return list!.split(', ').map(word => word.slice(1, -1))
}

async function startS3(): Promise<string> {
  const { default: S3rver } = await load('@20minutes/s3rver')
  const directory = await newFolder('s3')
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    vhostBuckets: false,
    // This server computes another signature for the creation of a bucket.
    allowMismatchedSignatures: true,
  })
  const { port } = await server.run()
  afterAll(async () => {
    await server.close()
    await removeFolder(directory)
  })
  return `127.0.0.1:${port}`
}

test('deploy/.env.example has every value that compose.yaml requires', () => {
  const example = readFileSync(path.join(checkout, 'deploy/.env.example'), 'utf8')
  const required = new Set([...text.matchAll(/\$\{(\w+):\?\}/g)].map(match => match[1]!))
  for (const name of required) expect(example).toMatch(new RegExp(`^${name}=`, 'm'))
})

test.skipIf(!canRun)(
  'the services of compose.yaml start in its order, send, receive and store files',
  async () => {
    const database = `parley_compose_${randomBytes(6).toString('hex')}`
    await administer(postgres, `create database ${database}`)
    afterAll(() => administer(postgres, `drop database if exists ${database} with (force)`))
    const [webPort, sandboxPort, blobs] = [await freePort(), await freePort(), await startS3()]
    const hosts: [string, string][] = [
      ['parley:x@database:5432/parley', `postgres@127.0.0.1:5432/${database}`],
      ['bus:4222', '127.0.0.1:4222'],
      ['blobs:9000', blobs],
      ['sandbox:8090', `127.0.0.1:${sandboxPort}`],
      ['web:8080', `127.0.0.1:${webPort}`],
    ]
    const settings = Object.fromEntries(
      Object.entries(readSettings()).map(([name, value]) => [
        name,
        hosts.reduce((text, [from, to]) => text.replace(from, to), value),
      ]),
    )
    expect(JSON.stringify(settings)).not.toMatch(/@database|bus:|blobs:|sandbox:|web:/)
    const env = { ...settings, NATS_PREFIX: database, DRAIN_SECONDS: '0' }

    const bucket = await parley(readCommand('bucket'), env)
    expect(bucket.stdout, bucket.stderr).toBe('created the bucket parley\n')
    expect((await parley(readCommand('bucket'), env)).stdout).toBe('the bucket parley exists\n')
    const inContainer = (service: string, port: number): Promise<Service> => {
      const command = readCommand(service).map(word => (word === '8090' ? String(sandboxPort) : word))
      return start({ dataDir: fresh(root, service), env, command, port })
    }
    const sandbox = await inContainer('sandbox', 0)
    expect(await eventually(() => sandbox.output().includes('sandbox ready'))).toBe(true)
    const web = await inContainer('web', webPort)
    const workers = [
      await inContainer('worker', await freePort()),
      await inContainer('worker', await freePort()),
    ]
    for (const service of [web, ...workers]) {
      await service.ready()
      // The health check of the image.
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    }

    const { inboxes } = (await (await web.call('GET', '/inboxes')).json()) as {
      inboxes: { id: string; channel: string }[]
    }
    const inboxId = inboxes.find(inbox => inbox.channel === 'chatapp')!.id
    const content = { type: 'text', text: { body: 'Hello' } }
    const from = '+14155550123'
    const recipient = { type: 'phone', phoneNumber: from }
    const sent = await web.call('POST', '/messages', { recipient, inboxId, content })
    const { message } = (await sent.json()) as { message: { id: string; conversationId: string } }
    const read = async (at: string) => (await (await web.call('GET', at)).json()) as never
    const getMessage = async () =>
      ((await read(`/messages/${message.id}`)) as { message: { deliveryStatus: string } }).message
    expect(await eventually(async () => (await getMessage()).deliveryStatus === 'delivered')).toBe(true)
    expect((await web.call('POST', '/sandbox/inbound', { inboxId, from, content })).status).toBe(202)
    const listMessages = async () =>
      ((await read(`/conversations/${message.conversationId}/messages`)) as { messages: unknown[] }).messages
    expect(await eventually(async () => (await listMessages()).length === 2)).toBe(true)

    const form = new FormData()
    form.set('file', new Blob(['A letter'], { type: 'text/plain' }), 'letter.txt')
    const { apiKey } = web.credentials()
    const upload = await fetch(`${web.url}/v1/media/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: form,
    })
    expect(upload.status, await upload.text()).toBeLessThan(300)
    for (const service of [...workers, web, sandbox])
      expect(await service.stop()).toEqual({ code: 0, signal: null })
  },
)
