import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { movedClock } from '../harness/moved-clock.ts'
import { eventually, fresh, scratch, start } from './program.ts'

interface Delivery {
  body: string
  headers: Record<string, string>
}

async function startEndpoint() {
  const deliveries: Delivery[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    deliveries.push({ body, headers: request.headers as Record<string, string> })
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return { deliveries, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

test('timestamps and signatures are right with a wall clock that is wrong from the start and jumps', async () => {
  const root = scratch()
  const clock = movedClock(path.join(root, 'clock'), 3_600)
  const service = await start({
    dataDir: fresh(root, 'data'),
    env: { ...clock.env, OUTBOUND_LOOPBACK: 'on' },
  })
  await service.ready()
  const call = async (method: string, at: string, body?: unknown) => {
    const response = await service.call(method, at, body)
    expect(response.status, at).toBeLessThan(300)
    // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies freely
    return (await response.json()) as any
  }
  const endpoint = await startEndpoint()
  await call('PATCH', '/webhooks', { url: endpoint.url, enabled: true })
  const webhook = new Webhook((await call('GET', '/webhooks/signing-keys')).keys[0].plaintextKey)
  const { inboxes } = await call('GET', '/inboxes')
  const inboxId = inboxes.find((inbox: { channel: string }) => inbox.channel === 'chatapp').id

  for (const [n, seconds] of [3_600, -3_600, 0].entries()) {
    clock.set(seconds)
    await sleep(200) // longer than the process caches the offset
    const before = endpoint.deliveries.length
    const startedAt = Date.now()
    const { message } = await call('POST', '/messages', {
      recipient: { type: 'phone', phoneNumber: `+1415555020${n}` },
      inboxId,
      content: { type: 'text', text: { body: 'What time is it?' } },
    })
    const createdAt = Date.parse(message.createdAt)
    expect(createdAt).toBeGreaterThan(startedAt - 1_000)
    expect(createdAt).toBeLessThan(Date.now() + 1_000)
    await eventually(() => endpoint.deliveries.length > before)
    for (const { body, headers } of endpoint.deliveries.slice(before)) webhook.verify(body, headers)
    // Proves that the process has a wrong clock: its log lines show it.
    const logged = service.log().at(-1)!.time as string | number
    if (n === 0) expect(new Date(logged).getTime() - Date.now()).toBeGreaterThan(3_000_000)
  }
})
