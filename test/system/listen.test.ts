/** Tests `parley listen`, also across a restart of the service. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { checkout, eventually, freePort, fresh, parley, scratch, start } from './program.ts'

const root = scratch()

interface Line {
  secret: string
  id: string
  type: string
  answer: string
}

interface Delivery {
  headers: Record<string, string>
  body: string
}

async function startEndpoint() {
  const received: Delivery[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

function listen(dataDir: string, url: string, ...more: string[]) {
  const args = [path.join(checkout, 'bin/parley.js'), 'listen', '--json', '--forward', url, ...more]
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, DATA_DIR: dataDir } })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    lines: (): Line[] =>
      output
        .trim()
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
  }
}

test('forwards events signed, in order and once each, across a restart of the service', async () => {
  const dataDir = fresh(root, 'data')
  const port = await freePort()
  let service = await start({ dataDir, port })
  await service.ready()
  const { received, url } = await startEndpoint()
  const { lines } = listen(dataDir, url, '--events', 'contact.created')
  expect(await eventually(() => lines().length > 0)).toBe(true)
  const { secret } = lines()[0]!
  const createContact = async (name: string) => {
    expect((await service.call('POST', '/contacts', { name })).status).toBe(201)
  }
  // The first event may precede the connection; from then on no event is missed.
  expect(
    await eventually(async () => {
      await createContact('knock')
      return received.length > 0
    }),
  ).toBe(true)
  await createContact('before')
  await service.kill()
  service = await start({ dataDir, port })
  await service.ready()
  await createContact('after')
  const named = () => received.map(({ body }) => JSON.parse(body).data.contact.name as string)
  expect(await eventually(() => named().includes('after'))).toBe(true)
  expect(named().filter(name => name !== 'knock')).toEqual(['before', 'after'])

  const bodies = received.map(({ headers, body }) => {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
    return JSON.parse(body) as { id: string; type: string; sequence: number }
  })
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(bodies.length)
  expect(bodies.map(({ sequence }) => sequence)).toEqual(
    bodies.map(({ sequence }) => sequence).sort((a, b) => a - b),
  )
  expect(lines().slice(1)).toContainEqual(
    expect.objectContaining({ type: 'contact.created', answer: '204', id: bodies[0]!.id }),
  )
})

test('explains a failure in one line', async () => {
  const dataDir = fresh(root, 'none')
  for (const [args, message] of [
    [['--forward', 'ftp://127.0.0.1/x'], /is not an http URL/],
    [['--forward', 'http://127.0.0.1:1/', '--secret', 'hush'], /not a signing key/],
    [['--forward', 'http://127.0.0.1:1/', '--events', 'contact.made'], /unknown event type contact\.made/],
    [['--forward', 'http://127.0.0.1:1/', '--url', 'http://127.0.0.1:1', '--key', 'x'], /cannot be reached/],
  ] as const) {
    const { code, stderr } = await parley(['listen', ...args], { DATA_DIR: dataDir })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) })
  }
})
