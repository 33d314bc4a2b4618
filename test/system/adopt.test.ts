/** A copy of an installation sends nothing and takes over no callback until an operator adopts it. */
import { spawnSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { eventually, freePort, fresh, parley, type Service, scratch, start } from './program.ts'

const root = scratch()
const secret = { SECRET_KEY: 'a secret of tests, and of nothing else' }
let sandboxUrl: string

beforeAll(async () => {
  const port = await freePort()
  sandboxUrl = `http://127.0.0.1:${port}`
  const command = ['sandbox', '--port', String(port)]
  const sandbox = await start({ dataDir: fresh(root, 'sandbox'), env: secret, command })
  expect(await eventually(() => sandbox.output().includes('sandbox ready'))).toBe(true)
})

const serve = async (dataDir: string, env: Record<string, string> = {}) => {
  const service = await start({ dataDir, env: { ...secret, SANDBOX_URL: sandboxUrl, ...env } })
  await service.ready()
  return service
}
const read = async <T>(service: Service, path: string) =>
  (await (await service.call('GET', path)).json()) as T
const readyDetail = async ({ url }: Service) =>
  ((await (await fetch(`${url}/readyz`)).json()) as { detail?: string }).detail
const warnings = (service: Service) =>
  service.log().filter(line => String(line.msg).startsWith('not adopted'))

async function getInboxId(service: Service): Promise<string> {
  const { inboxes } = await read<{ inboxes: { id: string; channel: string }[] }>(service, '/inboxes')
  return inboxes.find(inbox => inbox.channel === 'chatapp')!.id
}

async function send(service: Service, phoneNumber: string): Promise<string> {
  const content = { type: 'text', text: { body: 'Hello' } }
  const recipient = { type: 'phone', phoneNumber }
  const body = { recipient, inboxId: await getInboxId(service), content }
  const response = await service.call('POST', '/messages', body)
  expect(response.status).toBe(202)
  return ((await response.json()) as { message: { id: string } }).message.id
}

async function getStatus(service: Service, id: string): Promise<string> {
  const { message } = await read<{ message: { deliveryStatus: string } }>(service, `/messages/${id}`)
  return message.deliveryStatus
}

/** Lets a customer write to the inbox and waits until the service has the message. */
async function receives(service: Service, from: string): Promise<boolean> {
  const inboxId = await getInboxId(service)
  const content = { type: 'text', text: { body: 'Hello' } }
  expect((await service.call('POST', '/sandbox/inbound', { inboxId, from, content })).status).toBe(202)
  return eventually(() => hasConversation(service, from), 30_000)
}

async function hasConversation(service: Service, from: string): Promise<boolean> {
  const path = `/conversations?search=${encodeURIComponent(from)}`
  return (await read<{ conversations: unknown[] }>(service, path)).conversations.length > 0
}

const isDelivered = (service: Service, id: string) =>
  eventually(async () => (await getStatus(service, id)) === 'delivered')

test('a restored backup leaves the callbacks and messages to the original until `parley adopt`', async () => {
  const [dataDir, backup, target] = ['original', 'backup', 'restored'].map(name => fresh(root, name)) as [
    string,
    string,
    string,
  ]
  const original = await serve(dataDir)
  expect(warnings(original)).toEqual([])
  expect(await isDelivered(original, await send(original, '+14155550101'))).toBe(true)
  expect(await receives(original, '+14155550102')).toBe(true)
  expect((await parley(['backup', backup], { DATA_DIR: dataDir })).code).toBe(0)
  const restored = await parley(['restore', backup], { DATA_DIR: target })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('parley adopt') })

  const copy = await serve(target)
  expect(warnings(copy)).toHaveLength(1)
  expect(await readyDetail(copy)).toMatch(/^not adopted: the database is a copy.*`parley adopt`$/)
  expect(await (await fetch(`${copy.url}/metrics`)).text()).toContain('parley_installation_adopted 0')
  const waiting = await send(copy, '+14155550103')
  // The original still receives what customers write, and sends.
  expect(await receives(original, '+14155550104')).toBe(true)
  expect(await isDelivered(original, await send(original, '+14155550105'))).toBe(true)
  expect(await hasConversation(copy, '+14155550104')).toBe(false)
  expect(await getStatus(copy, waiting)).toBe('pending')

  await original.stop()
  const adopted = await parley(['adopt', '--json'], { ...secret, DATA_DIR: target })
  expect(adopted).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(adopted.stdout).adopted.publicUrl).toBe(copy.url)
  expect(await isDelivered(copy, waiting)).toBe(true)
  expect(await receives(copy, '+14155550106')).toBe(true)
  expect(await readyDetail(copy)).toBeUndefined()
  const again = await parley(['adopt'], { ...secret, DATA_DIR: target })
  expect(again.stdout).toMatch(/^nothing to adopt/)
  await copy.stop()
  const later = await serve(target)
  expect(warnings(later)).toEqual([])
  await later.stop()
})

test('a copied data directory is not adopted; the original restarts, and moves within its disk, as before', async () => {
  const dataDir = fresh(root, 'copied from')
  await (await serve(dataDir)).stop()
  const copied = fresh(root, 'copied to')
  expect(spawnSync('cp', ['-a', dataDir, copied]).status).toBe(0)
  const copy = await serve(copied)
  expect(warnings(copy)).toHaveLength(1)
  await copy.stop()
  const moved = fresh(root, 'moved to')
  expect(spawnSync('mv', [dataDir, moved]).status).toBe(0)
  const original = await serve(moved)
  expect(warnings(original)).toEqual([])
  expect(await isDelivered(original, await send(original, '+14155550107'))).toBe(true)
  await original.stop()
})

test('another PUBLIC_URL than the one that a real provider calls is adopted once, by command', async () => {
  const dataDir = fresh(root, 'real provider')
  // A base URL in the configuration makes the channel one with a real provider.
  const provider = {
    CHATAPP_BASE_URL: `${sandboxUrl}/chatapp`,
    CHATAPP_TOKEN: 'sandbox',
    CHATAPP_APP_SECRET: 'x',
  }
  const first = await serve(dataDir)
  expect(await receives(first, '+14155550108')).toBe(true)
  await first.stop()
  const second = await serve(dataDir, provider)
  expect(warnings(second)).toHaveLength(1)
  expect(await readyDetail(second)).toContain(`another URL than PUBLIC_URL (${second.url})`)
  expect((await parley(['adopt'], { ...secret, DATA_DIR: dataDir })).code).toBe(0)
  expect(await eventually(async () => (await readyDetail(second)) === undefined)).toBe(true)
  await second.stop()
  const third = await serve(dataDir)
  // Without a real provider a new URL is followed: the sandbox belongs to this machine.
  expect(warnings(third)).toEqual([])
  await third.stop()
})
