import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { providerContract } from '../../testing/provider-contract.ts'
import {
  buildOutbound,
  file,
  type ProviderHarness,
  startProviderHarness,
  text,
} from '../../testing/provider-harness.ts'
import { socialapp } from './socialapp.ts'

const permanent = (code: string) => ({ kind: 'permanent', code }) as const

providerContract(socialapp, {
  contents: [
    { content: text('Hello'), request: { recipient: { id: '15005551000' }, message: { text: 'Hello' } } },
    {
      content: { type: 'media', media: { mediaId: 'mda_1' } },
      media: file('document', 'application/pdf'),
      request: {
        message: { attachment: { type: 'file', payload: { url: 'https://media.example/file.png' } } },
      },
    },
    {
      content: {
        type: 'rich',
        rich: {
          header: { type: 'text', text: 'Dear' },
          body: { text: 'Well?' },
          actions: [{ type: 'reply', id: 'y', title: 'Yes' }],
        },
      },
      request: {
        message: {
          text: 'Dear\n\nWell?',
          quick_replies: [{ content_type: 'text', title: 'Yes', payload: 'y' }],
        },
      },
    },
    {
      content: {
        type: 'rich',
        rich: {
          body: { text: 'Well?' },
          actions: [
            { type: 'url', title: 'Look', url: 'https://shop.example' },
            { type: 'reply', id: 'y', title: 'Yes' },
          ],
        },
      },
      request: {
        message: {
          attachment: {
            type: 'template',
            payload: {
              buttons: [
                { type: 'web_url', title: 'Look', url: 'https://shop.example' },
                { type: 'postback', title: 'Yes', payload: 'y' },
              ],
            },
          },
        },
      },
    },
  ],
  statuses: [],
  supportsReactions: true,
  canListSent: true,
  failures: [
    ['0001', permanent('recipient_unreachable'), 'immediately'],
    ['0002', permanent('recipient_unreachable'), 'immediately'],
    ['0003', permanent('recipient_not_eligible'), 'immediately'],
    ['0012', permanent('window_closed'), 'immediately'],
    ['0021', { kind: 'rate_limited', scope: 'number' }, 'immediately'],
    ['0026', { kind: 'rate_limited', scope: 'app' }, 'immediately'],
    ['0031', { kind: 'rate_limited', code: 'spam_limited' }, 'immediately'],
    ['0030', { kind: 'auth' }, 'immediately'],
  ],
})

describe('provider specifics', () => {
  let here: ProviderHarness
  beforeEach(async () => {
    here = await startProviderHarness('socialapp', { strict: true })
  })
  afterEach(() => here.close())
  const from = '24000000000000001'
  const send = (...args: Parameters<typeof buildOutbound>) =>
    socialapp.send(here.account, buildOutbound(...args))

  test.each(['messaging', 'standby', 'changes', 'field'] as const)(
    'a message in the envelope %s',
    async shape => {
      const id = await here.customer({ from, shape, content: { type: 'text', text: { body: shape } } })
      const event = await here.waitForEvent('message', one => one.channelMessageId === id)
      expect(event).toMatchObject({ accountId: here.account.externalId, from, content: text(shape) })
    },
  )

  test.each(['changes', 'field'] as const)(
    'a comment in the envelope %s, with one private reply',
    async shape => {
      const commentId = await here.customer({
        from,
        shape,
        content: { type: 'comment', comment: { text: 'Price?' } },
      })
      const event = await here.waitForEvent('comment', one => one.commentId === commentId)
      expect(event).toMatchObject({
        from,
        text: 'Price?',
        dedupeKey: commentId,
        mediaId: expect.stringMatching(/^18/),
      })
      expect(await send(from, text('20 €'), { commentId })).toMatchObject({ ok: true })
      expect(await send(from, text('20 €'), { commentId })).toMatchObject({
        ok: false,
        failure: { kind: 'permanent' },
      })
    },
  )

  test('comments of the account itself are skipped', async () => {
    await here.customer({
      from: here.account.externalId,
      content: { type: 'comment', comment: { text: 'Ours' } },
    })
    const id = await here.customer({ from, content: { type: 'text', text: { body: 'After' } } })
    await here.waitForEvent('message', one => one.channelMessageId === id)
    expect(here.events().filter(one => one.type === 'comment' && one.text === 'Ours')).toEqual([])
  })

  test('parses postbacks, stories, mentions, reactions, seen and deletions', async () => {
    const of = async (content: Parameters<ProviderHarness['customer']>[0]['content']) => {
      const id = await here.customer({ from, content })
      return here.waitForEvent('message', one => one.channelMessageId === id)
    }
    expect((await of({ type: 'reply', reply: { id: 'y', title: 'Yes' } })).content).toEqual({
      type: 'reply',
      reply: { id: 'y', title: 'Yes' },
    })
    await here.customer({ from, content: { type: 'button', button: { payload: 'p', text: 'Tap' } } })
    await here.waitForEvent('message', one => one.content.type === 'reply' && one.content.reply.id === 'p')
    expect(await of({ type: 'storyReply', storyReply: { text: 'Nice', storyId: 's1' } })).toMatchObject({
      content: text('Nice'),
      resource: { kind: 'story', id: 's1' },
    })
    expect(await of({ type: 'storyMention' })).toMatchObject({
      content: { type: 'media' },
      resource: { kind: 'story_mention' },
    })
    expect((await of({ type: 'unsupported' })).content).toMatchObject({ type: 'unsupported' })
    const ours = await send(from)
    const { channelMessageId } = ours as { channelMessageId: string }
    for (const emoji of ['😍', null])
      await here.customer({
        from,
        content: { type: 'reaction', reaction: { providerMessageId: channelMessageId, emoji } },
      })
    expect(await here.waitForEvent('reaction', one => one.emoji === '😍')).toMatchObject({
      from,
      channelMessageId,
    })
    await here.waitForEvent(
      'reaction',
      one => one.emoji === undefined && one.channelMessageId === channelMessageId,
    )
    await here.customer({ from, content: { type: 'read', read: { providerMessageId: channelMessageId } } })
    expect(await here.waitForEvent('status')).toMatchObject({
      status: 'read',
      upTo: true,
      channelMessageId,
      recipient: from,
    })
  })

  test('after 24 hours only messages of humans are sent, with a tag', async () => {
    const other = '24000000000000002'
    await here.customer({ from: other, content: { type: 'text', text: { body: 'Hi' } } })
    expect(await send(other)).toMatchObject({ ok: true })
    await here.sandbox.control.advanceClock(2 * 86_400)
    expect(await send(other)).toMatchObject({ ok: false, failure: { code: 'window_closed' } })
    expect(await send(other, text('Sorry'), { sentByHuman: true, outsideWindow: true })).toMatchObject({
      ok: true,
    })
    expect((await here.received(other))!.payload).toMatchObject({
      messaging_type: 'MESSAGE_TAG',
      tag: 'HUMAN_AGENT',
    })
  })

  test('supports only the heart reaction', async () => {
    const reacting = { to: from, channelMessageId: 'm', emoji: '👍' }
    expect(await socialapp.react(here.account, reacting)).toMatchObject({
      ok: false,
      failure: { code: 'content_unsupported' },
    })
  })
})
