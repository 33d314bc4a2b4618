/**
 * Tracks deliveries and replies from the event log: updates recipient statuses, counters and timeline, and counts one
 * reply per recipient. Applied exactly once: in the transaction that advances the consumer's offset.
 */
import { messageCreated, messageUpdated } from '../../conversations/events.ts'
import { outranks } from '../../conversations/messages/messages.ts'
import type { Message } from '../../conversations/schemas.ts'
import type { Tx } from '../../platform/db/db.ts'
import { emitMany, isEvent, type LogEvent, pendingEvent } from '../../platform/events/event.ts'
import { subscription } from '../../platform/events/subscription.ts'
import { campaignReplied } from '../events.ts'
import type { RecipientStatus } from '../schemas.ts'
import { addToProgress, addToTimeline, type CountChange, type TimelinePoint } from '../store/progress.ts'
import {
  applyRecipientUpdates,
  findCampaignReplies,
  markReplied,
  type RecipientUpdate,
  type StatusChange,
} from '../store/recipients.ts'
import { completeIfDone, failCampaign } from './complete.ts'

/** Send policy codes that count as skipped rather than failed. */
const skipCodes = new Set(['opted_out', 'window_closed'])

export const trackDeliveries = subscription({
  name: 'campaigns.track_deliveries',
  types: [messageCreated.type, messageUpdated.type],
  from: 'end',
  batchSize: 500,
  paceMs: 100,
  hasNoEffect: (_, events) => toRecipientUpdates(events).length === 0 && !events.some(isInbound),
  apply: applyEvents,
})

const isInbound = (event: LogEvent): event is LogEvent<{ message: Message }> =>
  isEvent(messageCreated, event) && event.data.message.senderType === 'customer'

async function applyEvents(tx: Tx, events: readonly LogEvent[]): Promise<void> {
  const { tenantId } = events[0]!
  const updates = toRecipientUpdates(events)
  if (updates.length > 0) await applyStatuses(tx, tenantId, updates)
  const inbound = events.filter(isInbound)
  if (inbound.length > 0) await countReplies(tx, tenantId, inbound)
}

/** Returns the highest status of each campaign message in these events. */
function toRecipientUpdates(events: readonly LogEvent[]): RecipientUpdate[] {
  const latest = new Map<string, Message>()
  for (const event of events) {
    if (!isEvent(messageUpdated, event)) continue
    const { message } = event.data
    if (message.senderType !== 'campaign' || !message.clientMessageId) continue
    const known = latest.get(message.id)
    if (!known || outranks(known.deliveryStatus, message.deliveryStatus)) latest.set(message.id, message)
  }
  return [...latest.values()].map(message => {
    const code = message.deliveryStatus === 'failed' ? (message.deliveryError?.code ?? null) : null
    return {
      campaignId: message.senderId,
      recipientId: message.clientMessageId!,
      messageId: message.id,
      status: toRecipientStatus(message, code),
      reason: code,
      at: message.updatedAt,
    }
  })
}

/** Rejected by the send policy before sending: skipped. Rejected by the provider: failed. */
function toRecipientStatus(message: Message, code: string | null): RecipientStatus {
  const isSkipped = code !== null && skipCodes.has(code) && message.channelMessageId === undefined
  return isSkipped ? 'skipped' : (message.deliveryStatus as RecipientStatus)
}

async function applyStatuses(tx: Tx, tenantId: string, updates: RecipientUpdate[]): Promise<void> {
  const changes = await applyRecipientUpdates(tx, tenantId, updates)
  if (changes.length === 0) return
  // Lock order: campaign, then progress.
  await failRejectedTemplates(tx, tenantId, changes)
  const points = toTimelinePoints(changes)
  if (points.length > 0) await addToTimeline(tx, tenantId, points)
  for (const progress of await addToProgress(tx, tenantId, toCountChanges(changes)))
    await completeIfDone(tx, tenantId, progress)
}

