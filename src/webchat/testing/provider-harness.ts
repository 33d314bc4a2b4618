/**
 * The provider contract's harness of the web chat. The customer is a visitor on the HTTP API; a message goes through the
 * service's own pipeline to the adapter; events are those that the API stored. Recipients and messages keep the names that
 * the suite gave them.
 */
import type { ApiResponse, Client } from '../../../test/harness/api.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { until } from '../../../test/harness/service.ts'
import { getAccount, providers } from '../../inboxes/accounts/accounts.ts'
import type { Content } from '../../inboxes/content.ts'
import type {
  OutboundMessage,
  Provider,
  ProviderEvent,
  SendResult,
} from '../../inboxes/providers/provider.ts'
import { waitFor } from '../../inboxes/testing/provider-harness.ts'
import type { CustomerInput, LocalHarness } from '../../inboxes/testing/provider-suite.ts'
import { sql } from '../../platform/db/sql.ts'
import { createWebchat, startVisitor, type TestVisitor } from './visitor.ts'

export interface WebchatHarness extends LocalHarness {
  send(outgoing: OutboundMessage): Promise<SendResult>
  /** The id that the service gave to a message of the suite. */
  toId(messageId: string): string
}

export async function startWebchatHarness(service: TestService): Promise<WebchatHarness> {
  const { owner, tenantId } = await service.workspace()
  const { id: inboxId, inboxKey } = await createWebchat(owner)
  const visitors = new Map<string, Promise<TestVisitor>>()
  const names = new Map<string, string>()
  let events: ProviderEvent[] = []
  let repeat = async () => {}

  function getVisitor(name: string): Promise<TestVisitor> {
    const known = visitors.get(name)
    if (known) return known
    const started = startVisitor(service.url, inboxKey).then(visitor => {
      names.set(visitor.id, name)
      return visitor
    })
    visitors.set(name, started)
    return started
  }

  async function loadEvents(): Promise<ProviderEvent[]> {
    const rows = await service.deps.db.rows<{ payload: ProviderEvent }>(sql`
      select payload from provider_events where tenant_id = ${tenantId} and inbox_id = ${inboxId} order by id`)
    events = rows.map(({ payload }) => rename(payload))
    return events
  }

  const toName = (id: string | undefined) => names.get(id ?? '') ?? id
  const rename = (event: ProviderEvent): ProviderEvent =>
    ({
      ...event,
      ...('from' in event ? { from: toName(event.from) } : {}),
      ...('recipient' in event ? { recipient: toName(event.recipient) } : {}),
      ...('messageId' in event ? { messageId: toName(event.messageId) } : {}),
    }) as ProviderEvent

  return {
    account: await getAccount(service.deps, tenantId, inboxId),
    events: () => events,
    waitForEvent: (type, matches = () => true) =>
      waitFor(
        async () =>
          (await loadEvents()).find(event => event.type === type && matches(event as never)) as never,
        `a ${type} event`,
      ),
    customer: async ({ from, profileName, content }) => {
      const visitor = await getVisitor(from)
      if (profileName) await visitor.patch('/widget/visitor', { name: profileName })
      const clientMessageId = `c${Math.random()}`
      const body = { clientMessageId, content: await toVisitorContent(service.url, visitor, content) }
      repeat = async () => expectStatus(await visitor.post('/widget/messages', body), 202)
      await repeat()
      return `${visitor.id}:${clientMessageId}`
    },
    openMedia: async (to, mediaId) => openMedia(service.url, await getVisitor(to), mediaId),
    send: async ({ to, content, messageId }) => {
      const visitor = await getVisitor(to)
      const recipient = { type: 'channel', channel: 'webchat', externalId: visitor.id }
      const message = { recipient, inboxId, content, clientMessageId: messageId }
      const accepted = await owner.post('/messages', message)
      expectStatus(accepted, 202)
      const { id } = accepted.body.message
      names.set(id, messageId)
      await until(visitor.messages, all => all.some(message => message.id === id))
      for (const state of ['delivered', 'read']) await visitor.post('/widget/read', { messageId: id, state })
      return { ok: true, channelMessageId: id }
    },
    toId: messageId => [...names].find(([, name]) => name === messageId)?.[0] ?? messageId,
    dieOnce,
    repeatCustomer: () => repeat(),
    ...observe(owner, getVisitor),
    close: async () => {},
  }
}

function expectStatus({ status, body }: ApiResponse, expected: number): void {
  if (status !== expected) throw new Error(JSON.stringify(body))
}

type Observations = 'received' | 'listReceived' | 'waitForReceived' | 'waitForStatus' | 'report'

function observe(
  owner: Client,
  getVisitor: (name: string) => Promise<TestVisitor>,
): Pick<WebchatHarness, Observations> {
  return {
    received: async to => {
      const message = (await (await getVisitor(to)).messages()).at(-1)
      return message && { providerMessageId: message.id, payload: message.content }
    },
    listReceived: async to =>
      (await (await getVisitor(to)).messages())
        .filter(({ author }) => author.kind !== 'visitor')
        .map(({ id }) => id),
    waitForReceived: async (to, count) => {
      const { messages } = await getVisitor(to)
      const received = await until(messages, all => all.length >= count)
      if (received.length > count) throw new Error(`there are ${received.length} messages`)
    },
    waitForStatus: async (id, status) => {
      const load = async () => (await owner.get(`/messages/${id}`)).body.message
      await until(load, message => message.deliveryStatus === status)
    },
    report: async (to, messageId, state) => {
      expectStatus(await (await getVisitor(to)).post('/widget/read', { messageId, state }), 204)
    },
  }
}

/** The job that sends fails as if its process had died: that the send started is committed, and no result. */
function dieOnce(moment: 'before' | 'after'): void {
  const { send } = providers.webchat
  providers.webchat.send = async (...outgoing) => {
    providers.webchat.send = send
    if (moment === 'after') await send(...outgoing)
    throw new Error('the process died')
  }
}

async function openMedia(url: string, visitor: TestVisitor, mediaId: string) {
  const isShown = (content: unknown) =>
    (content as { media?: { mediaId: string } }).media?.mediaId === mediaId
  const messages = await until(visitor.messages, all => all.some(({ content }) => isShown(content)))
  const { media } = messages.find(({ content }) => isShown(content))!.content as unknown as {
    media: { url: string; mimeType: string }
  }
  const response = await fetch(`${url}${media.url}`)
  return { bytes: Buffer.from(await response.arrayBuffer()), mimeType: media.mimeType }
}

async function toVisitorContent(
  url: string,
  visitor: TestVisitor,
  content: CustomerInput['content'],
): Promise<Content> {
  if (content.type !== 'media') return content as Content
  const { base64, mimeType, caption } = content.media
  const form = new FormData()
  const bytes = new Uint8Array(Buffer.from(base64!, 'base64'))
  form.append('file', new Blob([bytes], { type: mimeType ?? '' }), 'file.png')
  const response = await fetch(`${url}/v1/widget/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${visitor.token}` },
    body: form,
  })
  const { mediaId } = (await response.json()) as { mediaId: string }
  return { type: 'media', media: { mediaId, ...(caption ? { caption } : {}) } }
}

/** The adapter, reached through the service. */
export const throughService = (adapter: Provider, harness: () => WebchatHarness): Provider => ({
  ...adapter,
  send: (_account, outgoing) => harness().send(outgoing),
  findSent: (account, outgoing, since) =>
    adapter.findSent(account, { ...outgoing, messageId: harness().toId(outgoing.messageId) }, since),
})
