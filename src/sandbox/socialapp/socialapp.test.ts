import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../http/bodies.ts'
import { isSigned, socialRef, type TestSandbox, testSandbox, waitUntil } from '../testing/sandbox.ts'

let sandbox: TestSandbox
let account: string
beforeAll(async () => {
  sandbox = await testSandbox()
  account = await sandbox.socialAccount()
})
afterAll(() => sandbox.stop())

const person = '6000000000000001'
const send = (body: object) => sandbox.social('POST', `${account}/messages`, body)
const text = (words: string, more: object = {}) =>
  send({ recipient: { id: person }, message: { text: words }, ...more })
const does = (content: object, more: object = {}) =>
  sandbox.control.inbound(socialRef(account), { from: person, content: content as never, ...more })
const about = (id: string) =>
  sandbox.endpoint.updates().find(update => JSON.stringify(update).includes(`"${id}"`)) as
    | (Json & { message?: Json; read?: Json })
    | undefined
const callWith = (id: string) => sandbox.endpoint.calls.find(call => call.body.includes(`"${id}"`))!

describe('sending', () => {
  it('200 with recipient and id; a signed echo follows', async () => {
    const { status, json } = await text('Olá 👋', { message: { text: 'Olá 👋', metadata: 'msg_1' } })
    expect(status).toBe(200)
    expect(json).toEqual({ recipient_id: person, message_id: expect.any(String) })
    await waitUntil(() => about(json.message_id))
    expect(about(json.message_id)).toMatchObject({
      sender: { id: account },
      recipient: { id: person },
      message: { mid: json.message_id, is_echo: true, text: 'Olá 👋', metadata: 'msg_1' },
    })
    const call = callWith(json.message_id)
    expect(isSigned(call)).toBe(true)
    expect(call.body).not.toMatch(/[^\x20-\x7e]/)
    expect(JSON.parse(call.body)).toMatchObject({ object: 'instagram', entry: [{ id: account }] })
    const [item] = (await sandbox.control.sent(socialRef(account), person)).slice(-1)
    expect(item).toMatchObject({
      providerMessageId: json.message_id,
      to: person,
      payload: { recipient: { id: person } },
    })
  })

  it.each([
    [{ recipient: { id: person }, message: {} }, 100],
    [{ recipient: { id: person }, message: { text: 'é'.repeat(501) } }, 100],
    [{ recipient: {}, message: { text: 'x' } }, 100],
    [{ recipient: { id: 'missing1' }, message: { text: 'x' } }, 100],
    [{ recipient: { id: person }, message: { attachment: { type: 'poll' } } }, 100],
    [{ recipient: { id: person }, message: { attachment: { type: 'image', payload: {} } } }, 100],
    [
      {
        recipient: { id: person },
        messaging_type: 'MESSAGE_TAG',
        tag: 'ACCOUNT_UPDATE',
        message: { text: 'x' },
      },
      100,
    ],
    [{ recipient: { id: person }, sender_action: 'dance' }, 100],
  ])('400 for %j', async (body, code) => {
    const { status, json } = await send(body)
    expect([status, json.error.code]).toEqual([400, code])
  })

  it('accepts attachments, quick replies, templates, reactions and typing', async () => {
    const messages = [
      { attachment: { type: 'image', payload: { url: 'https://a.example/a.png' } } },
      { attachment: { type: 'MEDIA_SHARE', payload: { id: '1' } } },
      { attachment: { type: 'like_heart' } },
      { text: 'Choose', quick_replies: [{ content_type: 'text', title: 'A', payload: 'a' }] },
      { attachment: { type: 'template', payload: { template_type: 'button', text: 'x', buttons: [{}] } } },
    ]
    for (const message of messages)
      expect((await send({ recipient: { id: person }, message })).status).toBe(200)
    for (const action of ['typing_on', 'mark_seen'])
      expect((await send({ recipient: { id: person }, sender_action: action })).status).toBe(200)
    const react = {
      recipient: { id: person },
      sender_action: 'react',
      payload: { message_id: 'm', reaction: 'love' },
    }
    expect((await send(react)).status).toBe(200)
  })

  it('sends seen events to accounts that subscribed to them', async () => {
    await sandbox.control.setFaults({ callbacks: { statuses: ['sent', 'read'] } }, [socialRef(account)])
    const { json } = await text('see?')
    await sandbox.control.clearFaults([socialRef(account)])
    await waitUntil(() =>
      sandbox.endpoint.updates().some(update => (update.read as Json)?.mid === json.message_id),
    )
    const other = await sandbox.socialAccount('17841400000000002', 'messages')
    await sandbox.control.inbound(socialRef(other), {
      from: person,
      content: { type: 'read', read: { providerMessageId: 'mid-of-other' } },
    })
    await waitUntil(async () => (await sandbox.control.pendingCallbacks([socialRef(other)])) === 0)
    expect(about('mid-of-other')).toBeUndefined()
  })
})