/** Template errors concern every recipient: they fail the campaign instead of each message. */
const templateRejections: Record<string, string> = {
  template_unknown: 'the template no longer exists at the provider',
  template_paused: 'the provider paused the template',
  template_disabled: 'the provider disabled the template',
  template_policy: 'the template violates a policy of the provider',
}

async function failRejectedTemplates(
  tx: Tx,
  tenantId: string,
  changes: readonly StatusChange[],
): Promise<void> {
  const rejected = new Map(
    changes.flatMap(({ campaignId, reason }) =>
      reason !== null && templateRejections[reason] ? [[campaignId, reason] as const] : [],
    ),
  )
  for (const [id, reason] of [...rejected].sort())
    await failCampaign(tx, { tenantId, id }, `${reason}: ${templateRejections[reason]}`)
}

function toCountChanges(changes: readonly StatusChange[]): CountChange[] {
  const counts = new Map<string, CountChange>()
  for (const { campaignId, before, after } of changes) {
    const count = counts.get(campaignId) ?? { campaignId }
    count[before] = (count[before] ?? 0) - 1
    count[after] = (count[after] ?? 0) + 1
    counts.set(campaignId, count)
  }
  return [...counts.values()]
}

const steps = ['sent', 'delivered', 'read'] as const

/** Counts skipped intermediate steps too: delivered implies sent. */
function toTimelinePoints(changes: readonly StatusChange[]): TimelinePoint[] {
  const points = new Map<string, TimelinePoint>()
  for (const { campaignId, before, after, at } of changes) {
    if (after === 'skipped') continue
    const minute = `${at.slice(0, 16)}:00.000Z`
    const key = `${campaignId}/${minute}`
    const point = points.get(key) ?? { campaignId, at: minute, sent: 0, delivered: 0, read: 0, failed: 0 }
    if (after === 'failed') point.failed++
    else for (const step of stepsBetween(before, after)) point[step]++
    points.set(key, point)
  }
  return [...points.values()]
}

function stepsBetween(before: RecipientStatus, after: RecipientStatus) {
  const from = before === 'failed' ? 0 : steps.indexOf(before as 'sent')
  return steps.slice(from + 1, steps.indexOf(after as 'sent') + 1)
}

async function countReplies(
  tx: Tx,
  tenantId: string,
  inbound: readonly LogEvent<{ message: Message }>[],
): Promise<void> {
  const keys = inbound.map(({ data: { message } }) => ({
    messageId: message.id,
    quotedId: getQuotedId(message),
  }))
  const replies = await findCampaignReplies(tx, tenantId, keys)
  if (replies.length === 0) return
  const byMessage = new Map(inbound.map(event => [event.data.message.id, event]))
  // First reply of each recipient, in log order.
  const first = new Map<string, (typeof replies)[number]>()
  for (const { data } of inbound) {
    const reply = replies.find(({ messageId }) => messageId === data.message.id)
    const key = reply && `${reply.campaignId}/${reply.recipientId}`
    if (key && !first.has(key)) first.set(key, reply)
  }
  const firstReplies = [...first.values()].map(reply => ({
    ...reply,
    at: byMessage.get(reply.messageId)!.data.message.createdAt,
  }))
  const counted = await markReplied(tx, tenantId, firstReplies)
  if (counted.length === 0) return
  const changes = new Map<string, number>()
  for (const { campaignId } of counted) changes.set(campaignId, (changes.get(campaignId) ?? 0) + 1)
  await addToProgress(
    tx,
    tenantId,
    [...changes].map(([campaignId, replied]) => ({ campaignId, replied })),
  )
  await emitMany(
    tx,
    counted.map(({ campaignId, recipientId }) => {
      const event = byMessage.get(first.get(`${campaignId}/${recipientId}`)!.messageId)!
      const { message } = event.data
      const { id: messageId, senderId: contactId, conversationId } = message
      const data = { campaignId, contactId, conversationId, messageId, message }
      return pendingEvent(campaignReplied, { tenantId, data, causationDepth: event.causationDepth })
    }),
  )
}

function getQuotedId(message: Message): string | null {
  const quoted = message.context?.find(item => item.type === 'message')
  return quoted?.type === 'message' ? quoted.messageId : null
}
