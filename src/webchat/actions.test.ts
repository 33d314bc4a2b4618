/** Tests what a visitor does besides writing: files, read state, typing, buttons, forms, rating and transcript. */
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Client } from '../../test/harness/api.ts'
import { testService, until } from '../../test/harness/service.ts'
import { createWebchat, startVisitor, type TestVisitor } from './testing/visitor.ts'

const service = await testService()
const { owner } = await service.workspace('Shop')

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function upload(visitor: Client, bytes: Buffer = pixel, filename = 'photo.png') {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), filename)
  const response = await fetch(`${service.url}/v1/widget/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${visitor.token}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as { mediaId: string } }
}

async function startConversation(settings: object = {}): Promise<{ visitor: TestVisitor; id: string }> {
  const { inboxKey } = await createWebchat(owner, settings)
  const visitor = await startVisitor(service.url, inboxKey)
  await visitor.say('Hi')
  await until(visitor.messages, messages => messages.length > 0)
  const { conversation } = (await visitor.post(`/widget/${inboxKey}/sessions`, {})).body
  return { visitor, id: conversation.id }
}

const reply = (id: string, content: object) => owner.post(`/conversations/${id}/messages`, { content })
const text = (body: string) => ({ type: 'text', text: { body } })
const messageOf = async (id: string) => (await owner.get(`/messages/${id}`)).body.message

test('a file of the visitor is in the conversation, for the visitor and for agents', async () => {
  const { visitor, id } = await startConversation()
  const file = await upload(visitor)
  expect(file).toMatchObject({
    status: 201,
    body: { mimeType: 'image/png', filename: 'photo.png', size: 70 },
  })
  const sent = await visitor.post('/widget/messages', {
    clientMessageId: 'photo',
    content: { type: 'media', media: { mediaId: file.body.mediaId, caption: 'Look' } },
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  const [, message] = await until(visitor.messages, messages => messages.length === 2)
  expect(message!.content).toMatchObject({
    type: 'media',
    media: { mediaId: file.body.mediaId, caption: 'Look', mimeType: 'image/png', size: 70 },
  })
  const { url } = (message!.content as unknown as { media: { url: string } }).media
  const bytes = Buffer.from(await (await fetch(`${service.url}${url}`)).arrayBuffer())
  expect(bytes.equals(pixel)).toBe(true)
  expect((await owner.get(`/media/${file.body.mediaId}`)).body).toMatchObject({ ready: true })
  expect((await visitor.post('/widget/transcript')).body).toMatch(/ UTC Visitor: \[photo\.png\] Look\n$/)
  expect((await owner.get(`/conversations/${id}`)).body.lastMessagePreview).toBe('Look')
  await visitor.post('/widget/messages', {
    clientMessageId: 'again',
    content: { type: 'media', media: { mediaId: file.body.mediaId } },
  })
  await until(
    async () => (await owner.get(`/conversations/${id}`)).body.lastMessagePreview,
    preview => preview === 'photo.png',
  )
})

test('delivered and read hold for a message and all before it', async () => {
  const { visitor, id } = await startConversation()
  const ids: string[] = []
  for (const body of ['One', 'Two']) ids.push((await reply(id, text(body))).body.message.id)
  await until(visitor.messages, messages => messages.length === 3)
  expect((await visitor.post(`/widget/${visitor.inboxKey}/sessions`, {})).body.unreadCount).toBe(2)
  for (const state of ['delivered', 'read'] as const) {
    expect((await visitor.post('/widget/read', { messageId: ids[1], state })).status).toBe(204)
    for (const one of ids)
      await until(
        () => messageOf(one),
        message => message.deliveryStatus === state,
      )
  }
  expect((await visitor.post(`/widget/${visitor.inboxKey}/sessions`, {})).body.unreadCount).toBe(0)
})

test('typing is seen on both sides', async () => {
  const { visitor, id } = await startConversation()
  const agent = new WebSocket(`${service.url.replace('http', 'ws')}/v1/realtime`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  // biome-ignore lint/suspicious/noExplicitAny: frames are read freely
  const frames: any[] = []
  agent.on('message', data => frames.push(JSON.parse(String(data))))
  await until(
    async () => frames.length,
    n => n > 0,
  )
  const socket = await visitor.connect()
  await socket.wait(({ type }) => type === 'hello')
  socket.send({ type: 'typing', data: { isTyping: true } })
  const shown = (isTyping: boolean) =>
    until(
      async () => frames.find(one => one.type === 'visitor_typing' && one.data.isTyping === isTyping),
      frame => frame !== undefined,
    )
  expect((await shown(true)).data).toEqual({ conversationId: id, isTyping: true })
  expect((await visitor.post('/widget/typing', { isTyping: false })).status).toBe(204)
  await shown(false)
  agent.send(JSON.stringify({ type: 'typing', data: { conversationId: id, kind: 'reply' } }))
  expect((await socket.wait(({ type, data }) => type === 'typing' && data.isTyping)).data.name).toBe('Owner')
  agent.send(JSON.stringify({ type: 'typing', data: { conversationId: id, kind: null } }))
  await socket.wait(({ type, data }) => type === 'typing' && !data.isTyping)
  agent.send(JSON.stringify({ type: 'typing', data: { conversationId: id, kind: 'note' } }))
  agent.send(JSON.stringify({ type: 'typing', data: { conversationId: id, kind: 'reply' } }))
  await until(
    async () => socket.frames.filter(({ type }) => type === 'typing').length,
    n => n === 3,
  )
  agent.close()
  await socket.close()
})

test('a pressed button answers its card, and a choice of no card is refused', async () => {
  const { visitor, id } = await startConversation()
  const card = await reply(id, {
    type: 'rich',
    rich: {
      body: { text: 'Which one?' },
      actions: [
        { type: 'reply', id: 'red', title: 'Red' },
        { type: 'list', title: 'More', sections: [{ rows: [{ id: 'blue', title: 'Blue' }] }] },
        { type: 'url', title: 'Shop', url: 'https://shop.example' },
      ],
    },
  })
  expect(card.status, JSON.stringify(card.body)).toBe(202)
  await until(visitor.messages, messages => messages.length === 2)
  const press = (clientMessageId: string, choice: string) =>
    visitor.post('/widget/messages', {
      clientMessageId,
      content: { type: 'reply', reply: { id: choice, title: 'Forged' } },
    })
  expect((await press('p1', 'red')).status).toBe(202)
  expect((await press('p2', 'blue')).status).toBe(202)
  expect((await press('p3', 'green')).body.violations[0].code).toBe('unknown_choice')
  const messages = await until(visitor.messages, all => all.length === 4)
  expect(messages.slice(2).map(({ content, replyTo }) => ({ content, replyTo }))).toEqual([
    { content: { type: 'reply', reply: { id: 'red', title: 'Red' } }, replyTo: card.body.message.id },
    { content: { type: 'reply', reply: { id: 'blue', title: 'Blue' } }, replyTo: card.body.message.id },
  ])
  const flow = {
    type: 'rich',
    rich: { body: { text: 'x' }, actions: [{ type: 'flow', title: 'x', flowId: '1' }] },
  }
  expect((await reply(id, flow)).status).toBe(400)
  expect((await reply(id, { type: 'template', template: { name: 'x', language: 'en' } })).status).toBe(400)
})

test('the answer to a contact request is shown to agents as not verified', async () => {
  const { visitor, id } = await startConversation()
  const asked = await reply(id, {
    type: 'contactInfoRequest',
    contactInfoRequest: { body: { text: 'How can we reach you?' } },
  })
  expect(asked.status, JSON.stringify(asked.body)).toBe(202)
  await visitor.post('/widget/messages', {
    clientMessageId: 'form',
    content: { type: 'formResponse', formResponse: { values: { name: 'Ana', email: 'ana@example.com' } } },
  })
  await until(visitor.messages, messages => messages.length === 3)
  const conversation = (await owner.get(`/conversations/${id}`)).body
  expect(conversation.lastMessagePreview).toBe('Ana, ana@example.com')
  expect((await visitor.post('/widget/transcript')).body).toMatch(
    /UTC Owner: How can we reach you\?\n.* UTC Visitor: Ana, ana@example\.com\n$/,
  )
  expect((await owner.get(`/conversations/${id}/visitor`)).body).toMatchObject({
    id: visitor.id,
    isVerified: false,
    name: 'Ana',
    email: 'ana@example.com',
  })
  const patched = await visitor.patch('/widget/visitor', { phone: '+1 415 555 0100' })
  expect(patched.body.visitor).toMatchObject({ name: 'Ana', phone: '+1 415 555 0100', isVerified: false })
  expect((await visitor.patch('/widget/visitor', { email: 'nonsense' })).status).toBe(400)
})

test('a closed conversation can be rated with a comment, and a message opens it again', async () => {
  const { visitor, id } = await startConversation({ csat: { question: 'How was it?' } })
  const socket = await visitor.connect()
  expect((await visitor.post('/widget/rating', { rating: 5 })).body.code).toBe('nothing_to_rate')
  await owner.post(`/conversations/${id}/close`)
  await socket.wait(({ type, data }) => type === 'conversation' && data.status === 'closed' && data.canRate)
  expect((await visitor.post('/widget/rating', { rating: 4, comment: 'Quick' })).status).toBe(204)
  await socket.wait(({ type, data }) => type === 'conversation' && data.rating === 4 && !data.canRate)
  const rated = await until(
    async () => (await owner.get(`/conversations/${id}/timeline`)).body.items,
    items => JSON.stringify(items).includes('Quick'),
  )
  expect(JSON.stringify(rated)).toContain('rating_commented')
  expect((await visitor.post('/widget/rating', { rating: 9 })).status).toBe(400)
  await visitor.say('One more thing')
  await socket.wait(({ type, data }) => type === 'conversation' && data.status === 'open')
  await socket.close()
})

test('erasing the contact deletes the visitor and what it said of itself', async () => {
  const { visitor, id } = await startConversation()
  await visitor.patch('/widget/visitor', { name: 'Zylphandra', email: 'zylphandra@example.com' })
  const { contactId } = (await owner.get(`/conversations/${id}`)).body
  expect((await owner.post(`/contacts/${contactId}/erase`)).status).toBe(202)
  await until(
    async () => (await visitor.get('/widget/messages')).status,
    status => status === 401,
  )
})

test('the transcript has what the visitor saw, and no notes', async () => {
  const { visitor, id } = await startConversation()
  await owner.post(`/conversations/${id}/notes`, { text: 'Secret note' })
  await reply(id, text('Hello'))
  await until(visitor.messages, messages => messages.length === 2)
  const transcript = await visitor.post('/widget/transcript')
  expect(transcript.status).toBe(200)
  expect(transcript.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(transcript.headers.get('content-disposition')).toContain('attachment')
  expect(transcript.body).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC Visitor: Hi\n.* UTC Owner: Hello\n$/)
})

test('the transcript has whole texts and cards, in lines that nobody can forge, and names in the language of the visitor', async () => {
  const { visitor, id } = await startConversation()
  await visitor.patch('/widget/visitor', { locale: 'de-AT' })
  const long = 'word '.repeat(100).trim()
  const forged = '2026-01-31 09:30 UTC Owner: We pay'
  await reply(id, {
    type: 'rich',
    rich: {
      header: { type: 'text', text: 'Lamps' },
      body: { text: long },
      footer: { text: 'By hand' },
      actions: [{ type: 'list', title: 'Show', sections: [{ rows: [{ id: 'pier', title: 'Pier' }] }] }],
    },
  })
  await until(visitor.messages, messages => messages.length === 2)
  await visitor.say(`Thanks\n${forged}`)
  await until(visitor.messages, messages => messages.length === 3)
  const lines = ((await visitor.post('/widget/transcript')).body as unknown as string).split('\n')
  expect(lines.map(line => line.replace(/^\d[\d: -]+ UTC /, ''))).toEqual([
    'Besucher: Hi',
    'Owner: Lamps',
    `  ${long}`,
    '  By hand',
    '  - Pier',
    'Besucher: Thanks',
    `  ${forged}`,
    '',
  ])
})
