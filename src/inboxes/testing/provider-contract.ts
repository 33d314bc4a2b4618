/**
 * Contract suite that every adapter passes: over HTTP against the sandbox, or, for the provider that is this service,
 * through its own API, where `local-contract.ts` has the cases of failures and repetitions that can exist.
 */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RemoteChannel } from '../../platform/config.ts'
import type { Content } from '../content.ts'
import type { Provider } from '../providers/provider.ts'
import { interrupted, repeated, unsigned } from './local-contract.ts'
import {
  buildOutbound,
  buildRecipient,
  image,
  readAll,
  startProviderHarness,
  text,
} from './provider-harness.ts'
import type { LocalHarness, LocalSetup, Suite, Traits } from './provider-suite.ts'

export function providerContract(provider: Provider, traits: Traits, local?: LocalSetup): void {
  let harness: Suite['harness']
  const channel = provider.channel as RemoteChannel
  beforeEach(async () => {
    // The rest of the harness belongs to the parts that are left out.
    harness = local
      ? ((await local.start()) as unknown as Suite['harness'])
      : await startProviderHarness(channel)
  })
  afterEach(() => harness.close())
  const to = (scenario: string) => local?.to(scenario) ?? buildRecipient(channel, scenario)
  const suite: Suite = {
    provider,
    traits,
    get harness() {
      return harness
    },
    to,
    failureOf: async (scenario, account = harness.account) => {
      const sent = await provider.send(account, buildOutbound(to(scenario)))
      if (sent.ok) throw new Error(`the send to ${scenario} did not fail`)
      return sent.failure
    },
    evidence: messageId =>
      traits.statuses.length > 0
        ? harness.waitForEvent('status', one => one.messageId === messageId)
        : harness.waitForEvent('message', one => one.echo?.messageId === messageId),
  }
  describe('sending', () => sending(suite))
  describe('receiving', () => receiving(suite))
  if (local) {
    const getLocal = () => harness as unknown as LocalHarness
    describe('interrupted', () => interrupted(suite, getLocal))
    describe('repeated', () => repeated(suite, getLocal))
    describe('unsigned', () => unsigned(suite))
    return
  }
  describe('failing', () => failing(suite))
  describe('uncertain', () => uncertain(suite))
  describe('signatures', () => signatures(suite))
}

function sending(suite: Suite): void {
  const { provider, traits, to } = suite
  test.each(traits.contents.map(one => [one.content.type, one] as const))('%s', async (_, one) => {
    const message = buildOutbound(to('1000'), one.content, one.media ? { media: one.media } : {})
    const sent = await provider.send(suite.harness.account, message)
    expect(sent).toMatchObject({ ok: true })
    const received = await suite.harness.received(to('1000'))
    expect(received?.providerMessageId).toBe((sent as { channelMessageId: string }).channelMessageId)
    expect(received?.payload).toMatchObject(one.request)
  })

  test('statuses carry our message id, each once', async () => {
    const message = buildOutbound(to('1001'))
    const sent = await provider.send(suite.harness.account, message)
    const { channelMessageId } = sent as { channelMessageId: string }
    for (const status of traits.statuses) {
      const event = await suite.harness.waitForEvent(
        'status',
        one => one.messageId === message.messageId && one.status === status,
      )
      expect(event).toMatchObject({
        channelMessageId,
        accountId: suite.harness.account.externalId,
        recipient: to('1001'),
      })
    }
    expect(await suite.evidence(message.messageId)).toMatchObject({ channelMessageId })
    const keys = suite.harness.events().map(one => one.dedupeKey)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('a reaction is added and removed', async () => {
    const message = await provider.send(suite.harness.account, buildOutbound(to('1002')))
    const { channelMessageId } = message as { channelMessageId: string }
    const reacting = { to: to('1002'), channelMessageId }
    const put = await provider.react(suite.harness.account, { ...reacting, emoji: '❤️' })
    const back = await provider.react(suite.harness.account, reacting)
    expect([put.ok, back.ok]).toEqual([traits.supportsReactions, traits.supportsReactions])
    if (!put.ok) expect(put.failure).toMatchObject({ kind: 'permanent', code: 'content_unsupported' })
  })
}

function receiving(suite: Suite): void {
  const { provider, to } = suite
  test('a text is parsed with sender and time', async () => {
    const id = await suite.harness.customer({
      from: to('2000'),
      profileName: 'Ana',
      content: { type: 'text', text: { body: 'Olá ☀️ & <b>' } },
    })
    const event = await suite.harness.waitForEvent('message', one => one.channelMessageId === id)
    expect(event).toMatchObject({
      accountId: suite.harness.account.externalId,
      dedupeKey: id,
      from: to('2000'),
      content: text('Olá ☀️ & <b>'),
    })
    expect(Math.abs(Date.parse(event.at) - Date.now())).toBeLessThan(10_000)
  })

  test('media is parsed and can be downloaded', async () => {
    const id = await suite.harness.customer({
      from: to('2001'),
      content: {
        type: 'media',
        media: { base64: image.toString('base64'), mimeType: 'image/png', caption: 'Look' },
      },
    })
    const event = await suite.harness.waitForEvent('message', one => one.channelMessageId === id)
    if (suite.harness.openMedia) {
      const { mediaId } = (event.content as Extract<Content, { type: 'media' }>).media
      const media = { mediaId, caption: 'Look', filename: expect.any(String) }
      expect(event.content).toEqual({ type: 'media', media })
      const opened = await suite.harness.openMedia(to('2001'), mediaId)
      expect(opened).toEqual({ bytes: image, mimeType: 'image/png' })
      return
    }
    expect(event.content).toEqual({ type: 'media', media: { mediaId: 'pending', caption: 'Look' } })
    const { body, mimeType } = await provider.downloadMedia(suite.harness.account, event.media!.reference)
    expect(mimeType).toBe('image/png')
    expect(await readAll(body)).toEqual(image)
  })

  test('parsing arbitrary webhooks does not throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.webQueryParameters()), body => {
        const webhook = { method: 'POST', url: 'x', headers: {}, body: Buffer.from(body), receivedAt: '' }
        expect(Array.isArray(provider.parseWebhook(webhook))).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
}

function failing(suite: Suite): void {
  const { provider, traits, to } = suite
  test.each(traits.failures)('%s: %j, %s', async (scenario, expected, when) => {
    if (when === 'immediately') {
      expect(await suite.failureOf(scenario)).toMatchObject(expected)
      return
    }
    const message = buildOutbound(to(scenario))
    expect(await provider.send(suite.harness.account, message)).toMatchObject({ ok: true })
    const event = await suite.harness.waitForEvent(
      'status',
      one => one.messageId === message.messageId && one.status === 'failed',
    )
    expect(event.failure).toMatchObject(expected)
  })

  test('expired or missing credentials fail with auth', async () => {
    for (const token of ['expired', '']) {
      const account = { ...suite.harness.account, token }
      expect(await suite.failureOf('1003', account)).toMatchObject({ kind: 'auth', code: 'auth_expired' })
      expect(await provider.checkHealth(account)).toMatchObject({ ok: false, failure: { kind: 'auth' } })
      await expect(provider.registerWebhook(account, 'v')).rejects.toMatchObject({
        failure: { kind: 'auth' },
      })
    }
  })

  test('an unreachable provider is retryable', async () => {
    const account = { ...suite.harness.account, baseUrl: 'http://127.0.0.1:9' }
    expect(await suite.failureOf('1004', account)).toMatchObject({
      kind: 'retryable',
      code: 'provider_unreachable',
    })
  })

  test('an unknown account is permanent', async () => {
    const answer = await provider.checkHealth({ ...suite.harness.account, externalId: 'missing-1' })
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'permanent', code: 'account_unknown' } })
  })
}