describe('comments', () => {
  it('get one private reply, within seven days', async () => {
    const { providerMessageId: id } = await does({ type: 'comment', comment: { text: 'How much?' } })
    const reply = (comment: string) => send({ recipient: { comment_id: comment }, message: { text: 'Hi!' } })
    const first = await reply(id)
    expect(first.json.recipient_id).toBe(person)
    const second = await reply(id)
    expect([second.status, second.json.error.code]).toEqual([403, 10])
    const other = await does({ type: 'comment', comment: { text: 'And me?' } })
    await sandbox.control.advanceClock(7 * 86_400 + 1, [socialRef(account)])
    expect((await reply(other.providerMessageId)).json.error.code).toBe(10)
    expect((await reply('missing-comment')).json.error.code).toBe(100)
  })

  it('of two concurrent private replies one succeeds', async () => {
    const { providerMessageId: id } = await does({ type: 'comment', comment: { text: 'first!' } })
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => send({ recipient: { comment_id: id }, message: { text: 'Hi!' } })),
    )
    expect(responses.filter(response => response.status === 200)).toHaveLength(1)
  })

  it('a public reply is sent back as a comment of the account', async () => {
    const { providerMessageId: id } = await does({ type: 'comment', comment: { text: 'Nice' } })
    const { json } = await sandbox.social('POST', `${id}/replies`, { message: 'Thanks' })
    await waitUntil(() => about(json.id))
    expect(about(json.id)).toMatchObject({ value: { text: 'Thanks', from: { id: account }, parent_id: id } })
    const { json: comment } = await sandbox.social('GET', `${id}?fields=text,username`)
    expect(comment).toMatchObject({ id, text: 'Nice' })
  })
})

