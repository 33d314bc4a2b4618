/**
 * Stores provider events and applies or enqueues them, in one transaction, before the provider gets its 200. An event
 * that is delivered twice is stored once. Events of one customer are processed in order, those of others concurrently.
 */
import { applyAccountEvent } from '../../inboxes/health.ts'
import { type InboxRow, listInboxesByExternal, recordCallback } from '../../inboxes/inboxes.ts'
import type { ProviderEvent } from '../../inboxes/providers/provider.ts'
import { toAccountKey } from '../../platform/cells.ts'
import type { Channel } from '../../platform/config.ts'
import { batched } from '../../platform/db/batched.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps, ProviderAccountKey } from '../../platform/deps.ts'
import { groupBy } from '../../platform/group-by.ts'
import { enqueueMany } from '../../platform/jobs/enqueue.ts'
import { type MessageStatusUpdate, prepareStatuses } from '../messages/delivery-status.ts'
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

/**
 * Stores the events of a call in the cells of their accounts. Events about a business account go to every cell. If a cell
 * is unreachable the others store theirs, and the error makes the provider repeat the call.
 */
export async function storeInCells(
  deps: Deps,
  channel: Channel,
  events: readonly ProviderEvent[],
): Promise<void> {
  const { cells } = deps
  if (cells.size === 1) return storeProviderEvents(deps, channel, events)
  const groups = groupBy(events, event => (event.type === 'account' ? '' : event.accountId))
  const stored = [...groups].map(async ([externalId, group]) => {
    if (externalId !== '') return storeInCellOf(deps, { channel, externalId }, group)
    await Promise.all(cells.usable().map(cell => storeProviderEvents(cell, channel, group)))
    cells.assertComplete()
  })
  const failed = (await Promise.allSettled(stored)).find(result => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** Ignores events of an account that no cell has. */
async function storeInCellOf(
  { cells }: Deps,
  account: ProviderAccountKey,
  events: readonly ProviderEvent[],
): Promise<void> {
  const { channel, externalId } = account
  const cell = await cells.find(toAccountKey(account), async ({ db }) => {
    return (await listInboxesByExternal(db, [{ channel: channel as Channel, externalId }]))[0]?.tenantId
  })
  if (cell) await storeProviderEvents(cell, channel as Channel, events)
}

/** An account belongs to one workspace; a provider makes calls with the events of one account. */
const getAccount = ({ channel, events: [first] }: WebhookCall) => `${channel}/${first?.accountId}`

/** An event of an account that has an inbox here. */
interface ReceivedEvent {
  channel: Channel
  event: ProviderEvent
  inbox: InboxRow
}

/** A long call must not delay what customers write: its other statuses get jobs. */
const maxApplied = 200

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
      if (relevant.length > 0) await storeEvents(tx, relevant)
    })
    return calls.map(({ channel, events }) => {
      const ids = new Set(events.map(({ accountId }) => `${channel}/${accountId}`))
      return [...ids].flatMap(id => inboxes.get(id) ?? [])
    })
  },
)

/** Stores the events that are new. Simple statuses are applied here where that is possible; the others get a job. */
async function storeEvents(tx: Tx, received: readonly ReceivedEvent[]): Promise<void> {
  const statuses = received.flatMap(one => toSimpleStatus(one) ?? []).slice(0, maxApplied)
  // Sent together with the insertion: a status that was stored before is rare.
  const apply = statuses.length > 0 ? prepareStatuses(tx, statuses) : undefined
  const ids = await insertProviderEvents(
    tx,
    received.map(({ channel, event, inbox }) => ({
      channel,
      accountId: event.accountId,
      dedupeKey: `${event.type}/${event.dedupeKey}`,
      tenantId: inbox.tenantId,
      inboxId: inbox.id,
      payload: JSON.stringify(event),
    })),
  )
  // An event that one callback contains twice has one id.
  const added = new Map<number, ReceivedEvent>()
  for (const one of received) {
    const { channel, event } = one
    const id = ids.get(`${channel}/${event.accountId}/${event.type}/${event.dedupeKey}`)
    if (id !== undefined) added.set(id, one)
  }
  const applied = await applyNew(added, statuses, apply)
  const select = (areStatuses: boolean) =>
    [...added].flatMap(([id, { channel, event, inbox }]) =>
      (event.type === 'status') === areStatuses && !applied.has(event)
        ? [{ tenantId: inbox.tenantId, orderingKey: toOrderingKey(channel, event), payload: { id } }]
        : [],
    )
  await Promise.all([
    enqueueMany(tx, processProviderEvent, select(false)),
    enqueueMany(tx, applyProviderStatus, select(true)),
  ])
}

interface SimpleStatus extends MessageStatusUpdate {
  event: ProviderEvent
}

/** A status that names its message, and neither reports a failure nor concerns other messages. */
function toSimpleStatus({ event, inbox: { tenantId } }: ReceivedEvent): SimpleStatus | undefined {
  if (event.type !== 'status' || event.messageId === undefined || event.failure || event.upTo)
    return undefined
  const { messageId, status, channelMessageId, at } = event
  return { event, tenantId, messageId, update: { status, channelMessageId, at } }
}

/**
 * Applies the statuses that are new and returns the events of those applied. No conversation is waited for, because what
 * customers write is stored in the same transaction: the status of a message in a conversation that is locked, or that is
 * not stored yet, is left to its job.
 */
async function applyNew(
  added: ReadonlyMap<number, ReceivedEvent>,
  statuses: readonly SimpleStatus[],
  apply: ReturnType<typeof prepareStatuses> | undefined,
): Promise<Set<ProviderEvent>> {
  const newEvents = new Set([...added.values()].map(({ event }) => event))
  const newStatuses = statuses.filter(({ event }) => newEvents.has(event))
  if (!apply || newStatuses.length === 0) return new Set()
  const applied = await apply(newStatuses)
  return new Set(newStatuses.flatMap(({ event }, i) => (applied[i] ? [event] : [])))
}

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
