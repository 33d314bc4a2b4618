import { expect, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import { playProviders } from '../../../test/harness/sandbox.ts'
import { findInbox } from '../store/inboxes.ts'
import { findTemplate } from './lookup.ts'

const api = await testApi()
const sandbox = await playProviders(api)
const { owner, tenantId } = await api.workspace()
const create = async (body: object) => (await owner.post('/inboxes', body)).body.inboxes[0]
const chat = await create({ chatapp: { resourceIds: ['waba-1'], phoneNumberIds: ['number-1'] } })
const social = await create({ socialapp: { resourceIds: ['17841400000000001'] } })

/** Every page, and how many there were. */
async function all(client: Client, path: string, name: string) {
  const items: { id: string }[] = []
  let pages = 0
  for (let token: string | undefined; ; pages++) {
    const answer = await client.get(`${path}${token ? `&pageToken=${token}` : ''}`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    items.push(...answer.body[name])
    token = answer.body.nextPageToken
    if (!token) return { items, pages: pages + 1 }
  }
}

test('200 templates: approved and pending, the same for any page size', async () => {
  const whole = await all(owner, `/inboxes/${chat.id}/chatapp/templates?`, 'templates')
  expect(new Set(whole.items.map(one => (one as unknown as { status: string }).status))).toEqual(
    new Set(['APPROVED', 'PENDING']),
  )
  expect(whole.items).toContainEqual({
    id: expect.any(String),
    name: 'greeting',
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [expect.objectContaining({ type: 'BODY', text: 'Hi {{1}}, thanks for getting in touch.' })],
  })
  for (const size of [1, 3, whole.items.length]) {
    const paged = await all(owner, `/inboxes/${chat.id}/chatapp/templates?pageSize=${size}`, 'templates')
    expect(paged.items).toEqual(whole.items)
    expect(paged.pages).toBe(Math.ceil(whole.items.length / size))
  }
})

test('200 flows: published only', async () => {
  const { items } = await all(owner, `/inboxes/${chat.id}/chatapp/flows?pageSize=1`, 'flows')
  expect(items).toEqual([
    { id: expect.any(String), name: 'Feedback', status: 'PUBLISHED', categories: ['SURVEY'] },
    expect.objectContaining({ name: 'Book an appointment' }),
  ])
})

test('200 the screens of a flow, with examples for computed texts; 404 for unknown flows', async () => {
  const at = `/inboxes/${chat.id}/chatapp/flows`
  const [feedback, appointment] = (await owner.get(at)).body.flows
  const { status, body } = await owner.get(`${at}/${feedback.id}/preview`)
  expect(status).toBe(200)
  expect(body.screens).toMatchObject([
    {
      id: 'RATE',
      title: 'Your opinion',
      isTerminal: false,
      parts: [
        { kind: 'heading', text: 'How did we do?' },
        { kind: 'text', text: 'Describe your order ORD-4711.' },
        { kind: 'choice', isRequired: true, options: ['Very good', 'Good', 'Not good'] },
        { kind: 'input', isRequired: false, hint: 'What could be better?' },
        { kind: 'button', text: 'Continue' },
      ],
    },
    { id: 'THANKS', isTerminal: true },
  ])
  const { screens } = (await owner.get(`${at}/${appointment.id}/preview`)).body
  expect(screens[0].parts.map(({ kind }: { kind: string }) => kind)).toEqual([
    'choice',
    'date',
    'caption',
    'input',
    'button',
  ])
  expect(screens[0].parts[0].options).toEqual(['Harbor street', 'Main station'])
  for (const id of ['8000000000000000', 'a b', '..%2F..'])
    expect((await owner.get(`${at}/${encodeURIComponent(id)}/preview`)).status).toBe(404)
  // Another business account has flows of its own.
  const other = await create({ chatapp: { resourceIds: ['waba-2'], phoneNumberIds: ['number-2'] } })
  expect((await owner.get(`/inboxes/${other.id}/chatapp/flows/${feedback.id}/preview`)).status).toBe(404)
  expect((await owner.get(`/inboxes/${social.id}/chatapp/flows/${feedback.id}/preview`)).status).toBe(400)
})

test('200 media: newest first across posts, reels and stories, the same for any page size', async () => {
  const whole = await all(owner, `/inboxes/${social.id}/socialapp/media?`, 'media')
  const times = whole.items.map(one => (one as unknown as { timestamp: string }).timestamp)
  expect(times).toEqual([...times].sort().reverse())
  expect(new Set(whole.items.map(one => (one as unknown as { mediaType: string }).mediaType))).toEqual(
    new Set(['post', 'reel', 'story']),
  )
  expect(whole.items).toHaveLength(33)
  for (const size of [1, 7, 32]) {
    const paged = await all(owner, `/inboxes/${social.id}/socialapp/media?pageSize=${size}`, 'media')
    expect(paged.items.map(one => one.id)).toEqual(whole.items.map(one => one.id))
    expect(paged.pages).toBe(Math.ceil(33 / size))
  }
})

test('200 media: filtered by type, across pages', async () => {
  const path = `/inboxes/${social.id}/socialapp/media?pageSize=4&mediaTypes=reel&mediaTypes=story`
  const { items } = await all(owner, path, 'media')
  expect(items.map(one => (one as unknown as { mediaType: string }).mediaType)).toEqual([
    ...Array(3).fill('story'),
    ...Array(10).fill('reel'),
  ])
  expect((await owner.get(`/inboxes/${social.id}/socialapp/media?mediaTypes=poem`)).status).toBe(400)
})

test('400 for a page token of another list', async () => {
  const { body } = await owner.get(`/inboxes/${social.id}/socialapp/media?pageSize=1`)
  const other = `/inboxes/${social.id}/socialapp/media?mediaTypes=post&pageToken=${body.nextPageToken}`
  expect(await owner.get(other)).toMatchObject({ status: 400, body: { code: 'invalid_page_token' } })
})

test('400 inbox_channel_mismatch', async () => {
  for (const path of [
    `/inboxes/${social.id}/chatapp/templates`,
    `/inboxes/${social.id}/chatapp/flows`,
    `/inboxes/${chat.id}/socialapp/media`,
  ])
    expect(await owner.get(path)).toMatchObject({ status: 400, body: { code: 'inbox_channel_mismatch' } })
})

test('200 phone numbers of a business account; 404 for an unknown one', async () => {
  const { body } = await owner.get('/chatapp/waba-7/phone-numbers')
  expect(body.phoneNumbers.length).toBeGreaterThanOrEqual(2)
  expect(body.phoneNumbers[0]).toEqual({
    id: expect.any(String),
    displayPhoneNumber: expect.stringMatching(/^\+1 /),
    verifiedName: expect.any(String),
    qualityRating: 'GREEN',
    codeVerificationStatus: 'VERIFIED',
    isRegistered: true,
  })
  for (const waba of ['missing-1', '..', 'a%2Fb'])
    expect((await owner.get(`/chatapp/${waba}/phone-numbers`)).status).toBe(404)
})

test('409 for an expired token, which is not in the response', async () => {
  const ref = { channel: 'chatapp', account: 'waba-1' } as const
  await sandbox.control.setFaults({ requests: [{ answer: 'tokenExpired' }] }, [ref])
  const answer = await owner.get(`/inboxes/${chat.id}/chatapp/templates`)
  await sandbox.control.clearFaults([ref])
  expect(answer).toMatchObject({ status: 409, body: { code: 'inbox_provider_refused' } })
})

test('findTemplate: found, unknown, and provider unavailable', async () => {
  const inbox = (await findInbox(api.deps.db, tenantId, chat.id))!
  const find = (name: string, language = 'en_US') => findTemplate(api.deps, inbox, name, language)
  expect(await find('greeting', 'es')).toMatchObject({ name: 'greeting', language: 'es', status: 'APPROVED' })
  expect(await find('greeting', 'fr')).toBeNull()
  expect(await find('greet')).toBeNull()
  const asked = (await sandbox.control.requests()).length
  await Promise.all([find('greeting'), find('greeting'), find('greeting', 'es')])
  expect((await sandbox.control.requests()).length).toBe(asked)
  const { baseUrl } = api.deps.channels.chatapp
  api.deps.channels.chatapp.baseUrl = 'http://127.0.0.1:9'
  api.deps.db.signals.emit('inboxes.changed', chat.id)
  expect(await find('never_asked')).toBeUndefined()
  expect(await find('greeting')).toMatchObject({ name: 'greeting' })
  api.deps.channels.chatapp.baseUrl = baseUrl
  api.deps.db.signals.emit('inboxes.changed', chat.id)
})
