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

let customers = 0
const newCustomer = () => `+141555${String(20_000 + ++customers)}`
const send = async (to = newCustomer()) => (await sandbox.text(number, to)).json.messages[0].id as string
const allDelivered = () =>
  waitUntil(async () => (await sandbox.control.pendingCallbacks()) === 0, 'all callbacks are delivered')

describe('retrying', () => {
  it('continues until the response status is 200', async () => {
    await sandbox.control.setFaults({ callbacks: { statuses: ['sent'] } })
    sandbox.endpoint.statusCodes.push(500, 201, 302, 204)
    const id = await send()
    await allDelivered()
    expect(sandbox.endpoint.statuses(id)).toEqual(Array(5).fill('sent'))
  })

  it('retries an unreachable endpoint, and immediately after it registers again', async () => {
    const waba = 'waba-moving'
    const own = await sandbox.chatNumber(waba)
    const { startEndpoint } = await import('../testing/sandbox.ts')
    const closed = await startEndpoint()
    const register = (url: string) =>
      sandbox.chat('POST', `${waba}/subscribed_apps`, { override_callback_uri: url, verify_token: 'v' })
    await register(closed.url)
    await closed.close()
    const { json } = await sandbox.text(own, newCustomer())
    // The next retry would now take more than a second.
    await new Promise(resolve => setTimeout(resolve, 2000))
    expect(await sandbox.control.pendingCallbacks([chatRef(own)])).toBe(2)
    await register(sandbox.endpoint.url)
    await waitUntil(
      () => sandbox.endpoint.statuses(json.messages[0].id).length === 2,
      'the callbacks are delivered',
      500,
    )
  })

  it('stops after seven days', async () => {
    const own = await sandbox.chatNumber('waba-expired')
    sandbox.endpoint.statusCodes.push(...Array(200).fill(500))
    await sandbox.text(own, newCustomer())
    await waitUntil(() => sandbox.endpoint.statusCodes.length < 197)
    expect(await sandbox.control.pendingCallbacks([chatRef(own)])).toBe(2)
    await sandbox.control.advanceClock(7 * 86_400 + 60, [chatRef(own)])
    await waitUntil(async () => (await sandbox.control.pendingCallbacks([chatRef(own)])) === 0)
  })

  it('sends callbacks that an advanced clock makes due', async () => {
    const own = await sandbox.chatNumber('waba-clock')
    await sandbox.control.setFaults({ callbacks: { delay: { ms: 3_600_000 } } }, [chatRef(own)])
    const { json } = await sandbox.text(own, newCustomer())
    expect(await sandbox.control.pendingCallbacks([chatRef(own)])).toBe(2)
    await sandbox.control.advanceClock(3600, [chatRef(own)])
    await waitUntil(() => sandbox.endpoint.statuses(json.messages[0].id).length === 2)
  })
})

it('batches callbacks that are due together, up to the configured size', async () => {
  const own = await sandbox.chatNumber('waba-batches')
  await sandbox.control.setFaults({ callbacks: { delay: { ms: 3_600_000 } } }, [chatRef(own)])
  const sent = await Promise.all(Array.from({ length: 200 }, () => sandbox.text(own, newCustomer())))
  expect(await sandbox.control.pendingCallbacks([chatRef(own)])).toBe(400)
  sandbox.endpoint.calls.length = 0
  await sandbox.control.advanceClock(3600, [chatRef(own)])
  await allDelivered()
  for (const { json } of sent)
    expect(sandbox.endpoint.statuses(json.messages[0].id).toSorted()).toEqual(['delivered', 'sent'])
  expect(sandbox.endpoint.calls.length).toBeLessThan(100)
  await sandbox.control.setFaults({ callbacks: { batch: 1 } })
  sandbox.endpoint.calls.length = 0
  await Promise.all(Array.from({ length: 10 }, () => send()))
  await allDelivered()
  expect(sandbox.endpoint.calls).toHaveLength(20)
})

it('drops callbacks without a registration', async () => {
  await sandbox.text('no-webhook', newCustomer())
  await allDelivered()
})

