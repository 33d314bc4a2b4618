/** What every adapter must do, asked of each over HTTP against the sandbox. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Content } from '../content.ts'
import type { Account, Failure, Provider, ProviderEvent, StatusEvent } from '../provider.ts'
import {
  buildOutbound,
  buildRecipient,
  type file,
  image,
  type ProviderHarness,
  readAll,
  startProviderHarness,
  text,
} from './provider-harness.ts'

export interface Traits {
  /** One of each content the channel carries, and what of it must stand in the provider's request. */
  contents: { content: Content; media?: ReturnType<typeof file>; request: Record<string, unknown> }[]
  /** Statuses of a message that goes well; a channel without any tells by an echo. */
  statuses: StatusEvent['status'][]
  supportsReactions: boolean
  /** Whether lost answers leave a trace in a list that can be looked into. */
  canListSent: boolean
  /** By the fate of the recipient: what comes of a send, at once or later. */
  failures: [fate: string, failure: Partial<Failure>, when: 'at once' | 'later'][]
}

/** An adapter at work: what all parts of the suite need. */
interface Suite {
  provider: Provider
  traits: Traits
  /** Only inside tests: it is made before the first. */
  harness: ProviderHarness
  to(fate: string): string
  failureOf(fate: string, account?: Account): Promise<Failure>
  /** The echo or the first status that names our message. */
  evidence(messageId: string): Promise<ProviderEvent>
}

export function providerContract(provider: Provider, traits: Traits): void {
  let made: ProviderHarness
  beforeAll(async () => {
    made = await startProviderHarness(provider.channel)
  })
  afterAll(() => made.close())
  const to = (fate: string) => buildRecipient(provider.channel, fate)
  const bench: Suite = {
    provider,
    traits,
    get harness() {
      return made
    },
    to,
    failureOf: async (fate, account = made.account) => {
      const sent = await provider.send(account, buildOutbound(to(fate)))
      if (sent.ok) throw new Error(`a send to ${fate} went well`)
      return sent.failure
    },
    evidence: messageId =>
      traits.statuses.length > 0
        ? made.waitForEvent('status', one => one.messageId === messageId)
        : made.waitForEvent('message', one => one.echo?.messageId === messageId),
  }
  describe('sending', () => sending(bench))
  describe('receiving', () => receiving(bench))
  describe('failing', () => failing(bench))
  describe('uncertain', () => uncertain(bench))
  describe('signatures', () => signatures(bench))
}

function sending(bench: Suite): void {
  const { provider, traits, to } = bench
  test.each(traits.contents.map(one => [one.content.type, one] as const))('%s', async (_, one) => {
    const message = buildOutbound(to('1000'), one.content, one.media ? { media: one.media } : {})
    const sent = await provider.send(bench.harness.account, message)
    expect(sent).toMatchObject({ ok: true })
    const received = await bench.harness.received(to('1000'))
    expect(received?.providerMessageId).toBe((sent as { channelMessageId: string }).channelMessageId)
    expect(received?.payload).toMatchObject(one.request)
  })

  test('its statuses come back with our id, each once', async () => {
    const message = buildOutbound(to('1001'))
    const sent = await provider.send(bench.harness.account, message)
    const { channelMessageId } = sent as { channelMessageId: string }
    for (const status of traits.statuses) {
      const told = await bench.harness.waitForEvent(
        'status',
        one => one.messageId === message.messageId && one.status === status,
      )
      expect(told).toMatchObject({
        channelMessageId,
        accountId: bench.harness.account.externalId,
        recipient: to('1001'),
      })
    }
    expect(await bench.evidence(message.messageId)).toMatchObject({ channelMessageId })
    const keys = bench.harness.events().map(one => one.dedupeKey)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('a reaction and its end', async () => {
    const message = await provider.send(bench.harness.account, buildOutbound(to('1002')))
    const { channelMessageId } = message as { channelMessageId: string }
    const reacting = { to: to('1002'), channelMessageId }
    const put = await provider.react(bench.harness.account, { ...reacting, emoji: '❤️' })
    const back = await provider.react(bench.harness.account, reacting)
    expect([put.ok, back.ok]).toEqual([traits.supportsReactions, traits.supportsReactions])
    if (!put.ok) expect(put.failure).toMatchObject({ kind: 'permanent', code: 'content_unsupported' })
  })
}

function receiving(bench: Suite): void {
  const { provider, to } = bench
  test('a text, with who wrote it and when', async () => {
    const id = await bench.harness.customer({
      from: to('2000'),
      profileName: 'Ana',
      content: { type: 'text', text: { body: 'Olá ☀️ & <b>' } },
    })
    const told = await bench.harness.waitForEvent('message', one => one.channelMessageId === id)
    expect(told).toMatchObject({
      accountId: bench.harness.account.externalId,
      dedupeKey: id,
      from: to('2000'),
      content: text('Olá ☀️ & <b>'),
    })
    expect(Math.abs(Date.parse(told.at) - Date.now())).toBeLessThan(10_000)
  })

  test('media, whose bytes are there to fetch', async () => {
    const id = await bench.harness.customer({
      from: to('2001'),
      content: {
        type: 'media',
        media: { base64: image.toString('base64'), mimeType: 'image/png', caption: 'Look' },
      },
    })
    const told = await bench.harness.waitForEvent('message', one => one.channelMessageId === id)
    expect(told.content).toEqual({ type: 'media', media: { mediaId: 'pending', caption: 'Look' } })
    const { body, mimeType } = await provider.downloadMedia(bench.harness.account, told.media!.reference)
    expect(mimeType).toBe('image/png')
    expect(await readAll(body)).toEqual(image)
  })

  test('whatever is in a callback, reading it does not throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.webQueryParameters()), body => {
        const callback = { method: 'POST', url: 'x', headers: {}, body: Buffer.from(body), receivedAt: '' }
        expect(Array.isArray(provider.parseWebhook(callback))).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
}

function failing(bench: Suite): void {
  const { provider, traits, to } = bench
  test.each(traits.failures)('%s: %j, %s', async (fate, wanted, when) => {
    if (when === 'at once') {
      expect(await bench.failureOf(fate)).toMatchObject(wanted)
      return
    }
    const message = buildOutbound(to(fate))
    expect(await provider.send(bench.harness.account, message)).toMatchObject({ ok: true })
    const told = await bench.harness.waitForEvent(
      'status',
      one => one.messageId === message.messageId && one.status === 'failed',
    )
    expect(told.failure).toMatchObject(wanted)
  })

  test('credentials that expired, and none at all', async () => {
    for (const token of ['expired', '']) {
      const account = { ...bench.harness.account, token }
      expect(await bench.failureOf('1003', account)).toMatchObject({ kind: 'auth', code: 'auth_expired' })
      expect(await provider.checkHealth(account)).toMatchObject({ ok: false, failure: { kind: 'auth' } })
      await expect(provider.registerWebhook(account, 'v')).rejects.toMatchObject({
        failure: { kind: 'auth' },
      })
    }
  })

  test('nobody there: nothing was sent, so it may be tried again', async () => {
    const account = { ...bench.harness.account, baseUrl: 'http://127.0.0.1:9' }
    expect(await bench.failureOf('1004', account)).toMatchObject({
      kind: 'retryable',
      code: 'provider_unreachable',
    })
  })

  test('an account that does not exist', async () => {
    const answer = await provider.checkHealth({ ...bench.harness.account, externalId: 'missing-1' })
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'permanent', code: 'account_unknown' } })
  })
}

