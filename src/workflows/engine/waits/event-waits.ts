/** What events of the log wake: runs that wait for them, and those that wait for a condition to come true. */
import { type LinkedContact } from '../../../contacts/schemas.ts'
import type { Conversation, Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { groupBy } from '../../../platform/group-by.ts'
import type { EventReceived } from '../../events.ts'
import type { Input, Json, RunEvent } from '../../nodes/node-type.ts'
import { listWaitingRuns } from '../../store/runs.ts'
import { getChangedNames } from '../../triggers/contact-updated.ts'
import { customerMessage, getText } from '../../triggers/event-data.ts'
import { maxCausationDepth } from '../enrollment/enroll.ts'
import { enqueueResumes, type Resume } from '../run/resume.ts'
import type { Run } from '../run/run.ts'
import { findCaseForEvent, hasConditions } from './conditions.ts'
import { bufferReply } from './reply-buffer.ts'

interface EventData {
  contact?: LinkedContact
  conversation?: Conversation
  message?: Message
  contactId?: string
  changes?: Parameters<typeof getChangedNames>[0]
}

/** The contact an event is about. */
export function getContactId(event: LogEvent): string | undefined {
  const { contact, conversation, contactId } = event.data as EventData
  return contact?.id ?? conversation?.contactId ?? contactId
}

/** An event of the log as waits and templates see it. */
export function toRunEvent(event: LogEvent): RunEvent {
  if (event.type === 'event.received') return (event.data as EventReceived).event
  const { contact, conversation, message, changes, ...rest } = event.data as EventData
  const data = {
    ...(rest as Record<string, Json>),
    ...(contact ? { contactId: contact.id } : {}),
    ...(changes ? { changed: getChangedNames(changes) } : {}),
    ...(conversation ? { conversationId: conversation.id, inboxId: conversation.inboxId } : {}),
    ...(message ? { messageId: message.id, text: getText(message.content) } : {}),
  }
  return { name: customerMessage(event) ? 'message.received' : event.type, key: null, data }
}

/** A customer's message is also the `message.created` that it is. */
function toRunEvents(event: LogEvent): RunEvent[] {
  const facts = toRunEvent(event)
  return facts.name === 'message.received' ? [facts, { ...facts, name: event.type }] : [facts]
}

interface PendingResume {
  run: Run
  why: Resume['why']
  causationDepth: number
}

export async function resumeWaitingRuns(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
): Promise<void> {
  const ids = [...new Set(events.flatMap(event => getContactId(event) ?? []))]
  if (ids.length === 0) return
  const runs = groupBy(await listWaitingRuns(tx, tenantId, ids), run => run.contactId)
  const looked = new Set<string>()
  const wakings: PendingResume[] = []
  for (const event of events.filter(one => one.causationDepth <= maxCausationDepth)) {
    for (const run of runs.get(getContactId(event) ?? '') ?? [])
      wakings.push(...(await findResumes(tx, run, event, looked)))
  }
  await enqueueResumes(tx, wakings)
}

async function findResumes(tx: Tx, run: Run, event: LogEvent, looked: Set<string>): Promise<PendingResume[]> {
  const heard = customerMessage(event)
  if (heard && run.wait?.message && (await bufferReply(tx, run, heard.message))) return []
  const why = findReason(run, event, looked)
  return why ? [{ run, why, causationDepth: event.causationDepth }] : []
}

function findReason(run: Run, event: LogEvent, looked: Set<string>): Resume['why'] | undefined {
  const cases = run.wait?.cases ?? []
  const delivery = toDeliveryInput(run, event)
  if (delivery) return delivery
  for (const facts of toRunEvents(event)) {
    const index = findCaseForEvent(cases, facts)
    if (index !== undefined) return { type: 'case', index, event: facts }
  }
  if (!hasConditions(cases) || looked.has(run.id)) return undefined
  looked.add(run.id)
  return 'look'
}

const reportedStatuses = ['sent', 'failed', 'delivered', 'read'] as const

function toDeliveryInput(run: Run, event: LogEvent): Input | undefined {
  const { message } = event.data as EventData
  if (event.type !== 'message.updated' || !message || run.wait?.delivery !== message.id) return undefined
  const status = reportedStatuses.find(one => one === message.deliveryStatus)
  return status && { type: 'delivery', status, code: message.deliveryError?.code ?? null }
}