describe('faults', () => {
  const many = async (count = 40) => {
    const ids = await Promise.all(Array.from({ length: count }, () => send()))
    await allDelivered()
    return ids.map(id => sandbox.endpoint.statuses(id))
  }

  it('drop: lost attempts are retried', async () => {
    await sandbox.control.setFaults({ seed: 1, callbacks: { drop: { probability: 0.3 } } })
    for (const statuses of await many(20)) expect(statuses.toSorted()).toEqual(['delivered', 'sent'])
  })

  it('lose: some callbacks are never sent', async () => {
    await sandbox.control.setFaults({ seed: 2, callbacks: { lose: { probability: 0.5 } } })
    const statuses = (await many()).flat().length
    expect(statuses).toBeGreaterThan(20)
    expect(statuses).toBeLessThan(60)
  })

  it('duplicate: callbacks are sent twice', async () => {
    await sandbox.control.setFaults({ callbacks: { duplicate: {} } })
    for (const statuses of await many(5))
      expect(statuses.toSorted()).toEqual(['delivered', 'delivered', 'sent', 'sent'])
  })

  it('reorder: some callbacks overtake earlier ones', async () => {
    await sandbox.control.setFaults({ seed: 3, callbacks: { reorder: { probability: 0.5 } } })
    expect((await many()).some(statuses => statuses[0] === 'delivered')).toBe(true)
  })

  it('count: applies exactly that often', async () => {
    await sandbox.control.setFaults({ callbacks: { lose: { count: 3 } } })
    expect((await many(5)).flat()).toHaveLength(7)
  })

  it('statuses: as configured', async () => {
    await sandbox.control.setFaults({ callbacks: { statuses: ['sent', 'delivered', 'read'] } })
    expect(await many(2)).toEqual([
      ['sent', 'delivered', 'read'],
      ['sent', 'delivered', 'read'],
    ])
  })

  it('the same seed affects the same callbacks', async () => {
    const lost = async () => {
      const other = await testSandbox()
      const own = await other.chatNumber()
      await other.control.setFaults({ seed: 9, callbacks: { lose: { probability: 0.5 } } })
      for (let i = 0; i < 20; i++) await other.text(own, '+14155550100', `${i}`)
      await waitUntil(async () => (await other.control.pendingCallbacks()) === 0)
      const sent = await other.control.sent(chatRef(own))
      const statuses = sent.map(item => other.endpoint.statuses(item.providerMessageId).join())
      await other.stop()
      return statuses
    }
    const first = await lost()
    expect(first.some(statuses => statuses !== 'sent,delivered')).toBe(true)
    expect(await lost()).toEqual(first)
  })

  it('account faults affect only these accounts', async () => {
    const { sid, phone } = await sandbox.smsNumber('AC9')
    await sandbox.control.setFaults({ requests: [{ answer: 'serverError' }] }, [smsRef(sid)])
    const sms = await sandbox.sms('POST', 'AC9/Messages.json', { From: phone, To: newCustomer(), Body: 'x' })
    expect([sms.status, sms.json.code]).toEqual([500, 20500])
    expect(await send()).toMatch(/^wamid\./)
    await sandbox.control.setFaults({ requests: [{ answer: 'rateLimited' }] })
    expect((await sandbox.text(number, newCustomer())).json.error.code).toBe(130429)
    await sandbox.control.setFaults({}, [chatRef(number)])
    expect(await send()).toMatch(/^wamid\./)
  })
})

describe('faulty responses', () => {
  const injectFault = (fault: object) =>
    sandbox.control.setFaults({ requests: [fault as never] }, [chatRef(number)])
  const sentTo = async (to: string) => (await sandbox.control.sent(chatRef(number), to)).length
  const post = (to: string, ms = 1_500) =>
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
    const to = newCustomer()
    await injectFault({ answer: fault, count: 1 })
    await expect(post(to)).rejects.toMatchObject({ name: error })
    expect(await sentTo(to)).toBe(expected)
    expect((await post(to, 30_000)).status).toBe(200)
  })

  it('acceptThenError: 500 for an accepted message, whose callbacks arrive', async () => {
    const to = newCustomer()
    await injectFault({ answer: 'acceptThenError', count: 1 })
    expect((await post(to, 30_000)).status).toBe(500)
    const [item] = await sandbox.control.sent(chatRef(number), to)
    await waitUntil(() => sandbox.endpoint.statuses(item!.providerMessageId).length === 2)
  })

  it('slow delays the response, error returns the given code, `to` selects a recipient', async () => {
    const to = newCustomer()
    await injectFault({ answer: 'slow', delayMs: 200 })
    const start = Date.now()
    expect((await post(to, 30_000)).status).toBe(200)
    expect(Date.now() - start).toBeGreaterThanOrEqual(195)
    await injectFault({ answer: 'error', code: 131048, status: 400, to })
    expect((await sandbox.text(number, to)).json.error.code).toBe(131048)
    expect((await sandbox.text(number, newCustomer())).status).toBe(200)
  })

  it('tokenExpired fails all calls until the fault is cleared', async () => {
    await injectFault({ answer: 'tokenExpired' })
    expect((await sandbox.text(number, newCustomer())).status).toBe(401)
    expect((await sandbox.chat('GET', number)).json.error).toMatchObject({ code: 190, error_subcode: 463 })
    await sandbox.control.clearFaults([chatRef(number)])
    expect((await sandbox.chat('GET', number)).status).toBe(200)
  })
})
