import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chatRef, smsRef, type TestSandbox, testSandbox, waitUntil } from '../testing/sandbox.ts'

let sandbox: TestSandbox
let number: string
beforeAll(async () => {
  sandbox = await testSandbox()
  number = await sandbox.chatNumber()
})
afterAll(() => sandbox.stop())
afterEach(async () => {
  sandbox.endpoint.statusCodes.length = 0
  await sandbox.control.clearFaults()
})

let person = 0
const someone = () => `+141555${String(20_000 + ++person)}`
const send = async (to = someone()) => (await sandbox.text(number, to)).json.messages[0].id as string
const settled = () =>
  waitUntil(async () => (await sandbox.control.pendingCallbacks()) === 0, 'all callbacks are settled')

describe('retrying', () => {
  it('goes on until the answer is 200, whatever else it was', async () => {
    await sandbox.control.setFaults({ callbacks: { statuses: ['sent'] } })
    sandbox.endpoint.statusCodes.push(500, 201, 302, 204)
    const id = await send()
    await settled()
    expect(sandbox.endpoint.statuses(id)).toEqual(Array(5).fill('sent'))
  })

  it('survives a receiver that is not there, and finds it at once when it registers again', async () => {
    const waba = 'waba-moving'
    const own = await sandbox.chatNumber(waba)
    const { startEndpoint: receiver } = await import('../testing/sandbox.ts')
    const gone = await receiver()
    const register = (url: string) =>
      sandbox.chat('POST', `${waba}/subscribed_apps`, { override_callback_uri: url, verify_token: 'v' })
    await register(gone.url)
    await gone.close()
    const { json } = await sandbox.text(own, someone())
    // By then the next attempt would be made a second later.
    await new Promise(resolve => setTimeout(resolve, 2000))
    expect(await sandbox.control.pendingCallbacks([chatRef(own)])).toBe(2)
    await register(sandbox.endpoint.url)
    await waitUntil(() => sandbox.endpoint.statuses(json.messages[0].id).length === 2, 'it is told', 500)
  })

  it('gives up after seven days', async () => {
    const own = await sandbox.chatNumber('waba-forgotten')
    sandbox.endpoint.statusCodes.push(...Array(200).fill(500))
    await sandbox.text(own, someone())
    await waitUntil(() => sandbox.endpoint.statusCodes.length < 197)
    expect(await sandbox.control.pendingCallbacks([chatRef(own)])).toBe(2)
    await sandbox.control.advanceClock(7 * 86_400 + 60, [chatRef(own)])
    await waitUntil(async () => (await sandbox.control.pendingCallbacks([chatRef(own)])) === 0)
  })

  it('tries what is due by the moved clock at once', async () => {
    const own = await sandbox.chatNumber('waba-clock')
    await sandbox.control.setFaults({ callbacks: { delay: { ms: 3_600_000 } } }, [chatRef(own)])
    const { json } = await sandbox.text(own, someone())
    expect(await sandbox.control.pendingCallbacks([chatRef(own)])).toBe(2)
    await sandbox.control.advanceClock(3600, [chatRef(own)])
    await waitUntil(() => sandbox.endpoint.statuses(json.messages[0].id).length === 2)
  })
})

it('batches what is due together, and no more than asked for', async () => {
  sandbox.endpoint.calls.length = 0
  const ids = await Promise.all(Array.from({ length: 200 }, () => send()))
  await settled()
  for (const id of ids) expect(sandbox.endpoint.statuses(id)).toEqual(['sent', 'delivered'])
  expect(sandbox.endpoint.calls.length).toBeLessThan(100)
  await sandbox.control.setFaults({ callbacks: { batch: 1 } })
  sandbox.endpoint.calls.length = 0
  await Promise.all(Array.from({ length: 10 }, () => send()))
  await settled()
  expect(sandbox.endpoint.calls).toHaveLength(20)
})

it('drops what nobody registered for', async () => {
  await sandbox.text('nobody-listens', someone())
  await settled()
})

