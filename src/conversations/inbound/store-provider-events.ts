/**
 * Stores provider events and enqueues their processing, in one transaction, before the provider gets its 200. An event
 * that is delivered twice is stored once. Events of one customer are processed in order, those of others concurrently.
 */
import { applyAccountEvent } from '../../inboxes/health.ts'
import { type InboxRow, listInboxesByExternal, recordCallback } from '../../inboxes/inboxes.ts'
import type { ProviderEvent } from '../../inboxes/providers/provider.ts'
import type { Channel } from '../../platform/config.ts'
import { batched } from '../../platform/db/batched.ts'
import type { Db } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { enqueueMany } from '../../platform/jobs/enqueue.ts'
import { insertProviderEvents } from '../store/provider-events.ts'
import { applyProviderStatus, processProviderEvent } from './process-provider-event.ts'

interface WebhookCall {
  channel: Channel
  events: readonly ProviderEvent[]
}

export async function storeProviderEvents(
  deps: Deps,
  channel: Channel,
  events: readonly ProviderEvent[],
): Promise<void> {
  for (const { tenantId, id } of await storeBatched(deps.db, { channel, events }))
    recordCallback(deps, { tenantId, id })
}

/** An account belongs to one workspace; a provider makes calls with the events of one account. */
const getAccount = ({ channel, events: [first] }: WebhookCall) => `${channel}/${first?.accountId}`

/** Providers make one call for each event; concurrent calls share a commit. Returns the inboxes of each call. */
const storeBatched = batched<WebhookCall, InboxRow[]>(
  { batchSize: 32, concurrency: 2, ownerOf: getAccount },
  async (db, calls) => {
    const received = calls.flatMap(({ channel, events }) => events.map(event => ({ channel, event })))
    const inboxes = await findInboxes(db, received)
    await transact(db, async tx => {
      for (const { channel, event } of received)
        if (event.type === 'account') await applyAccountEvent(tx, channel, event)
      // Events of accounts without an inbox here are ignored.
      const relevant = received.flatMap(({ channel, event }) => {
        const inbox = inboxes.get(`${channel}/${event.accountId}`)
        return inbox && event.type !== 'account' ? [{ channel, event, inbox }] : []
      })
      if (relevant.length === 0) return
      const ids = await insertProviderEvents(
        tx,
        relevant.map(({ channel, event, inbox }) => ({
          channel,
          accountId: event.accountId,
          dedupeKey: `${event.type}/${event.dedupeKey}`,
          tenantId: inbox.tenantId,
          inboxId: inbox.id,
          payload: JSON.stringify(event),
        })),
      )
      const jobs = new Map(
        relevant.flatMap(({ channel, event, inbox }) => {
          const id = ids.get(`${channel}/${event.accountId}/${event.type}/${event.dedupeKey}`)
          const orderingKey = toOrderingKey(channel, event)
          const input = { tenantId: inbox.tenantId, orderingKey, payload: { id: id! } }
          return id === undefined ? [] : [[id, { type: event.type, input }] as const]
        }),
      )
      const select = (areStatuses: boolean) =>
        [...jobs.values()].filter(({ type }) => (type === 'status') === areStatuses).map(({ input }) => input)
      await Promise.all([
        enqueueMany(tx, processProviderEvent, select(false)),
        enqueueMany(tx, applyProviderStatus, select(true)),
      ])
    })
    return calls.map(({ channel, events }) => {
      const ids = new Set(events.map(({ accountId }) => `${channel}/${accountId}`))
      return [...ids].flatMap(id => inboxes.get(id) ?? [])
    })
  },
)

async function findInboxes(db: Db, received: readonly { channel: Channel; event: ProviderEvent }[]) {
  const keys = received.map(({ channel, event }) => ({ channel, externalId: event.accountId }))
  const inboxes = await listInboxesByExternal(db, keys)
  return new Map(inboxes.map(inbox => [`${inbox.channel}/${inbox.externalId}`, inbox]))
}

/** Orders the events of a customer; a status is ordered by its message. */
function toOrderingKey(channel: Channel, event: ProviderEvent): string {
  if (event.type === 'status') return `${channel}/status/${event.channelMessageId}`
  if (event.type === 'account') return `${channel}/account`
  const sender = event.type === 'message' || event.type === 'identity' ? event.orderedBy : undefined
  return `${channel}/${sender ?? event.from}`
}
