import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatRef, type TestSandbox, testSandbox, waitUntil } from '../testing/sandbox.ts'
import { connectSandbox } from './client.ts'

let sandbox: TestSandbox
let number: string
beforeAll(async () => {
  sandbox = await testSandbox()
  number = await sandbox.chatNumber()
})
afterAll(() => sandbox.stop())

const remote = () => connectSandbox({ url: sandbox.url, token: 'control-token' })

describe('over HTTP', () => {
  it('supports all calls', async () => {
    const control = remote()
    const content = { type: 'text' as const, text: { body: 'hello' } }
    const { providerMessageId } = await control.inbound(chatRef(number), { from: '+14155550100', content })
    await waitUntil(() => sandbox.endpoint.updates().some(update => update.id === providerMessageId))
    await sandbox.text(number, '+14155550100', 'there')
    expect(await control.sent(chatRef(number), '+14155550100')).toEqual(
      await sandbox.control.sent(chatRef(number), '+14155550100'),
    )
    const before = Date.now()
    const { now } = await control.advanceClock(3600)
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before + 3_600_000)
    await control.setFaults({ requests: [{ answer: 'rateLimited', count: 1 }] })
    expect((await sandbox.text(number, '+14155550100')).status).toBe(400)
    await control.clearFaults()
    await control.event(chatRef(number), 'phone_number_quality_update', { event: 'FLAGGED' })
    await waitUntil(() =>
      sandbox.endpoint.updates().some(update => update.field === 'phone_number_quality_update'),
    )
    await waitUntil(async () => (await control.pendingCallbacks()) === 0)
    const requests = await control.requests()
    expect(requests.at(-1)).toMatchObject({
      method: 'POST',
      status: 400,
      body: expect.stringContaining('whatsapp'),
    })
  })

  it('rejects a wrong token, invalid arguments and unknown calls', async () => {
    await expect(connectSandbox({ url: sandbox.url, token: 'other' }).reset()).rejects.toThrow('401')
    await expect(remote().setFaults({ requests: [{ answer: 'nonsense' as never }] })).rejects.toThrow(
      'answer',
    )
    await expect(remote().inbound(chatRef(number), { from: 'x', content: {} as never })).rejects.toThrow(
      'type',
    )
    await expect(
      remote().inbound(chatRef(number), { from: '+14155550100', content: { type: 'storyMention' } }),
    ).rejects.toThrow('storyMention')
    const response = await fetch(`${sandbox.url}/control/constructor`, {
      method: 'POST',
      headers: { authorization: 'Bearer control-token' },
    })
    expect(response.status).toBe(404)
  })

  it('404 when the sandbox has no control token', async () => {
    const other = await testSandbox({ controlToken: undefined })
    await expect(connectSandbox({ url: other.url, token: '' }).reset()).rejects.toThrow('404')
    await other.stop()
  })
})

it('a second sandbox in the same directory fails to start', async () => {
  await expect(testSandbox({ dataDir: sandbox.dataDir })).rejects.toThrow('belongs to another process')
})

it('reset deletes messages, clocks and faults and never reuses ids', async () => {
  const own = await sandbox.chatNumber('waba-reset')
  const first = (await sandbox.text(own, '+14155550100')).json.messages[0].id
  await sandbox.control.setFaults({ requests: [{ answer: 'serverError' }] })
  await sandbox.control.advanceClock(86_400)
  await sandbox.control.reset()
  expect(await sandbox.control.sent(chatRef(own))).toEqual([])
  expect(await sandbox.control.pendingCallbacks()).toBe(0)
  const seen = sandbox.endpoint.calls.length
  const ids = new Set([first])
  for (let i = 0; i < 5; i++) ids.add((await sandbox.text(own, '+14155550100')).json.messages[0].id)
  expect(ids.size).toBe(6)
  const [item] = await sandbox.control.sent(chatRef(own))
  expect(Math.abs(Date.parse(item!.receivedAt) - Date.now())).toBeLessThan(60_000)
  await waitUntil(() => sandbox.endpoint.calls.length > seen)
})
