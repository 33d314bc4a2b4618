import { type ChildProcess, spawn } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bundled } from '../../test/harness/bundled.ts'
import { newFolder, removeFolder } from '../../test/harness/folders.ts'
import { connectSandbox } from './control/client.ts'
import { chatRef, isSigned, smsRef, startEndpoint, type TestEndpoint, waitUntil } from './testing/sandbox.ts'

const fixture = fileURLToPath(new URL('./testing/crash.fixture.ts', import.meta.url))

let dataDir: string
let endpoint: TestEndpoint
const children: ChildProcess[] = []

beforeEach(async () => {
  dataDir = await newFolder('crash')
  endpoint = await startEndpoint()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await endpoint.close()
  await removeFolder(dataDir)
})

interface Running {
  url: string
  kill(): Promise<void>
}

async function start(): Promise<Running> {
  const child = spawn(process.execPath, [bundled(fixture), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', data => resolve(String(data).trim()))
    child.once('exit', code => reject(new Error(`the sandbox ended with ${code}`)))
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  return {
    url,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const control = ({ url }: Running) => connectSandbox({ url, token: 'control-token' })

async function graph({ url }: Running, method: string, at: string, body?: unknown) {
  const response = await fetch(`${url}/chatapp/v23.0/${at}`, {
    method,
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: response of a foreign protocol
  return (await response.json()) as any
}

it('kill -9 while sending: accepted messages are in the ledger once and in order, and their callbacks arrive', async () => {
  let sandbox = await start()
  await graph(sandbox, 'POST', 'waba/subscribed_apps')
  await graph(sandbox, 'POST', 'waba/subscribed_apps', {
    override_callback_uri: `${endpoint.url}/chat`,
    verify_token: 'v',
  })
  const number = (await graph(sandbox, 'GET', 'waba/phone_numbers')).data[0].id
  await control(sandbox).setFaults({ callbacks: { drop: { probability: 0.2 } } })
  const accepted = new Map<string, string[]>()
  const count = () => [...accepted.values()].flat().length
  for (let round = 0; round < 3; round++) {
    const running = sandbox
    const sending = Array.from({ length: 8 }, async (_, i) => {
      const to = `+1415555010${i}`
      const list = accepted.get(to) ?? []
      accepted.set(to, list)
      for (let n = 0; ; n++) {
        const response = await graph(running, 'POST', `${number}/messages`, {
          messaging_product: 'whatsapp',
          to,
          type: 'text',
          text: { body: `${round}.${n}` },
        }).catch(() => undefined)
        if (!response) return
        list.push(response.messages[0].id)
      }
    })
    const enough = count() + 60
    await waitUntil(() => count() >= enough, 'enough was sent')
    await running.kill()
    await Promise.all(sending)
    // A kill during a write leaves a torn tail.
    if (round === 1) await appendFile(path.join(dataDir, 'ledger.log'), Buffer.from([200, 1, 0, 0, 9, 9]))
    sandbox = await start()
  }
  const ids = [...accepted.values()].flat()
  expect(new Set(ids).size).toBe(ids.length)
  for (const [to, list] of accepted) {
    const items = await control(sandbox).sent(chatRef(number), to)
    const recorded = items.map(item => item.providerMessageId)
    // The last message of a round may have been accepted without a response.
    expect(recorded.filter(id => list.includes(id))).toEqual(list)
    expect(items.length - list.length).toBeLessThanOrEqual(3)
  }
  await waitUntil(
    async () => (await control(sandbox).pendingCallbacks()) === 0,
    'all callbacks are delivered',
  )
  const delivered = new Map<string, Set<string>>()
  for (const update of endpoint.updates()) {
    const statuses = delivered.get(String(update.id)) ?? new Set()
    delivered.set(String(update.id), statuses.add(String(update.status)))
  }
  const missing = ids.filter(id => !delivered.get(id)?.has('sent') || !delivered.get(id)?.has('delivered'))
  expect(missing).toEqual([])
  expect(endpoint.calls.every(call => isSigned(call))).toBe(true)
  await sandbox.kill()
})

it('kill -9 while the endpoint is down: callbacks, registrations, clocks and faults survive', async () => {
  let sandbox = await start()
  const account = `${sandbox.url}/sms/2010-04-01/Accounts/AC1`
  const authorization = `Basic ${Buffer.from('AC1:auth-token').toString('base64')}`
  const numbers = (await (
    await fetch(`${account}/IncomingPhoneNumbers.json`, { headers: { authorization } })
  ).json()) as {
    incoming_phone_numbers: { sid: string }[]
  }
  const { sid } = numbers.incoming_phone_numbers[0]!
  await fetch(`${account}/IncomingPhoneNumbers/${sid}.json`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ SmsUrl: `${endpoint.url}/sms/in` }),
  })
  endpoint.statusCodes.push(...Array(1000).fill(503))
  const content = { type: 'text' as const, text: { body: 'are you there?' } }
  const { providerMessageId } = await control(sandbox).inbound(smsRef(sid), { from: '+14155550100', content })
  await control(sandbox).advanceClock(7200, [smsRef(sid)])
  await control(sandbox).setFaults({ requests: [{ answer: 'serverError', count: 2 }] }, [smsRef(sid)])
  await waitUntil(() => endpoint.statusCodes.length < 998)
  await sandbox.kill()
  endpoint.statusCodes.length = 0
  const seen = endpoint.calls.length
  sandbox = await start()
  await waitUntil(
    () => endpoint.calls.slice(seen).some(call => call.body.includes(providerMessageId)),
    'the callback is delivered',
    3000,
  )
  const { now } = await control(sandbox).advanceClock(0, [smsRef(sid)])
  expect(Date.parse(now) - Date.now()).toBeGreaterThan(7_100_000)
  const phone = await fetch(`${sandbox.url}/sms/2010-04-01/Accounts/AC1/IncomingPhoneNumbers/${sid}.json`, {
    headers: { authorization },
  })
  const { sms_url: url, phone_number: from } = (await phone.json()) as Record<string, string>
  expect(url).toBe(`${endpoint.url}/sms/in`)
  const statuses = []
  for (let i = 0; i < 3; i++) {
    const sent = await fetch(`${sandbox.url}/sms/2010-04-01/Accounts/AC1/Messages.json`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ To: '+14155550100', From: from!, Body: 'x' }),
    })
    statuses.push(sent.status)
  }
  expect(statuses).toEqual([500, 500, 201])
  await sandbox.kill()
})
