/**
 * The part of the contract suite for a provider that is this service: processes die and requests are repeated here, too.
 *
 * Cases of remote providers that cannot exist are left out:
 * - failures by scenario of the recipient: a message is sent once it is stored, and nobody refuses it afterwards;
 * - expired credentials and an unreachable provider: there are neither credentials nor a network in between;
 * - an account that the provider does not know: the account is the inbox, and messages of deleted inboxes are not sent;
 * - a send that is not found because the provider did not accept it: what is stored is sent;
 * - signatures: there are no webhooks. Visitors have tokens, which the tests of the web chat try to misuse.
 */
import { expect, test } from 'vitest'
import { buildOutbound, text } from './provider-harness.ts'
import type { LocalHarness, Suite } from './provider-suite.ts'

/** Available inside tests only, like the harness of the suite. */
type Local = () => LocalHarness

export function interrupted(suite: Suite, local: Local): void {
  const { provider, to } = suite
  test.each(['before', 'after'] as const)('a process dies %s the send: it is sent once', async moment => {
    const recipient = to(`4000 ${moment}`)
    local().dieOnce(moment)
    const message = buildOutbound(recipient, text('Is it there?'))
    const sent = await provider.send(suite.harness.account, message)
    const { channelMessageId } = sent as { channelMessageId: string }
    await local().waitForStatus(channelMessageId, 'read')
    expect(await local().listReceived(recipient)).toEqual([channelMessageId])
    expect(await provider.findSent(suite.harness.account, message, new Date().toISOString())).toEqual([
      channelMessageId,
    ])
  })
}

export function repeated(suite: Suite, local: Local): void {
  const { provider, to } = suite
  test('a repeated send is the same message', async () => {
    const message = buildOutbound(to('4001'))
    const sent = await provider.send(suite.harness.account, message)
    expect(sent).toMatchObject({ ok: true })
    expect(await provider.send(suite.harness.account, message)).toEqual(sent)
    expect(await local().listReceived(to('4001'))).toHaveLength(1)
  })

  test('each of several sends with the same text is found', async () => {
    const since = new Date().toISOString()
    const messages = [buildOutbound(to('4002'), text('Twice')), buildOutbound(to('4002'), text('Twice'))]
    const ids: string[] = []
    for (const message of messages) {
      const sent = await provider.send(suite.harness.account, message)
      ids.push((sent as { channelMessageId: string }).channelMessageId)
    }
    expect(await local().listReceived(to('4002'))).toEqual(ids)
    for (const [i, message] of messages.entries())
      expect(await provider.findSent(suite.harness.account, message, since)).toEqual([ids[i]])
  })

  test('a repeated message of the customer is received once', async () => {
    const content = { type: 'text' as const, text: { body: 'Once' } }
    const id = await suite.harness.customer({ from: to('4003'), content })
    await suite.harness.waitForEvent('message', one => one.channelMessageId === id)
    await local().repeatCustomer()
    const next = await suite.harness.customer({ from: to('4003'), content })
    await suite.harness.waitForEvent('message', one => one.channelMessageId === next)
    const received = suite.harness.events().filter(one => one.type === 'message')
    expect(received.map(one => one.channelMessageId)).toEqual([id, next])
    await local().waitForReceived(to('4003'), 2)
  })

  test('a repeated or late status is received once and takes nothing back', async () => {
    const message = buildOutbound(to('4004'))
    const sent = await provider.send(suite.harness.account, message)
    const { channelMessageId } = sent as { channelMessageId: string }
    await local().waitForStatus(channelMessageId, 'read')
    for (const status of ['read', 'delivered', 'read'] as const)
      await local().report(to('4004'), channelMessageId, status)
    const next = buildOutbound(to('4004'))
    await provider.send(suite.harness.account, next)
    await suite.harness.waitForEvent(
      'status',
      one => one.messageId === next.messageId && one.status === 'read',
    )
    await local().waitForStatus(channelMessageId, 'read')
    const statuses = suite.harness
      .events()
      .flatMap(one => (one.type === 'status' && one.messageId === message.messageId ? one.status : []))
    expect(statuses).toEqual(['delivered', 'read'])
  })
}

export function unsigned(suite: Suite): void {
  const { provider, to } = suite
  test('no webhook verifies, whatever it is signed with', async () => {
    await suite.harness.customer({ from: to('4005'), content: { type: 'text', text: { body: 'Hello' } } })
    const { account } = suite.harness
    const body = Buffer.from(JSON.stringify({ type: 'message', from: to('4005'), text: 'Forged' }))
    const webhook = { method: 'POST', url: account.webhookUrl, headers: {}, body, receivedAt: '' }
    for (const secrets of [[], [''], [account.token], ['secret']])
      expect(provider.verifyWebhook(webhook, secrets)).toBe(false)
    expect(provider.parseWebhook(webhook)).toEqual([])
    const response = await fetch(account.webhookUrl, { method: 'POST', body })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
  })
}
