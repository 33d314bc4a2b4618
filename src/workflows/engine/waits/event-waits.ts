/**
 * Applies events of the log to existing runs: resumes runs that wait for them or for a condition, buffers replies, and
 * ends or moves the runs of contacts that were deleted or merged.
 */
import { listDeletedContacts } from '../../../contacts/contacts.ts'
import type { LinkedContact } from '../../../contacts/schemas.ts'
import type { Conversation, Message } from '../../../conversations/schemas.ts'
import type { Tx } from '../../../platform/db/db.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { groupBy } from '../../../platform/group-by.ts'
import type { EventReceived } from '../../events.ts'
import type { Input, Json, RunEvent } from '../../nodes/node-type.ts'
import { listRunIdsInProgress } from '../../store/runs/run-lists.ts'
import { listWaitingRuns, lockRun, reassignRuns } from '../../store/runs/runs.ts'
import { getChangedNames } from '../../triggers/contacts/contact-updated.ts'
import { customerMessage, getText } from '../../triggers/event-data.ts'
import { type Enrollment, maxCausationDepth } from '../enrollment/enroll.ts'
import { endRun, enqueueResumes, type PendingResume } from '../run/resume.ts'
import { isInProgress, type Resume, type Run } from '../run/run.ts'
import { deliverAnswer } from './answers.ts'
import { findCaseForEvent, hasConditions } from './conditions.ts'

interface EventData {
  contact?: LinkedContact
  conversation?: Conversation
  message?: Message
  contactId?: string
  contactChanges?: Parameters<typeof getChangedNames>[0]
}

export function getContactId(event: LogEvent): string | undefined {
  const { contact, conversation, contactId } = event.data as EventData
  return contact?.id ?? conversation?.contactId ?? contactId
}

/** Converts an event of the log to the form that waits and templates use. */
export function toRunEvent(event: LogEvent): RunEvent {
  if (event.type === 'event.received') return (event.data as EventReceived).event
  const { contact, conversation, message, contactChanges, ...rest } = event.data as EventData
  const data = {
    ...(rest as Record<string, Json>),
    ...(contact ? { contactId: contact.id } : {}),
    ...(contactChanges ? { changed: getChangedNames(contactChanges) } : {}),
    ...(conversation ? { conversationId: conversation.id, inboxId: conversation.inboxId } : {}),
    ...(message ? { messageId: message.id, text: getText(message.content) } : {}),
  }
  return { name: customerMessage(event) ? 'message.received' : event.type, key: null, data }
}

/** A customer's message matches waits for `message.received` and for `message.created`. */
function toRunEvents(event: LogEvent): RunEvent[] {
  const runEvent = toRunEvent(event)
  return runEvent.name === 'message.received' ? [runEvent, { ...runEvent, name: event.type }] : [runEvent]
}

/** Returns the ids of the customer messages that answer the question of a journey. */
export async function resumeWaitingRuns(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(events.flatMap(event => getContactId(event) ?? []))]
  if (ids.length === 0) return new Set()
  const { resumes, answers } = await findResumes(tx, await listWaitingRuns(tx, tenantId, ids), events)
  await enqueueResumes(tx, resumes)
  return answers
}

/** Returns which of the waiting runs the events resume, and the messages that answer the question of a journey. */
export async function findResumes(
  tx: Tx,
  waiting: readonly Run[],
  events: readonly LogEvent[],
): Promise<{ resumes: PendingResume[]; answers: ReadonlySet<string> }> {
  const answers = new Set<string>()
  const runs = groupBy(waiting, run => run.contactId)
  const rechecked = new Set<string>()
  const resumes: PendingResume[] = []
  for (const event of events.filter(({ causationDepth }) => causationDepth <= maxCausationDepth)) {
    const candidates = runs.get(getContactId(event) ?? '') ?? []
    const received = customerMessage(event)
    const answered = received && (await deliverAnswer(tx, candidates, received.message))
    if (answered?.kind === 'journey') answers.add(received!.message.id)
    for (const run of candidates) {
      if (run === answered) continue
      const reason = findReason(run, event, rechecked)
      if (reason) resumes.push({ run, reason, causationDepth: event.causationDepth })
    }
  }
  return { resumes, answers }
}

