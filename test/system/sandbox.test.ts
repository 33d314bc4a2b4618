/** Runs the sandbox as a separate process, so that the provider stays up while the service is killed. */
import { expect, test } from 'vitest'
import { eventually, freePort, fresh, type Service, scratch, start } from './program.ts'

test('delivers a message, and receives a message that a customer wrote while the service was down', async () => {
  const root = scratch()
  const dataDir = fresh(root, 'data')
  const port = await freePort()
  const env = { SANDBOX_URL: `http://127.0.0.1:${port}`, SANDBOX: 'strict' }
  const sandbox = await start({ dataDir, command: ['sandbox', '--port', String(port)] })
  await eventually(() => sandbox.output().includes('sandbox ready'), 60_000)
  const first = await start({ dataDir, env })
  await first.ready()
  const inboxes = (await (await first.call('GET', '/inboxes')).json()) as {
    inboxes: { id: string; channel: string }[]
  }
  const inboxId = inboxes.inboxes.find(inbox => inbox.channel === 'chatapp')!.id
  const write = (service: Service, from: string) =>
    service.call('POST', '/sandbox/inbound', {
      inboxId,
      from,
      content: { type: 'text', text: { body: 'Hello' } },
    })
  const findConversation = async (service: Service, from: string) => {
    const response = await service.call('GET', `/conversations?search=${encodeURIComponent(from)}`)
    const { conversations } = (await response.json()) as { conversations: { id: string }[] }
    return conversations[0]?.id
  }
  const appears = (service: Service, from: string) =>
    eventually(async () => (await findConversation(service, from)) !== undefined, 60_000)
  // Wait until the webhook is registered at the provider.
  await eventually(async () => {
    await write(first, '+14155550110')
    return (await findConversation(first, '+14155550110')) !== undefined
  })
  // The provider retries while the service is down.
  expect((await write(first, '+14155550111')).status).toBe(202)
  await first.kill()
  const again = await start({ dataDir, env, port: Number(new URL(first.url).port) })
  await again.ready()
  expect(await appears(again, '+14155550111')).toBe(true)
  const reply = { content: { type: 'text', text: { body: 'Here we are' } } }
  const sent = await again.call(
    'POST',
    `/conversations/${await findConversation(again, '+14155550111')}/messages`,
    reply,
  )
  const { message } = (await sent.json()) as { message: { id: string } }
  const status = async () => {
    const body = (await (await again.call('GET', `/messages/${message.id}`)).json()) as {
      message: { deliveryStatus: string }
    }
    return body.message.deliveryStatus
  }
  expect(await eventually(async () => (await status()) === 'delivered', 60_000)).toBe(true)
  await again.stop()
  expect(await sandbox.stop()).toEqual({ code: 0, signal: null })
})
