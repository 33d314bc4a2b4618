/**
 * Resends one event, or replays all events since a time, with their original webhook-id. Replays are queued in small
 * batches, so that new events are hardly delayed.
 */
import { recordAudit } from '../identity/audit.ts'
import type { Db, Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { LogEvent } from '../platform/events/event.ts'
import { findFirstSince, getHead, readLog } from '../platform/events/log.ts'
import type { Caller } from '../platform/http/caller.ts'
import { parseTimestamp } from '../platform/http/schemas.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { job, RetryLater } from '../platform/jobs/job.ts'
import { AttemptNotFound, EndpointNotFound, EventNotKept, WebhookNotEnabled } from './errors.ts'
import { notifyDue } from './notify.ts'
import { oldestRetained } from './partitions.ts'
import { AttemptId, type EventType, eventTypes } from './schemas.ts'
import { type AttemptedEvent, findAttemptedEvent } from './store/attempts.ts'
import { countDue, insertDeliveries, makeDueNow } from './store/deliveries.ts'
import { type EndpointKey, markDue } from './store/endpoint-state.ts'
import { findFirst, findSettings, type SettingsRow } from './store/settings.ts'

/** Makes a pending delivery due immediately; otherwise creates a new delivery. */
export async function resendAttempt(tx: Tx, { bus }: Pick<Deps, 'bus'>, caller: Caller, id: string) {
  const { tenantId } = caller
  const attempted = await findAttemptedEvent(tx, tenantId, id, AttemptId.firstAt(oldestRetained(tx.clock)))
  if (!attempted) fail(AttemptNotFound)
  const endpoint = { tenantId, endpointId: attempted.endpointId ?? '' }
  assertEnabled(await findSettings(tx, tenantId, endpoint.endpointId))
  await enqueueResend(tx, endpoint, attempted)
  notifyDue(tx, bus, tenantId, [endpoint.endpointId])
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
  endpoint: EndpointKey,
  { deliveryId, seq, eventId, eventType }: AttemptedEvent,
) {
  const { tenantId, endpointId } = endpoint
  if (await makeDueNow(tx, tenantId, deliveryId)) return markDue(tx, endpoint)
  if (seq === null) fail(EventNotKept)
  const [event] = await readLog(tx, tenantId, { after: seq - 1, limit: 1 })
  if (event?.id !== eventId) fail(EventNotKept)
  await insertDeliveries(tx, tenantId, [{ endpointId, seq, eventId, eventType }])
}

function assertEnabled(settings: SettingsRow | undefined): asserts settings {
  if (!settings?.enabled) fail(WebhookNotEnabled, 'enable the endpoint first')
}

export interface ReplayRequest {
  since: string
  /** Default: the first endpoint. */
  endpointId?: string
  /** Default: the types of the endpoint. */
  eventTypes?: EventType[]
}

export async function requestReplay(tx: Tx, db: Db, caller: Caller, request: ReplayRequest) {
  const { tenantId } = caller
  const since = parseTimestamp(request.since).toISOString()
  if (since > tx.now) invalid(violation('since', 'in_the_future', 'must not be in the future'))
  const { endpointId } = request
  const endpoint = endpointId ? await findSettings(tx, tenantId, endpointId) : await findFirst(tx, tenantId)
  if (endpointId && !endpoint) fail(EndpointNotFound)
  assertEnabled(endpoint)
  const types = request.eventTypes ?? endpoint.eventTypes
  const head = await getHead(db, tenantId)
  const first = await findFirstSince(db, tenantId, since)
  const payload = { endpointId: endpoint.id, after: (first.seq ?? head.seq + 1) - 1, until: head.seq, types }
  await enqueue(tx, replayEvents, { tenantId, payload })
  await recordAudit(tx, caller, 'webhook.replayed', endpoint.id, { since, eventTypes: types })
  const fromSequence = first.publicSeq ?? head.publicSeq + 1
  return { endpointId: endpoint.id, since, eventTypes: types, fromSequence, toSequence: head.publicSeq }
}

interface ReplayPayload {
  endpointId: string
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
    const { endpointId } = replay
    const now = clock.now().toISOString()
    if ((await countDue(db, { tenantId, endpointId }, now, batchSize)) === batchSize)
      throw new RetryLater(pauseMs)
    const types = eventTypes.filter(type => replay.types.includes(type))
    const read = await readLog(db, tenantId, { after: replay.after, limit: batchSize, types })
    const events = read.filter(event => event.seq <= replay.until)
    await transact(db, async tx => {
      const isEnabled = (await findSettings(tx, tenantId, endpointId))?.enabled === true
      if (isEnabled && events.length > 0) {
        const toDelivery = ({ seq, id, type }: LogEvent) => ({
          endpointId,
          seq,
          eventId: id,
          eventType: type,
        })
        await insertDeliveries(tx, tenantId, events.map(toDelivery))
        notifyDue(tx, bus, tenantId, [endpointId])
      }
      if (isEnabled && events.length === batchSize)
        await enqueue(tx, replayEvents, { tenantId, payload: { ...replay, after: events.at(-1)!.seq } })
      await work.finish(tx)
    })
  },
})
