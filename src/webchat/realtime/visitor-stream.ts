/**
 * The sockets of the visitors of one workspace in this process. They follow its event log together; of each page of the
 * log, the messages and conversations that a connected visitor sees are loaded together, whatever the number of sockets.
 */
import { listCustomerMessagesByIds } from '../../conversations/customer-view.ts'
import {
  conversationClosed,
  conversationRated,
  conversationRead,
  conversationStarted,
  conversationUpdated,
  messageCreated,
  messageUpdated,
} from '../../conversations/events.ts'
import type { Deps } from '../../platform/deps.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { encodeTextFrame } from '../../realtime/frames.ts'
import { createLogStream, type LogStream, sendBytes, type ToFrames } from '../../realtime/log-stream.ts'
import { loadWidgetConversations, toWidgetMessages } from '../messages/message-view.ts'
import type { Audience, ConversationRef, VisitorSocket } from './audience.ts'

const messageTypes = new Set<string>([messageCreated.type, messageUpdated.type])
const conversationTypes = new Set<string>([
  conversationStarted.type,
  conversationUpdated.type,
  conversationClosed.type,
  conversationRated.type,
])

/** Of a workspace with much traffic, a visitor that was away reads its messages again. */
const maxMissed = 200

interface EventData {
  conversation?: ConversationRef & { status?: string }
  /** Of a conversation that a user has read. */
  conversationId?: string
  message?: { id: string }
}

export function createVisitorStream(
  deps: Deps,
  tenantId: string,
  start: number,
  audience: Audience,
): LogStream<VisitorSocket> {
  return createLogStream<VisitorSocket>(deps, tenantId, start, {
    maxMissed,
    async prepare(events) {
      const followed = events.filter(event => followedBy(audience, event).size > 0)
      const toFrames = await loadFrames(deps, tenantId, followed)
      const prepared = new Set(followed.map(({ seq }) => seq))
      return (sockets, event) => {
        const bytes = prepared.has(event.seq) ? toFrames(event).map(encodeTextFrame) : [resyncFrame]
        const receivers = [...followedBy(audience, event)].filter(
          socket => sockets.has(socket) && event.seq > socket.position,
        )
        for (const socket of receivers) sendAll(socket, bytes)
      }
    },
    async replay(socket, events) {
      const own = events.filter(event => followedBy(audience, event).has(socket))
      const toFrames = await loadFrames(deps, tenantId, own)
      const seqs = new Set(own.map(({ seq }) => seq))
      return event => (seqs.has(event.seq) ? toFrames(event) : [])
    },
  })
}

function sendAll(socket: VisitorSocket, frames: readonly Buffer[]): void {
  for (const bytes of frames) sendBytes(socket, bytes)
}

/** For a visitor that connected or was identified while its event was loaded, and loaded for nobody. */
const resyncFrame = encodeTextFrame(JSON.stringify({ type: 'resync' }))

const none: ReadonlySet<VisitorSocket> = new Set()

function followedBy(audience: Audience, { type, data }: LogEvent): ReadonlySet<VisitorSocket> {
  if (type === conversationRead.type) return audience.ofConversation((data as EventData).conversationId!)
  if (!messageTypes.has(type) && !conversationTypes.has(type)) return none
  const { conversation } = data as EventData
  return conversation ? audience.follow(conversation) : none
}

/** Returns a function that builds the frames of an event; none when the visitor sees nothing of it. */
async function loadFrames(deps: Deps, tenantId: string, events: readonly LogEvent[]): Promise<ToFrames> {
  const messageIds = events.flatMap(event => listMessageIds(event))
  const conversationIds = events.filter(concernsConversation).map(getConversationId)
  const [rows, conversations] = await Promise.all([
    messageIds.length === 0 ? [] : listCustomerMessagesByIds(deps.db, tenantId, messageIds),
    loadWidgetConversations(deps, tenantId, [...new Set(conversationIds)]),
  ])
  const messages = new Map((await toWidgetMessages(deps, tenantId, rows)).map(row => [row.id, row]))
  return event => {
    const message = messages.get(listMessageIds(event)[0] ?? '')
    const conversation = concernsConversation(event) ? conversations.get(getConversationId(event)) : undefined
    return [
      ...(message ? [toFrame('message', event, message)] : []),
      ...(conversation ? [toFrame('conversation', event, conversation)] : []),
    ]
  }
}

const readData = ({ data }: LogEvent) => data as EventData

function getConversationId(event: LogEvent): string {
  const { conversation, conversationId } = readData(event)
  return conversation?.id ?? conversationId!
}

const listMessageIds = (event: LogEvent): string[] =>
  messageTypes.has(event.type) ? [readData(event).message!.id] : []

/** A message in a closed conversation may be its survey, which makes the conversation one that can be rated. */
const concernsConversation = (event: LogEvent): boolean =>
  !messageTypes.has(event.type) || readData(event).conversation!.status === 'closed'

const toFrame = (type: string, { seq }: LogEvent, data: object): string => JSON.stringify({ type, seq, data })