function uncertain(suite: Suite): void {
  const { provider, traits, to } = suite
  // Accepted, then no response, a closed connection, or an error.
  test.each(['0043', '0044', '0045'])('%s: the send is found', async scenario => {
    const account = { ...suite.harness.account, timeoutMs: 400 }
    const since = new Date().toISOString()
    const message = buildOutbound(to(scenario), text(`Is it there? ${scenario}`))
    const sent = await provider.send(account, message)
    expect(sent).toMatchObject({ ok: false, failure: { kind: 'uncertain' } })
    const accepted = (await suite.harness.received(to(scenario)))!.providerMessageId
    expect(await suite.evidence(message.messageId)).toMatchObject({ channelMessageId: accepted })
    expect(await provider.findSent(suite.harness.account, message, since)).toEqual(
      traits.canListSent ? [accepted] : [],
    )
  })

  // Not accepted: the connection hangs or breaks first.
  test.each(['0041', '0042'])('%s: nothing is found', async scenario => {
    const account = { ...suite.harness.account, timeoutMs: 400 }
    const message = buildOutbound(to(scenario))
    const sent = await provider.send(account, message)
    expect(sent).toMatchObject({ ok: false, failure: { kind: 'uncertain' } })
    expect(await provider.findSent(suite.harness.account, message, new Date().toISOString())).toEqual([])
  })

  test('finds all sends with the same text, oldest first', async () => {
    const since = new Date().toISOString()
    const messages = [buildOutbound(to('1005'), text('Twice')), buildOutbound(to('1005'), text('Twice'))]
    const ids: string[] = []
    for (const message of messages) {
      const sent = await provider.send(suite.harness.account, message)
      ids.push((sent as { channelMessageId: string }).channelMessageId)
    }
    await provider.send(suite.harness.account, buildOutbound(to('1005'), text('Once')))
    const found = await provider.findSent(suite.harness.account, messages[1]!, since)
    expect(found).toEqual(traits.canListSent ? ids : [])
  })
}

function signatures(suite: Suite): void {
  const { provider, to } = suite
  test('only unaltered webhooks signed by the provider verify', async () => {
    await suite.harness.customer({ from: to('3000'), content: { type: 'text', text: { body: 'Signed' } } })
    await suite.harness.waitForEvent('message', one => one.from === to('3000'))
    const webhook = suite.harness.webhooks.find(one => one.body.includes('Signed'))!
    const { secrets } = suite.harness
    const altered = Buffer.from(webhook.body.toString('latin1').replace('Signed', 'Forged'), 'latin1')
    expect(altered.equals(webhook.body)).toBe(false)
    expect(provider.verifyWebhook(webhook, secrets)).toBe(true)
    expect(provider.verifyWebhook({ ...webhook, body: altered }, secrets)).toBe(false)
    expect(provider.verifyWebhook({ ...webhook, headers: {} }, secrets)).toBe(false)
    expect(provider.verifyWebhook(webhook, ['wrong'])).toBe(false)
    expect(provider.verifyWebhook(webhook, [])).toBe(false)
  })
}
