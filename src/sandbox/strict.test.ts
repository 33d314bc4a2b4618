import { afterEach, beforeEach, expect, it } from 'vitest'
import { chatRef, smsRef, socialRef, type TestSandbox, testSandbox, waitUntil } from './testing/sandbox.ts'

const day = 86_400

let sandbox: TestSandbox
let number: string
beforeEach(async () => {
  sandbox = await testSandbox({ strict: true })
  number = await sandbox.chatNumber()
})
afterEach(() => sandbox.stop())

const last = async (id: string) => {
  await waitUntil(() => sandbox.endpoint.statuses(id).length > 0)
  return sandbox.endpoint.updates().findLast(update => update.id === id)!
}
const writes = (from: string, account = chatRef(number)) =>
  sandbox.control.inbound(account, { from, content: { type: 'text', text: { body: 'hi' } } })

it('chatapp: outside 24 hours only templates are delivered; other messages fail by callback', async () => {
  const to = '+14155550101'
  const text = async () => (await sandbox.text(number, to)).json.messages[0].id
  expect(await last(await text())).toMatchObject({ status: 'failed', errors: [{ code: 131047 }] })
  await writes(to)
  expect(await last(await text())).toMatchObject({ status: expect.stringMatching(/sent|delivered/) })
  await sandbox.control.advanceClock(day - 60, [chatRef(number)])
  expect(await last(await text())).not.toMatchObject({ status: 'failed' })
  await sandbox.control.advanceClock(120, [chatRef(number)])
  expect(await last(await text())).toMatchObject({ status: 'failed', errors: [{ code: 131047 }] })
  const template = await sandbox.chat('POST', `${number}/messages`, {
    messaging_product: 'whatsapp',
    to,
    type: 'template',
    template: { name: 'hello_world', language: { code: 'en_US' } },
  })
  expect(await last(template.json.messages[0].id)).not.toMatchObject({ status: 'failed' })
})

it('chatapp: a recipient accepts 45 messages in a burst, then one every six seconds; other recipients are not affected', async () => {
  const to = '+14155550102'
  await writes(to)
  const codes = async (count: number) => {
    const received = []
    for (let i = 0; i < count; i++) received.push((await sandbox.text(number, to)).json.error?.code)
    return received.filter(code => code !== undefined)
  }
  expect(await codes(46)).toEqual([131056])
  expect((await sandbox.text(number, '+14155550103')).status).toBe(200)
  await sandbox.control.advanceClock(6, [chatRef(number)])
  expect(await codes(2)).toEqual([131056])
})

it('chatapp: a number sends 80 messages per second, a fast number 1,000, as reported in its throughput', async () => {
  const numbers = (await sandbox.chat('GET', 'waba-rates/phone_numbers?limit=100')).json.data
  const burst = async (id: string, count: number) => {
    const responses = await Promise.all(
      Array.from({ length: count }, (_, i) => sandbox.text(id, `+1415556${String(1000 + i)}`)),
    )
    return responses.filter(response => response.json.error?.code === 130429).length
  }
  for (const { id, throughput } of numbers) {
    const refused = await burst(id, 160)
    if (throughput.level === 'STANDARD') expect(refused).toBeGreaterThan(0)
    else expect(refused).toBe(0)
  }
  expect((await sandbox.chat('GET', 'even-0?fields=throughput')).json.throughput.level).toBe('STANDARD')
  expect((await sandbox.chat('GET', 'odd-1?fields=throughput')).json.throughput.level).toBe('HIGH')
})

it('socialapp: the window is 24 hours, seven days with HUMAN_AGENT', async () => {
  const account = await sandbox.socialAccount()
  const person = '7000000000000001'
  const send = (more: object = {}) =>
    sandbox.social('POST', `${account}/messages`, {
      recipient: { id: person },
      message: { text: 'x' },
      ...more,
    })
  const human = { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }
  const closed = await send()
  expect([closed.status, closed.json.error.code, closed.json.error.error_subcode]).toEqual([403, 10, 2534022])
  expect((await sandbox.social('GET', `${person}?fields=name,profile_pic`)).json.error.code).toBe(230)
  await writes(person, socialRef(account))
  expect((await send()).status).toBe(200)
  expect((await sandbox.social('GET', `${person}?fields=name,profile_pic`)).status).toBe(200)
  await sandbox.control.advanceClock(day + 60, [socialRef(account)])
  expect((await send()).status).toBe(403)
  expect((await send(human)).status).toBe(200)
  await sandbox.control.advanceClock(6 * day, [socialRef(account)])
  expect((await send(human)).status).toBe(403)
})

it('sms: a local number sends one segment per second and queues the rest', async () => {
  const { sid, phone } = await sandbox.smsNumber()
  const send = (Body: string) =>
    sandbox.sms('POST', 'AC1/Messages.json', { From: phone, To: '+14155550109', Body })
  const first = (await send('x'.repeat(300))).json.sid
  const second = (await send('x')).json.sid
  await waitUntil(() =>
    sandbox.endpoint.forms().some(form => form.MessageSid === first && form.MessageStatus === 'delivered'),
  )
  expect((await sandbox.sms('GET', `AC1/Messages/${second}.json`)).json.status).toBe('queued')
  await sandbox.control.advanceClock(3, [smsRef(sid)])
  await waitUntil(() =>
    sandbox.endpoint.forms().some(form => form.MessageSid === second && form.MessageStatus === 'delivered'),
  )
})
