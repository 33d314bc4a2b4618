/** Runs the commands of docs/scaling.md as they are written, with other ports, directories and another database. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { checkout, eventually, freePort, fresh, parley, type Service, scratch, start } from './program.ts'

const root = scratch()

/** Returns the settings that the block exports and the commands after them. */
async function readCommands(): Promise<{ env: Record<string, string>; commands: string[] }> {
  const text = readFileSync(path.join(checkout, 'docs/scaling.md'), 'utf8')
  let block = /```sh\n(.*?)```/s.exec(text)![1]!
  for (const port of ['8080', '8081', '8082', '8090'])
    block = block.replaceAll(port, String(await freePort()))
  const lines = block.trim().split('\n')
  const exports = lines.flatMap(line => /^export (\w+)=(.*)$/.exec(line)?.slice(1) ?? [])
  const env = Object.fromEntries(exports.flatMap((name, i) => (i % 2 ? [] : [[name, exports[i + 1]!]])))
  return { env, commands: lines.filter(line => !line.startsWith('export ')) }
}

/** Starts a line such as `PORT=8081 npm run parley -- serve --roles worker`. */
function startLine(line: string, env: Record<string, string>, dataDir: string): Promise<Service> {
  const [, port, args] = /^(?:PORT=(\d+) )?npm run parley -- (.*)$/.exec(line)!
  const command = args!.split(' ')
  return start({ dataDir, env, command, ...(port ? { port: Number(port) } : {}) })
}

test('the commands of docs/scaling.md run an installation that sends and receives', async () => {
  const database = await startEmbedded({ dataDir: fresh(root, 'database') })
  onTestFinished(() => database.stop())
  const { env: documented, commands } = await readCommands()
  expect(Object.keys(documented)).toEqual([
    'DATABASE_URL',
    'SECRET_KEY',
    'PUBLIC_URL',
    'DATA_DIR',
    'SANDBOX_URL',
  ])
  const dataDir = fresh(root, 'shared')
  const env: Record<string, string> = {
    ...documented,
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres:///parley?host=${encodeURIComponent(database.connection.host)}&user=parley`,
  }
  const [sandbox, web, ...workers] = (await Promise.all(
    commands.map(line => startLine(line, env, dataDir)),
  )) as [Service, Service, ...Service[]]
  expect(workers).toHaveLength(2)
  for (const service of [web, ...workers]) await service.ready()

  // Credentials belong to the http role; workers say that they serve no API, and answer probes.
  expect(web.output()).toContain(path.join(dataDir, 'credentials.json'))
  for (const worker of workers) {
    expect(worker.output()).not.toContain('credentials.json')
    expect(worker.output()).toMatch(/this process runs jobs and events, .* and no API/)
    for (const probe of ['/healthz', '/readyz', '/metrics'])
      expect((await fetch(`${worker.url}${probe}`)).status, probe).toBe(200)
    expect((await fetch(`${worker.url}/v1/users`)).status).toBe(404)
    expect(await (await fetch(`${worker.url}/metrics`)).text()).toMatch(/^parley_build_info\{version="\d/m)
  }

  const { inboxes } = (await (await web.call('GET', '/inboxes')).json()) as {
    inboxes: { id: string; channel: string }[]
  }
  const inboxId = inboxes.find(inbox => inbox.channel === 'chatapp')!.id
  const content = { type: 'text', text: { body: 'Hello' } }
  const recipient = { type: 'phone', phoneNumber: '+14155550123' }
  const sent = await web.call('POST', '/messages', { recipient, inboxId, content })
  const { message } = (await sent.json()) as { message: { id: string } }
  const isDelivered = async () => {
    const body = (await (await web.call('GET', `/messages/${message.id}`)).json()) as {
      message: { deliveryStatus: string }
    }
    return body.message.deliveryStatus === 'delivered'
  }
  expect(await eventually(isDelivered)).toBe(true)
  const pages = await Promise.all(
    [web, ...workers].map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  )
  const total = (status: string) =>
    pages
      .map(page =>
        new RegExp(`^parley_messages_total\\{channel="chatapp",status="${status}"\\} (\\d+)$`, 'm').exec(
          page,
        ),
      )
      .reduce((sum, match) => sum + Number(match?.[1] ?? 0), 0)
  for (const status of ['pending', 'sent', 'delivered']) expect(total(status), status).toBe(1)

  // Conflicts are one line each.
  const conflicts: [string[], Record<string, string>, RegExp][] = [
    [
      ['sandbox', '--port', new URL(env.SANDBOX_URL!).port],
      { ...env, DATA_DIR: fresh(root, 'other') },
      /cannot listen on .*--port/,
    ],
    [['sandbox', '--port', '0'], env, /belongs to another process: .*SANDBOX_URL/],
    [['serve', '--roles', 'worker'], { ...env, PORT: new URL(web.url).port }, /EADDRINUSE.*set PORT/],
    [
      ['serve', '--roles', 'worker'],
      { ...env, PUBLIC_URL: '', PORT: '0' },
      /PUBLIC_URL is required for a worker/,
    ],
  ]
  for (const [args, settings, expected] of conflicts) {
    const { code, stderr } = await parley(args, settings)
    expect(stderr).toMatch(expected)
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 })
  }
  for (const service of [...workers, web, sandbox])
    expect(await service.stop()).toEqual({ code: 0, signal: null })
})
