/** Test harness: the whole path from an emitted event to an endpoint, in one process. */
import type { DestinationStream } from 'pino'
import { afterAll, expect } from 'vitest'
import { type Client, type TestApi, testApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { emitMany, event, pendingEvent } from '../../platform/events/event.ts'
import { startSequencer } from '../../platform/events/sequencer.ts'
import { startSubscriptions } from '../../platform/events/subscriptions.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { type Deliverer, startDeliverer } from '../delivery/deliverer.ts'
import { replayEvents } from '../replay.ts'
import { deleteDeliveries, maintainAttempts } from '../retention.ts'
import { type EventType, eventTypes } from '../schemas.ts'
import { deliverEvents } from '../subscriptions.ts'
import { type Responder, startEndpoint, type TestEndpoint } from './endpoint.ts'

export const types = Object.fromEntries(
  eventTypes.map(type => [type, event<Record<string, unknown>>({ type, isPublic: true })]),
) as Record<EventType, ReturnType<typeof event<Record<string, unknown>>>>

export interface TestWorkspace {
  tenantId: string
  /** Authenticates with an API key, which does not expire when the clock is advanced. */
  client: Client
  endpoint: TestEndpoint
  /** The plaintext signing key. */
  key: string
}

export interface WebhookHarness {
  api: TestApi
  stats: Deliverer['stats']
  /** Creates a workspace with an enabled endpoint. */
  createWorkspace(respond?: Responder): Promise<TestWorkspace>
  emit(tenantId: string, count?: number, type?: EventType): Promise<void>
  /** Advances the clock and wakes the deliverer. */
  advance(ms: number): void
  attempts(client: Client, query?: string): Promise<Attempt[]>
  /** Counts the deliveries that are waiting or in flight. */
  pending(tenantId: string): Promise<number>
}

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary members
export type Attempt = any

export interface HarnessOptions {
  logTo?: DestinationStream
  /** If false, tests start their own deliverers. */
  delivering?: boolean
}

export async function startHarness({
  logTo,
  delivering = true,
}: HarnessOptions = {}): Promise<WebhookHarness> {
  const api = await testApi(logTo ? { LOG_LEVEL: 'trace' } : {}, logTo ? { logTo } : {})
  const { deps, connection } = api
  const sequencer = startSequencer(deps, { connection, subscriptions: [deliverEvents] })
  const feeds = startSubscriptions(deps, [deliverEvents], { connection })
  const workers = startWorkers(deps, [replayEvents, deleteDeliveries], { crons: [maintainAttempts] })
  const deliverer = delivering ? startDeliverer(deps, { connection }) : undefined
  const endpoints: TestEndpoint[] = []
  afterAll(async () => {
    await Promise.all([deliverer?.stop(0), workers.stop(1_000), feeds.stop()])
    await sequencer.stop()
    await Promise.all(endpoints.map(endpoint => endpoint.close()))
  })
  return {
    api,
    stats: () => deliverer!.stats(),
    async createWorkspace(respond) {
      const endpoint = await startEndpoint(respond)
      endpoints.push(endpoint)
      const workspace = await api.workspace()
      const client = await workspace.key()
      const { body } = await client.get('/webhooks/signing-keys')
      const set = await client.patch('/webhooks', { url: endpoint.url, enabled: true })
      expect(set.status).toBe(200)
      return { tenantId: workspace.tenantId, client, endpoint, key: body.keys[0].plaintextKey }
    },
    emit: (tenantId, count = 1, type = 'contact.created') =>
      transact(deps.db, tx =>
        emitMany(
          tx,
          Array.from({ length: count }, (_, n) =>
            pendingEvent(types[type], { tenantId, data: buildData(type, n) }),
          ),
        ),
      ),
    advance(ms) {
      deps.clock.advance(ms)
      deliverer?.wake()
    },
    async attempts(client, query = '') {
      const { status, body } = await client.get(`/webhooks/attempts${query}`)
      expect(status).toBe(200)
      return body.attempts
    },
    async pending(tenantId) {
      const found = sql`select count(*) as n from (
        select tenant_id from webhook_deliveries union all select tenant_id from webhook_backlog) waiting
        where tenant_id = ${tenantId}`
      return (await deps.db.one<{ n: number }>(found)).n
    },
  }
}

export function buildData(type: string, n: number): Record<string, unknown> {
  const changes = type.endsWith('.updated') ? { changes: ['name'] } : {}
  if (type.startsWith('contact.'))
    return { contact: { id: `con_${n}`, conversations: [] }, ...changes, hidden: 1 }
  if (type.startsWith('inbox.')) return { inbox: { id: `ibx_${n}` }, ...changes, hidden: 1 }
  if (type.startsWith('journey.')) return { journey: { id: `jrn_${n}` }, ...changes, hidden: 1 }
  if (type.startsWith('chatbot.')) return { chatbot: { id: `bot_${n}` }, ...changes, hidden: 1 }
  const conversation = { id: `cnv_${n}` }
  if (type === 'conversation.rated') return { conversation, rating: { rating: 5 }, hidden: 1 }
  if (type.startsWith('conversation.')) return { conversation, ...changes, hidden: 1 }
  const message = { id: `msg_${n}`, content: { media: { mediaId: 'mda_1' } } }
  return { message, conversation, ...changes, hidden: 1 }
}

export { eventually } from '../../../test/harness/wait.ts'
