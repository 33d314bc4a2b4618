/** What the tests of webhooks have in common: the whole way from an emitted event to a receiver, in this process. */
import type { DestinationStream } from 'pino'
import { afterAll, expect } from 'vitest'
import { type Client, type TestApi, testApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { emitMany, event, happened } from '../../platform/events/event.ts'
import { startSequencer } from '../../platform/events/sequencer.ts'
import { startSubscriptions } from '../../platform/events/subscriptions.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { type Deliverer, startDeliverer } from '../delivery/deliverer.ts'
import { type EventType, eventTypes } from '../event-types.ts'
import { forgetDeliveries, keepAttemptDays } from '../forgetting.ts'
import { replayEvents } from '../replay.ts'
import { deliverEvents } from '../subscriptions.ts'
import { type Answer, type Receiver, startReceiver } from './receiver.ts'

export const types = Object.fromEntries(
  eventTypes.map(type => [type, event<Record<string, unknown>>({ type })]),
) as Record<EventType, ReturnType<typeof event<Record<string, unknown>>>>

export interface Receiving {
  tenantId: string
  /** An API key: good for ever, however far the clock is moved. */
  client: Client
  receiver: Receiver
  /** The plaintext signing key. */
  key: string
}

export interface Rig {
  api: TestApi
  stats: Deliverer['stats']
  /** A new workspace whose enabled receiver answers like this. */
  receiving(answer?: Answer): Promise<Receiving>
  emit(tenantId: string, count?: number, type?: EventType): Promise<void>
  /** Lets time pass and what is due then happen. */
  advance(ms: number): void
  attempts(client: Client, query?: string): Promise<Attempt[]>
  /** Deliveries that are waiting or under way. */
  pending(tenantId: string): Promise<number>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into attempts freely
export type Attempt = any

export interface RigOptions {
  logTo?: DestinationStream
  /** Without one, nothing is delivered until a test starts its own. */
  delivering?: boolean
}

export async function webhookRig({ logTo, delivering = true }: RigOptions = {}): Promise<Rig> {
  const api = await testApi(logTo ? { LOG_LEVEL: 'trace' } : {}, logTo ? { logTo } : {})
  const { deps, connection } = api
  const sequencer = startSequencer(deps, { connection })
  const feeds = startSubscriptions(deps, [deliverEvents], { connection })
  const workers = startWorkers(deps, [replayEvents, forgetDeliveries], { crons: [keepAttemptDays] })
  const deliverer = delivering ? startDeliverer(deps, { connection }) : undefined
  const receivers: Receiver[] = []
  afterAll(async () => {
    await Promise.all([deliverer?.stop(0), workers.stop(1_000), feeds.stop()])
    await sequencer.stop()
    await Promise.all(receivers.map(receiver => receiver.close()))
  })
  return {
    api,
    stats: () => deliverer!.stats(),
    async receiving(answer) {
      const receiver = await startReceiver(answer)
      receivers.push(receiver)
      const workspace = await api.workspace()
      const client = await workspace.key()
      const { body } = await client.get('/webhooks/signing-keys')
      const set = await client.patch('/webhooks', { url: receiver.url, enabled: true })
      expect(set.status).toBe(200)
      return { tenantId: workspace.tenantId, client, receiver, key: body.keys[0].plaintextKey }
    },
    emit: (tenantId, count = 1, type = 'contact.created') =>
      transact(deps.db, tx =>
        emitMany(
          tx,
          Array.from({ length: count }, (_, n) => happened(types[type], { tenantId, data: dataOf(type, n) })),
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

export function dataOf(type: string, n: number): Record<string, unknown> {
  if (type.startsWith('contact.'))
    return { contact: { id: `con_${n}`, conversations: [] }, changes: { name: true } }
  const conversation = { id: `cnv_${n}` }
  if (type.startsWith('conversation.')) return { conversation, hidden: 1 }
  return { message: { id: `msg_${n}`, content: { media: { mediaId: 'mda_1' } } }, conversation, hidden: 1 }
}

export { eventually } from '../../../test/harness/patience.ts'
