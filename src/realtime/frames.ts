/** Frames of realtime events, and the rule who receives them. */
import { type Change, changed, changeScopes } from '../platform/events/changed.ts'
import type { LogEvent } from '../platform/events/event.ts'
import type { Caller, Scope } from '../platform/http/caller.ts'

/** Part of the API. 4401 and 4403: do not reconnect with the same token; others: reconnect. */
export const closeCodes = {
  unauthenticated: 4401,
  forbidden: 4403,
  tooSlow: 4108,
  tooMany: 4429,
  restarting: 1012,
} as const

/** The public events, each with the scope that a caller needs to receive it: the one to read it over REST. */
const publicScopes = {
  'contact.created': 'contact:read',
  'contact.updated': 'contact:read',
  'contact.archived': 'contact:read',
  'conversation.started': 'conversation:read',
  'conversation.updated': 'conversation:read',
  'conversation.closed': 'conversation:read',
  'conversation.rated': 'conversation:read',
  'message.created': 'conversation:read',
  'message.updated': 'conversation:read',
  'inbox.updated': 'inbox:read',
  'journey.updated': 'journey:read',
  'chatbot.updated': 'journey:read',
} as const satisfies Record<string, Scope>

export type PublicType = keyof typeof publicScopes
export const publicTypes = Object.keys(publicScopes) as PublicType[]

const scopesByType = new Map<string, Scope>([
  ...Object.entries(publicScopes),
  ['message.scheduled', 'conversation:read'],
  ['message.unscheduled', 'conversation:read'],
  ['note.created', 'conversation:read'],
  ['note.updated', 'conversation:read'],
  ['note.deleted', 'conversation:read'],
  ['conversation_read', 'conversation:read'],
  ['notification', 'conversation:read'],
  ['notifications_read', 'conversation:read'],
])

const unreadTypes = new Set([
  'message.created',
  'conversation.started',
  'conversation.updated',
  'conversation.closed',
  'conversation_read',
])

/** A note may mention a user, or no longer do so. */
const countTypes = new Set([...unreadTypes, 'note.created', 'note.updated', 'note.deleted'])

export const isPublished = (event: LogEvent): boolean =>
  scopesByType.has(event.type) || event.type === changed.type
/** Returns the conversation of an event about its assignment, which may have hidden it from some users. */
export function getHiddenConversation({ type, data }: LogEvent): string | undefined {
  return type.startsWith('conversation.')
    ? (data as { conversation?: { id: string } }).conversation?.id
    : undefined
}
/** Reports whether the event may change unread counts. */
export const affectsUnread = (event: LogEvent): boolean => unreadTypes.has(event.type)
/** Reports whether the event may change the counts of views. */
export const affectsCounts = (event: LogEvent): boolean => countTypes.has(event.type)

interface Audience {
  teamIds?: readonly string[]
  userIds?: readonly string[]
  /** Owners and admins receive the event only if they are listed. */
  private?: boolean
  /** The users who saw the conversation of the event before it; null: everyone. */
  former?: Pick<Audience, 'teamIds' | 'userIds'> | null
}

/** Reports whether the caller may connect: it can read itself and at least one kind of frame. */
export function canConnect({ scopes }: Caller): boolean {
  return scopes.has('user:read_self') && [...scopesByType.values()].some(scope => scopes.has(scope))
}

export function canReceive(caller: Caller, event: LogEvent): boolean {
  if (!caller.scopes.has(getScope(event)!)) return false
  const audience = event.audience as Audience | null | undefined
  if (event.type === 'conversation_read' || audience?.private)
    return audience?.userIds?.includes(caller.id) ?? false
  return !audience || caller.role !== 'agent' || isListed(caller, audience)
}

const isListed = (caller: Caller, { userIds = [], teamIds = [] }: Audience): boolean =>
  userIds.includes(caller.id) || teamIds.some(team => caller.teamIds.includes(team))

/** Reports whether a caller who may not receive the event saw its conversation until then. */
export function isHiddenNow(caller: Caller, event: LogEvent): boolean {
  const { former } = (event.audience ?? {}) as Audience
  if (former === undefined || !caller.scopes.has(getScope(event)!)) return false
  return former === null || isListed(caller, former)
}

/** Returns the frame of an event that has hidden its conversation from the receiver. */
export function toHiddenFrame(event: LogEvent): string {
  const data = { conversationId: getHiddenConversation(event) }
  return JSON.stringify({ seq: event.seq, type: 'conversation_hidden', data })
}

function getScope({ type, data }: LogEvent): Scope | undefined {
  return type === changed.type ? changeScopes[(data as Change).kind] : scopesByType.get(type)
}

/** Returns the frame of an event; serialized once for all receivers. */
export function toFrame(event: LogEvent): string {
  const { seq, publicSeq, id, type, timestamp } = event
  const number = publicSeq === null ? {} : { sequence: publicSeq }
  return JSON.stringify({ seq, ...number, id, type, timestamp, data: toPublishedData(event) })
}

/** Returns the data of an event without its internal members. */
export function toPublishedData({ type, data, seq }: LogEvent): Record<string, unknown> {
  if (type === changed.type) return { revision: seq, ...(data as Change) }
  const { contactChanges: _, ...published } = data as Record<string, unknown>
  return published
}

/** Encodes a text as one unmasked WebSocket frame (RFC 6455, 5.2). */
export function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8
  const bytes = Buffer.allocUnsafe(2 + extra + length)
  bytes[0] = 0x81
  bytes[1] = extra === 0 ? length : extra === 2 ? 126 : 127
  if (extra === 2) bytes.writeUInt16BE(length, 2)
  if (extra === 8) bytes.writeBigUInt64BE(BigInt(length), 2)
  bytes.write(text, 2 + extra)
  return bytes
}
