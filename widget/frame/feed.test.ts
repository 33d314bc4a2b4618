import { afterEach, expect, test, vi } from 'vitest'
import { Acknowledgements } from './acknowledgements.ts'
import { type Api, ApiError } from './api.ts'
import { Feed } from './feed.ts'
import { Store } from './store.ts'
import type { Message, MessagePage } from './types.ts'

const answer: Message = {
  id: 'msg_1',
  clientMessageId: null,
  seq: 1,
  createdAt: '2026-01-31T09:30:00.000Z',
  author: { kind: 'agent', name: 'Ana', avatarUrl: null },
  status: 'sent',
  replyTo: null,
  content: { type: 'text', text: { body: 'Hello' } },
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a frame that arrives while messages are read is newer than the messages', async () => {
  const store = new Store()
  const pages: ((page: MessagePage) => void)[] = []
  const api = { request: () => new Promise(resolve => pages.push(resolve)) } as unknown as Api
  const ignore = () => {}
  const feed = new Feed({
    store,
    api,
    outbox: { confirm: ignore } as never,
    bridge: { post: ignore } as never,
    acknowledgements: { send: ignore } as never,
  })
  const toPage = (seq: number, message: Message) => ({
    conversation: null,
    messages: [message],
    hasMore: false,
    seq,
  })
  const read = { ...answer, status: 'read' as const }

  const loading = feed.load()
  feed.receive({ type: 'message', seq: 12, data: read })
  pages[0]!(toPage(11, answer))
  await vi.waitFor(() => expect(pages).toHaveLength(2))
  expect(store.state.messages).toEqual([read])
  pages[1]!(toPage(12, read))
  await loading
  expect(store.state.messages).toEqual([read])
  expect(feed.since).toBe(12)
})

test('a report that fails is repeated, although the chat shows the message as read', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
  const store = new Store()
  const request = vi.fn((..._request: unknown[]): Promise<void> => Promise.reject(new ApiError(0, {})))
  const acknowledgements = new Acknowledgements(store, { request } as unknown as Api)
  store.set({ messages: [answer], isOpen: true })
  acknowledgements.send()
  expect(store.state.messages[0]!.status).toBe('read')
  await vi.advanceTimersByTimeAsync(1_000)
  // The chat is closed meanwhile: what was seen stays seen.
  store.set({ isOpen: false })
  request.mockResolvedValue()
  await vi.advanceTimersByTimeAsync(60_000)
  acknowledgements.send()
  const report = ['POST', 'read', { messageId: 'msg_1', state: 'read' }]
  expect(request.mock.calls).toEqual([report, report])
})

test('a report that is refused is not repeated', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
  const store = new Store()
  const request = vi.fn((..._request: unknown[]): Promise<void> => Promise.reject(new ApiError(400, {})))
  const acknowledgements = new Acknowledgements(store, { request } as unknown as Api)
  store.set({ messages: [answer] })
  acknowledgements.send()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(request).toHaveBeenCalledOnce()
})