describe('envelopes', () => {
  it.each([
    ['messaging', { type: 'text', text: { body: 'a' } }],
    ['standby', { type: 'text', text: { body: 'b' } }],
    ['changes', { type: 'text', text: { body: 'c' } }],
    ['field', { type: 'text', text: { body: 'd' } }],
    ['changes', { type: 'comment', comment: { text: 'e' } }],
    ['field', { type: 'comment', comment: { text: 'f' } }],
  ])('%s with %j', async (shape, content) => {
    const { providerMessageId: id } = await does(content, { shape })
    await waitUntil(() => about(id))
    const entry = JSON.parse(callWith(id).body).entry.find((item: Json) =>
      JSON.stringify(item).includes(`"${id}"`),
    )
    expect(Object.keys(entry)).toContain(shape)
    if (shape === 'changes' || shape === 'field') {
      const { field } = shape === 'changes' ? entry.changes[0] : entry
      expect(field).toBe(content.type === 'comment' ? 'comments' : 'messages')
    }
  })

  it('cover all customer actions', async () => {
    const receive = async (content: object, more: object = {}) => {
      const { providerMessageId: id } = await does(content, more)
      await waitUntil(() => about(id))
      return about(id)!
    }
    expect(await receive({ type: 'reply', reply: { id: 'a', title: 'A' } })).toMatchObject({
      message: { text: 'A', quick_reply: { payload: 'a' } },
    })
    expect(await receive({ type: 'storyMention' })).toMatchObject({
      message: { attachments: [{ type: 'story_mention' }] },
    })
    expect(await receive({ type: 'storyReply', storyReply: { text: 'wow' } })).toMatchObject({
      message: { reply_to: { story: { url: expect.stringMatching(/^http/) } } },
    })
    expect(await receive({ type: 'unsupported' })).toMatchObject({ message: { is_unsupported: true } })
    expect(await receive({ type: 'text', text: { body: 'yes' } }, { replyTo: 'mid-x' })).toMatchObject({
      message: { reply_to: { mid: 'mid-x' } },
    })
    const picture = await receive({ type: 'media', media: { kind: 'image' } })
    const [attachment] = picture.message!.attachments as { payload: { url: string } }[]
    expect((await fetch(attachment!.payload.url)).headers.get('content-type')).toBe('image/png')
    await does({ type: 'reaction', reaction: { providerMessageId: 'mid-1', emoji: '❤️' } })
    await does({ type: 'reaction', reaction: { providerMessageId: 'mid-2', emoji: null } })
    await does({ type: 'deleted', deleted: { providerMessageId: 'mid-3' } })
    await does({ type: 'button', button: { payload: 'go', text: 'Go' } })
    await waitUntil(() => sandbox.endpoint.updates().some(update => update.postback))
    expect(about('mid-1')).toMatchObject({ reaction: { action: 'react', reaction: 'love' } })
    expect(about('mid-2')).toMatchObject({ reaction: { action: 'unreact' } })
    expect(about('mid-3')).toMatchObject({ message: { is_deleted: true } })
  })
})

describe('reading', () => {
  it('media and stories in pages', async () => {
    const seen: string[] = []
    let { json } = await sandbox.social(
      'GET',
      `${account}/media?fields=id,media_product_type,permalink&limit=12`,
    )
    for (;;) {
      seen.push(...json.data.map((item: { id: string }) => item.id))
      if (!json.paging.next) break
      json = await (await fetch(json.paging.next)).json()
    }
    expect(new Set(seen).size).toBe(30)
    const stories = await sandbox.social('GET', `${account}/stories?fields=media_product_type,timestamp`)
    expect(stories.json.data[0].media_product_type).toBe('STORY')
    const media = await sandbox.social('GET', `${seen[1]}?fields=media_type,caption`)
    expect(media.json).toMatchObject({ id: seen[1], media_type: 'VIDEO' })
  })

  it('profiles, accounts and conversations', async () => {
    const sent = (await text('for the record')).json.message_id
    const profile = await sandbox.social(
      'GET',
      `${person}?fields=name,username,profile_pic,is_user_follow_business`,
    )
    expect(profile.json).toMatchObject({ id: person, name: expect.any(String), username: expect.any(String) })
    expect((await sandbox.social('GET', `${account}?fields=username`)).json.username).toMatch(/^sandbox\./)
    const found = await sandbox.social('GET', `${account}/conversations?platform=instagram&user_id=${person}`)
    expect(found.json.data).toHaveLength(1)
    const { json } = await sandbox.social('GET', `${found.json.data[0].id}?fields=messages{id,message}`)
    expect(json.messages.data[0]).toMatchObject({
      id: sent,
      message: 'for the record',
      from: { id: account },
    })
    expect(json.messages.data.length).toBeLessThanOrEqual(20)
  })

  it('401 for an expired token, 400 for missing objects', async () => {
    expect((await sandbox.social('GET', `${account}/media`, undefined, 'expired')).status).toBe(401)
    expect((await sandbox.social('GET', 'missing-account/media')).json.error.error_subcode).toBe(33)
    const refreshed = await sandbox.social('GET', 'refresh_access_token?grant_type=ig_refresh_token')
    expect(refreshed.json.token_type).toBe('bearer')
  })
})
