import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scenarios } from './magic-numbers.ts'
import { chatRef, smsRef, type TestSandbox, testSandbox, waitUntil } from './testing/sandbox.ts'

let sandbox: TestSandbox
let number: string
let sms: { sid: string; phone: string }
beforeAll(async () => {
  sandbox = await testSandbox()
  number = await sandbox.chatNumber()
  sms = await sandbox.smsNumber()
})
afterAll(() => sandbox.stop())

const chat = (suffix: string) => sandbox.text(number, `+1500555${suffix}`)
const text = (suffix: string) =>
  sandbox.sms('POST', 'AC1/Messages.json', { From: sms.phone, To: `+1500555${suffix}`, Body: 'Hello' })
const social = (suffix: string) =>
  sandbox.social('POST', '17841400000000001/messages', {
    recipient: { id: `1500555${suffix}` },
    message: { text: 'x' },
  })

it.each([
  ['0001', [131009, 21211, 100]],
  ['0002', [131026, 21612, 551]],
  ['0003', [130497, 21408, 230]],
  ['0004', [131050, 21610, 551]],
  ['0009', [131026, 21614, 551]],
  ['0010', [131026, 30003, 551]],
  ['0011', [131026, 30003, 551]],
  ['0012', [131047, undefined, 10]],
  ['0013', [131049, 30007, 551]],
  ['0021', [130429, 20429, 613]],
  ['0024', [131000, 20500, 2]],
  ['0027', [131048, 30004, 368]],
  ['0028', [131016, 21611, 2]],
  ['0030', [190, 20003, 190]],
  ['0031', [131031, 20003, 368]],
  ['0032', [131042, 30002, undefined]],
])('%s fails with %j', async (suffix, [chatCode, smsCode, socialCode]) => {
  const onChat = await chat(suffix)
  if (onChat.json.error) expect(onChat.json.error.code).toBe(chatCode)
  else {
    const id = onChat.json.messages[0].id
    await waitUntil(() => sandbox.endpoint.statuses(id).includes('failed'))
    const failed = sandbox.endpoint.updates().find(update => update.id === id && update.status === 'failed')
    expect(failed).toMatchObject({ errors: [{ code: chatCode }] })
  }
  const onSms = await text(suffix)
  if (onSms.json.code) expect(onSms.json.code).toBe(smsCode)
  else {
    const forms = () => sandbox.endpoint.forms().filter(form => form.MessageSid === onSms.json.sid)
    await waitUntil(() => forms().some(form => /^(un)?delivered$/.test(form.MessageStatus!)))
    expect(forms().at(-1)?.ErrorCode).toBe(smsCode === undefined ? undefined : String(smsCode))
  }
  expect((await social(suffix)).json.error?.code).toBe(socialCode)
})

it.each([
  ['0020', 130429],
  ['0022', 131056],
  ['0023', 131000],
  ['0025', 131057],
  ['0026', 4],
])('%s alternates between %i and success', async (suffix, code) => {
  const codes = []
  for (let i = 0; i < 4; i++) codes.push((await chat(suffix)).json.error?.code)
  expect(codes).toEqual([code, undefined, code, undefined])
})

describe('statuses', () => {
  const reported = async (suffix: string, count: number) => {
    const id = (await chat(suffix)).json.messages[0].id
    await waitUntil(() => sandbox.endpoint.statuses(id).length >= count)
    return sandbox.endpoint.statuses(id)
  }
  it.each([
    ['0011', ['sent', 'failed']],
    ['0050', ['sent', 'delivered', 'read']],
    ['0051', ['sent', 'read']],
    ['0052', ['sent']],
    ['0054', ['read', 'delivered', 'sent']],
  ])('%s as %j', async (suffix, expected) => {
    expect(await reported(suffix, expected.length)).toEqual(expected)
  })

  it('0053: each callback twice; 0056: no callbacks', async () => {
    expect(await reported('0053', 6)).toHaveLength(6)
    const id = (await chat('0056')).json.messages[0].id
    await waitUntil(async () => (await sandbox.control.pendingCallbacks()) === 0)
    expect(sandbox.endpoint.statuses(id)).toEqual([])
  })
})

it('0040 responds after five seconds, 0043 never; both accept the message', async () => {
  const post = (suffix: string, ms: number) =>
    fetch(`${sandbox.urls.chatapp}/v23.0/${number}/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        to: `+1500555${suffix}`,
        type: 'text',
        text: { body: 'x' },
      }),
      signal: AbortSignal.timeout(ms),
    })
  for (const suffix of ['0040', '0043']) {
    const count = async () => (await sandbox.control.sent(chatRef(number), `+1500555${suffix}`)).length
    const before = await count()
    await expect(post(suffix, 300)).rejects.toThrow()
    expect(await count()).toBe(before + 1)
  }
})

it('0060 replies with the same text, 0061 with STOP', async () => {
  await chat('0060')
  await waitUntil(() =>
    sandbox.endpoint.updates().some(update => (update.text as { body?: string })?.body === 'You said: Hello'),
  )
  await text('0061')
  await waitUntil(() => sandbox.endpoint.forms().some(form => form.Body === 'STOP'))
  expect((await text('0061')).json.code).toBe(21610)
  expect(await sandbox.control.sent(smsRef(sms.sid), '+15005550061')).toHaveLength(1)
})

it('all magic numbers are documented', async () => {
  const documented = await readFile(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  for (const suffix of Object.keys(scenarios)) expect(documented).toContain(`\`${suffix}\``)
})