/** Ends runs that events of this batch started by exits that later events of the batch match. */
export async function applyLaterExits(
  tx: Tx,
  tenantId: string,
  enrollments: readonly Enrollment[],
  events: readonly LogEvent[],
): Promise<void> {
  const toKey = (workflowId: string, contactId: string, key: string) =>
    JSON.stringify([workflowId, contactId, key])
  const startedBy = new Map(
    enrollments.map(({ active, entry: { contactId, event }, seq }) => [
      toKey(active.workflowId, contactId, event.key ?? ''),
      seq ?? Number.POSITIVE_INFINITY,
    ]),
  )
  const later = groupBy(events, event => getContactId(event) ?? '')
  const ids = [...new Set(enrollments.map(({ entry }) => entry.contactId))]
  const candidates = ids.filter(id => (later.get(id)?.length ?? 0) > 1)
  if (candidates.length === 0) return
  const runs = (await listWaitingRuns(tx, tenantId, candidates)).filter(run => run.startedAt === tx.now)
  const resumes = runs.flatMap((run): PendingResume[] => {
    const seq = startedBy.get(toKey(run.workflowId, run.contactId, run.entryKey)) ?? Number.POSITIVE_INFINITY
    const reasons = later
      .get(run.contactId)!
      .filter(event => event.seq > seq && event.causationDepth <= maxCausationDepth)
      .map(event => ({ reason: findExitFor(run, event), causationDepth: event.causationDepth }))
    const first = reasons.find(({ reason }) => reason !== undefined)
    return first ? [{ run, reason: first.reason!, causationDepth: first.causationDepth }] : []
  })
  await enqueueResumes(tx, resumes)
}

function findExitFor(run: Run, event: LogEvent): Extract<Input, { type: 'exit' }> | undefined {
  for (const runEvent of toRunEvents(event)) {
    const index = findCaseForEvent(run.wait?.exits ?? [], runEvent)
    if (index !== undefined) return { type: 'exit', index, event: runEvent }
  }
  return undefined
}

/** Returns why the event resumes the run, if it does. Conditions are rechecked once per batch of events. */
function findReason(run: Run, event: LogEvent, rechecked: Set<string>): Resume['reason'] | undefined {
  const { cases = [], exits = [] } = run.wait ?? {}
  const exit = findExitFor(run, event)
  if (exit) return exit
  const delivery = toDeliveryInput(run, event)
  if (delivery) return delivery
  for (const runEvent of toRunEvents(event)) {
    const index = findCaseForEvent(cases, runEvent)
    if (index !== undefined) return { type: 'case', index, event: runEvent }
  }
  if (!hasConditions([...exits, ...cases]) || rechecked.has(run.id)) return undefined
  rechecked.add(run.id)
  return 'recheck'
}

const reportedStatuses = ['sent', 'failed', 'delivered', 'read'] as const

function toDeliveryInput(run: Run, event: LogEvent): Input | undefined {
  const { message } = event.data as EventData
  if (event.type !== 'message.updated' || !message || run.wait?.delivery !== message.id) return undefined
  const status = reportedStatuses.find(name => name === message.deliveryStatus)
  return status && { type: 'delivery', status, code: message.deliveryError?.code ?? null }
}

/** Moves the runs of merged contacts to the surviving contact and ends the runs of deleted contacts. */
export async function handleRemovedContacts(
  tx: Tx,
  tenantId: string,
  events: readonly LogEvent[],
): Promise<void> {
  const ids = events
    .filter(event => event.type === 'contact.archived')
    .map(event => (event.data as { contact: LinkedContact }).contact.id)
  if (ids.length === 0) return
  for (const { id, mergedInto } of await listDeletedContacts(tx, tenantId, ids)) {
    if (mergedInto !== null) await reassignRuns(tx, tenantId, id, mergedInto)
    // Runs that could not be moved conflict with a run of the surviving contact.
    for (const runId of await listRunIdsInProgress(tx, tenantId, id)) {
      const run = await lockRun(tx, tenantId, runId)
      if (run && isInProgress(run))
        await endRun(tx, run, 'completed', mergedInto === null ? 'contact_deleted' : 'contact_merged')
    }
  }
}
