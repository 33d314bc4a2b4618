/** What events of the log wake: runs that wait for them, and those that wait for a condition to come true. */
import type { LinkedContact } from '../../contacts/schemas.ts'
import type { Conversation, Message } from '../../conversations/schemas.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import type { EventReceived } from '../events.ts'
import type { EventFacts, Input, Json } from '../nodes/kind.ts'
import { listListening } from '../store/runs.ts'
import { changedNames } from '../triggers/contact-updated.ts'
import { customerMessage, textOf } from '../triggers/facts.ts'
import { caseOfEvent, hasConditions } from './cases.ts'
import { deepestCause } from './entering.ts'
import { grouped } from './grouped.ts'
import { hear } from './hearing.ts'
import type { Run } from './run.ts'
import { type WakeUp, wakeMany } from './waking.ts'

interface EventData {
  contact?: LinkedContact
  conversation?: Conversation
  message?: Message
  contactId?: string
  changes?: Parameters<typeof changedNames>[0]
}

/** The contact an event is about. */
export function contactOf(event: LogEvent): string | undefined {
  const { contact, conversation, contactId } = event.data as EventData
  return contact?.id ?? conversation?.contactId ?? contactId
}

/** An event of the log as waits and templates see it. */
export function factsOfEvent(event: LogEvent): EventFacts {
  if (event.type === 'event.received') return (event.data as EventReceived).event
  const { contact, conversation, message, changes, ...rest } = event.data as EventData
  const data = {
    ...(rest as Record<string, Json>),
    ...(contact ? { contactId: contact.id } : {}),
    ...(changes ? { changed: changedNames(changes) } : {}),
    ...(conversation ? { conversationId: conversation.id, inboxId: conversation.inboxId } : {}),
    ...(message ? { messageId: message.id, text: textOf(message.content) } : {}),
  }
  return { name: customerMessage(event) ? 'message.received' : event.type, key: null, data }
}

/** A customer's message is also the `message.created` that it is. */
function namesOf(event: LogEvent): EventFacts[] {
  const facts = factsOfEvent(event)
  return facts.name === 'message.received' ? [facts, { ...facts, name: event.type }] : [facts]
}

interface Waking {
  run: Run
  why: WakeUp['why']
  causeDepth: number
}

export async function wakeListeners(tx: Tx, tenantId: string, events: readonly LogEvent[]): Promise<void> {
  const ids = [...new Set(events.flatMap(event => contactOf(event) ?? []))]
  if (ids.length === 0) return
  const runs = grouped(await listListening(tx, tenantId, ids), run => run.contactId)
  const looked = new Set<string>()
  const wakings: Waking[] = []
  for (const event of events.filter(one => one.causeDepth <= deepestCause)) {
    for (const run of runs.get(contactOf(event) ?? '') ?? [])
      wakings.push(...(await wakingsOf(tx, run, event, looked)))
  }
  await wakeMany(tx, wakings)
}

async function wakingsOf(tx: Tx, run: Run, event: LogEvent, looked: Set<string>): Promise<Waking[]> {
  const heard = customerMessage(event)
  if (heard && run.wait?.message && (await hear(tx, run, heard.message))) return []
  const why = reasonIn(run, event, looked)
  return why ? [{ run, why, causeDepth: event.causeDepth }] : []
}

function reasonIn(run: Run, event: LogEvent, looked: Set<string>): WakeUp['why'] | undefined {
  const cases = run.wait?.cases ?? []
  const delivery = deliveryIn(run, event)
  if (delivery) return delivery
  for (const facts of namesOf(event)) {
    const index = caseOfEvent(cases, facts)
    if (index !== undefined) return { type: 'case', index, event: facts }
  }
  if (!hasConditions(cases) || looked.has(run.id)) return undefined
  looked.add(run.id)
  return 'look'
}

const told = ['sent', 'failed', 'delivered', 'read'] as const

function deliveryIn(run: Run, event: LogEvent): Input | undefined {
  const { message } = event.data as EventData
  if (event.type !== 'message.updated' || !message || run.wait?.delivery !== message.id) return undefined
  const status = told.find(one => one === message.deliveryStatus)
  return status && { type: 'delivery', status, code: message.deliveryError?.code ?? null }
}
