/**
 * Resends one event, or replays all events since a time, with their original webhook-id. Replays are queued in small
 * batches, so that new events are hardly delayed.
 */
import { recordAudit } from '../identity/audit.ts'
import type { Db, Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import { findFirstSince, getHead, readLog } from '../platform/events/log.ts'
import type { Caller } from '../platform/http/caller.ts'
import { parseTimestamp } from '../platform/http/schemas.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { job, RetryLater } from '../platform/jobs/job.ts'
import { AttemptNotFound, EventNotKept, WebhookNotEnabled } from './errors.ts'
import { notifyDue } from './notify.ts'
import { oldestRetained } from './partitions.ts'
import { AttemptId, type EventType, eventTypes } from './schemas.ts'
import { type AttemptedEvent, findAttemptedEvent } from './store/attempts.ts'
import { countDue, insertDeliveries, makeDueNow } from './store/deliveries.ts'
import { markDue } from './store/endpoint-state.ts'
import { findSettings } from './store/settings.ts'

/** Makes a pending delivery due immediately; otherwise creates a new delivery. */
export async function resendAttempt(tx: Tx, { bus }: Pick<Deps, 'bus'>, caller: Caller, id: string) {
  const { tenantId } = caller
  const attempted = await findAttemptedEvent(tx, tenantId, id, AttemptId.firstAt(oldestRetained(tx.clock)))
  if (!attempted) fail(AttemptNotFound)
  await assertEnabled(tx, tenantId)
  await enqueueResend(tx, tenantId, attempted)
  notifyDue(tx, bus, tenantId)
  await recordAudit(
    tx,
    caller,
    'webhook.resent',
    { type: 'webhook_attempt', id },
    { eventId: attempted.eventId },
  )
  return { eventId: attempted.eventId }
}

async function enqueueResend(
  tx: Tx,
  tenantId: string,
  { deliveryId, seq, eventId, eventType }: AttemptedEvent,
) {
  if (await makeDueNow(tx, tenantId, deliveryId)) return markDue(tx, tenantId)
  if (seq === null) fail(EventNotKept)
  const [event] = await readLog(tx, tenantId, { after: seq - 1, limit: 1 })
  if (event?.id !== eventId) fail(EventNotKept)
  await insertDeliveries(tx, tenantId, [{ seq, eventId, eventType }], [eventType])
}

async function assertEnabled(tx: Tx, tenantId: string): Promise<EventType[]> {
  const settings = await findSettings(tx, tenantId)
  if (!settings?.enabled) fail(WebhookNotEnabled, 'enable the webhook first')
  return settings.eventTypes
}

export interface ReplayRequest {
  since: string
  /** Default: the types of the settings. */
  eventTypes?: EventType[]
}

export async function requestReplay(tx: Tx, db: Db, caller: Caller, request: ReplayRequest) {
  const { tenantId } = caller
  const since = parseTimestamp(request.since).toISOString()
  if (since > tx.now) invalid(violation('since', 'in_the_future', 'must not be in the future'))
  const subscribed = await assertEnabled(tx, tenantId)
  const types = request.eventTypes ?? subscribed
  const head = await getHead(db, tenantId)
  const first = await findFirstSince(db, tenantId, since)
  const payload = { after: (first.seq ?? head.seq + 1) - 1, until: head.seq, types }
  await enqueue(tx, replayEvents, { tenantId, payload })
  await recordAudit(tx, caller, 'webhook.replayed', tenantId, { since, eventTypes: types })
  const fromSequence = first.publicSeq ?? head.publicSeq + 1
  return { since, eventTypes: types, fromSequence, toSequence: head.publicSeq }
}

interface ReplayPayload {
  after: number
  until: number
  types: EventType[]
}

const batchSize = 500
const pauseMs = 100

/** Queues one batch and enqueues a job for the next one. */
export const replayEvents = job<ReplayPayload>({
  name: 'webhooks.replay_events',
  priority: 'bulk',
  async handle({ db, bus, clock }, replay, work) {
    const { tenantId } = work
    const now = clock.now().toISOString()
    if ((await countDue(db, tenantId, now, batchSize)) === batchSize) throw new RetryLater(pauseMs)
    const types = eventTypes.filter(type => replay.types.includes(type))
    const read = await readLog(db, tenantId, { after: replay.after, limit: batchSize, types })
    const events = read.filter(event => event.seq <= replay.until)
    await transact(db, async tx => {
      const deliveries = events.map(({ seq, id, type }) => ({ seq, eventId: id, eventType: type }))
      if (await insertDeliveries(tx, tenantId, deliveries, types)) notifyDue(tx, bus, tenantId)
      if (events.length === batchSize)
        await enqueue(tx, replayEvents, { tenantId, payload: { ...replay, after: events.at(-1)!.seq } })
      await work.finish(tx)
    })
  },
})