describe('faults', () => {
  const many = async (count = 40) => {
    const ids = await Promise.all(Array.from({ length: count }, () => send()))
    await settled()
    return ids.map(id => sandbox.endpoint.statuses(id))
  }

  it('drop: attempts get lost and are made again', async () => {
    await sandbox.control.setFaults({ seed: 1, callbacks: { drop: { probability: 0.3 } } })
    for (const told of await many(20)) expect(told.toSorted()).toEqual(['delivered', 'sent'])
  })

  it('lose: some are never told', async () => {
    await sandbox.control.setFaults({ seed: 2, callbacks: { lose: { probability: 0.5 } } })
    const told = (await many()).flat().length
    expect(told).toBeGreaterThan(20)
    expect(told).toBeLessThan(60)
  })

  it('duplicate: all come twice', async () => {
    await sandbox.control.setFaults({ callbacks: { duplicate: {} } })
    for (const told of await many(5))
      expect(told.toSorted()).toEqual(['delivered', 'delivered', 'sent', 'sent'])
  })

  it('reorder: some come before what they follow', async () => {
    await sandbox.control.setFaults({ seed: 3, callbacks: { reorder: { probability: 0.5 } } })
    expect((await many()).some(told => told[0] === 'delivered')).toBe(true)
  })

  it('counted: exactly so many, then none', async () => {
    await sandbox.control.setFaults({ callbacks: { lose: { count: 3 } } })
    expect((await many(5)).flat()).toHaveLength(7)
  })

  it('statuses: as asked for', async () => {
    await sandbox.control.setFaults({ callbacks: { statuses: ['sent', 'delivered', 'read'] } })
    expect(await many(2)).toEqual([
      ['sent', 'delivered', 'read'],
      ['sent', 'delivered', 'read'],
    ])
  })

  it('strike the same ones for the same seed', async () => {
    const lost = async () => {
      const other = await testSandbox()
      const own = await other.chatNumber()
      await other.control.setFaults({ seed: 9, callbacks: { lose: { probability: 0.5 } } })
      for (let i = 0; i < 20; i++) await other.text(own, '+14155550100', `${i}`)
      await waitUntil(async () => (await other.control.pendingCallbacks()) === 0)
      const sent = await other.control.sent(chatRef(own))
      const told = sent.map(item => other.endpoint.statuses(item.providerMessageId).join())
      await other.stop()
      return told
    }
    const first = await lost()
    expect(first.some(told => told !== 'sent,delivered')).toBe(true)
    expect(await lost()).toEqual(first)
  })

  it('touch only the accounts they were made for', async () => {
    const { sid, phone } = await sandbox.smsNumber('AC9')
    await sandbox.control.setFaults({ requests: [{ answer: 'serverError' }] }, [smsRef(sid)])
    const sms = await sandbox.sms('POST', 'AC9/Messages.json', { From: phone, To: someone(), Body: 'x' })
    expect([sms.status, sms.json.code]).toEqual([500, 20500])
    expect(await send()).toMatch(/^wamid\./)
    await sandbox.control.setFaults({ requests: [{ answer: 'rateLimited' }] })
    expect((await sandbox.text(number, someone())).json.error.code).toBe(130429)
    await sandbox.control.setFaults({}, [chatRef(number)])
    expect(await send()).toMatch(/^wamid\./)
  })
})

describe('answers that go wrong', () => {
  const answer = (fault: object) =>
    sandbox.control.setFaults({ requests: [fault as never] }, [chatRef(number)])
  const sentTo = async (to: string) => (await sandbox.control.sent(chatRef(number), to)).length
  const post = (to: string, ms = 400) =>
    fetch(`${sandbox.urls.chatapp}/v23.0/${number}/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', to, type: 'text', text: { body: 'x' } }),
      signal: AbortSignal.timeout(ms),
    })

  it.each([
    ['hang', 0, 'TimeoutError'],
    ['reset', 0, 'TypeError'],
    ['acceptThenHang', 1, 'TimeoutError'],
    ['acceptThenReset', 1, 'TypeError'],
  ])('%s leaves %i messages in the ledger', async (fault, expected, error) => {
    const to = someone()
    await answer({ answer: fault, count: 1 })
    await expect(post(to)).rejects.toMatchObject({ name: error })
    expect(await sentTo(to)).toBe(expected)
    expect((await post(to)).status).toBe(200)
  })

  it('acceptThenError answers 500 for a message that was taken, and tells of it all the same', async () => {
    const to = someone()
    await answer({ answer: 'acceptThenError', count: 1 })
    expect((await post(to)).status).toBe(500)
    const [item] = await sandbox.control.sent(chatRef(number), to)
    await waitUntil(() => sandbox.endpoint.statuses(item!.providerMessageId).length === 2)
  })

  it('slow answers late, error answers as spelled out, a recipient can be singled out', async () => {
    const to = someone()
    await answer({ answer: 'slow', delayMs: 200 })
    const start = Date.now()
    expect((await post(to)).status).toBe(200)
    expect(Date.now() - start).toBeGreaterThanOrEqual(195)
    await answer({ answer: 'error', code: 131048, status: 400, to })
    expect((await sandbox.text(number, to)).json.error.code).toBe(131048)
    expect((await sandbox.text(number, someone())).status).toBe(200)
  })

  it('an expired token stops everything, until the fault is cleared', async () => {
    await answer({ answer: 'tokenExpired' })
    expect((await sandbox.text(number, someone())).status).toBe(401)
    expect((await sandbox.chat('GET', number)).json.error).toMatchObject({ code: 190, error_subcode: 463 })
    await sandbox.control.clearFaults([chatRef(number)])
    expect((await sandbox.chat('GET', number)).status).toBe(200)
  })
})