function uncertain(bench: Suite): void {
  const { provider, traits, to } = bench
  // Accepted, and then silence, a cut connection, or an error.
  test.each(['0043', '0044', '0045'])('%s leaves evidence', async fate => {
    const account = { ...bench.harness.account, timeoutMs: 400 }
    const since = new Date().toISOString()
    const message = buildOutbound(to(fate), text(`Is it there? ${fate}`))
    const sent = await provider.send(account, message)
    expect(sent).toMatchObject({ ok: false, failure: { kind: 'uncertain' } })
    const accepted = (await bench.harness.received(to(fate)))!.providerMessageId
    expect(await bench.evidence(message.messageId)).toMatchObject({ channelMessageId: accepted })
    expect(await provider.findSent(bench.harness.account, message, since)).toEqual(
      traits.canListSent ? [accepted] : [],
    )
  })

  // Never heard: the connection hangs or breaks before the provider took note.
  test.each(['0041', '0042'])('%s leaves none', async fate => {
    const account = { ...bench.harness.account, timeoutMs: 400 }
    const message = buildOutbound(to(fate))
    const sent = await provider.send(account, message)
    expect(sent).toMatchObject({ ok: false, failure: { kind: 'uncertain' } })
    expect(await provider.findSent(bench.harness.account, message, new Date().toISOString())).toEqual([])
  })

  test('of those that say the same all are found, the oldest first, and no others', async () => {
    const since = new Date().toISOString()
    const messages = [buildOutbound(to('1005'), text('Twice')), buildOutbound(to('1005'), text('Twice'))]
    const ids: string[] = []
    for (const message of messages) {
      const sent = await provider.send(bench.harness.account, message)
      ids.push((sent as { channelMessageId: string }).channelMessageId)
    }
    await provider.send(bench.harness.account, buildOutbound(to('1005'), text('Once')))
    const found = await provider.findSent(bench.harness.account, messages[1]!, since)
    expect(found).toEqual(traits.canListSent ? ids : [])
  })
}

function signatures(bench: Suite): void {
  const { provider, to } = bench
  test('only what the provider signed, as it signed it', async () => {
    await bench.harness.customer({ from: to('3000'), content: { type: 'text', text: { body: 'Signed' } } })
    await bench.harness.waitForEvent('message', one => one.from === to('3000'))
    const callback = bench.harness.webhooks.find(one => one.body.includes('Signed'))!
    const { secrets } = bench.harness
    const altered = Buffer.from(callback.body.toString('latin1').replace('Signed', 'Forged'), 'latin1')
    expect(altered.equals(callback.body)).toBe(false)
    expect(provider.verifyWebhook(callback, secrets)).toBe(true)
    expect(provider.verifyWebhook({ ...callback, body: altered }, secrets)).toBe(false)
    expect(provider.verifyWebhook({ ...callback, headers: {} }, secrets)).toBe(false)
    expect(provider.verifyWebhook(callback, ['wrong'])).toBe(false)
    expect(provider.verifyWebhook(callback, [])).toBe(false)
  })
}
