import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { movedClock } from '../harness/moved-clock.ts'
import { eventually, fresh, scratch, start } from './program.ts'

interface Heard {
  body: string
  headers: Record<string, string>
}

async function listen() {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    heard.push({ body, headers: request.headers as Record<string, string> })
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

test('a wall clock that is wrong from the start, and jumps, is nowhere to be seen', async () => {
  const root = scratch()
  const clock = movedClock(path.join(root, 'clock'), 3_600)
  const service = await start({ dataDir: fresh(root, 'data'), env: clock.env })
  await service.ready()
  const ask = async (method: string, at: string, body?: unknown) => {
    const answer = await service.call(method, at, body)
    expect(answer.status, at).toBeLessThan(300)
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    return (await answer.json()) as any
  }
  const receiver = await listen()
  await ask('PATCH', '/webhooks', { url: receiver.url, enabled: true })
  const webhook = new Webhook((await ask('GET', '/webhooks/signing-keys')).keys[0].plaintextKey)
  const { inboxes } = await ask('GET', '/inboxes')
  const inboxId = inboxes.find((inbox: { channel: string }) => inbox.channel === 'chatapp').id

  for (const [n, seconds] of [3_600, -3_600, 0].entries()) {
    clock.set(seconds)
    await sleep(200) // longer than the process goes on believing what it read
    const before = receiver.heard.length
    const began = Date.now()
    const { message } = await ask('POST', '/messages', {
      recipient: { type: 'phone', phoneNumber: `+1415555020${n}` },
      inboxId,
      content: { type: 'text', text: { body: 'What time is it?' } },
    })
    const told = Date.parse(message.createdAt)
    expect(told).toBeGreaterThan(began - 1_000)
    expect(told).toBeLessThan(Date.now() + 1_000)
    await eventually(() => receiver.heard.length > before)
    for (const { body, headers } of receiver.heard.slice(before)) webhook.verify(body, headers)
    // The program was indeed told another time: its log has it.
    const logged = service.log().at(-1)!.time as string | number
    if (n === 0) expect(new Date(logged).getTime() - Date.now()).toBeGreaterThan(3_000_000)
  }
})
