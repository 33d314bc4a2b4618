/**
 * Evaluates the filter and the order of a list for a conversation, as the service does, so that events move conversations
 * without a request.
 */
import type { SignedIn } from '../../../api/session.ts'
import type { Conversation, Filter, ListKey, Sort } from '../views.ts'

type Reader = Pick<SignedIn, 'me'>
type Test<K extends keyof Filter> = (
  wanted: NonNullable<Filter[K]>,
  conversation: Conversation,
  reader: Reader,
) => boolean

const includes = <T>(wanted: readonly T[], value: T) => wanted.includes(value)

/** Members that are not here depend on data that conversations do not contain. */
const tests: { [K in keyof Filter]?: Test<K> } = {
  status: (wanted, { status }) => includes(wanted, status),
  snoozed: (wanted, { snoozed }) => snoozed === wanted,
  ownerType: (wanted, { activeOwner }) => includes(wanted, activeOwner?.type ?? 'none'),
  ownerId: (wanted, { activeOwner }, { me }) =>
    wanted === 'none' ? activeOwner === null : activeOwner?.id === (wanted === 'me' ? me.id : wanted),
  teamId: (wanted, { teamId }, { me }) => {
    if (wanted === 'none' || teamId === null) return wanted === 'none' && teamId === null
    return wanted === 'me' ? me.teamIds.includes(teamId) : teamId === wanted
  },
  contactId: (wanted, { contactId }) => contactId === wanted,
  inboxId: (wanted, { inboxId }) => inboxId === wanted,
  channel: (wanted, { channel }) => includes(wanted, channel),
  labelIds: (wanted, { labelIds }) => wanted.some(id => labelIds.includes(id)),
  priority: (wanted, { priority }) => includes(wanted, priority ?? 'none'),
  waiting: (wanted, { waitingSince }) => (waitingSince !== null) === wanted,
  mentioned: (wanted, { mentioned }) => mentioned === wanted,
  unread: (wanted, conversation, reader) => isUnread(conversation, reader) === wanted,
  search: (wanted, { name, externalId }) => {
    const text = normalize(wanted)
    return normalize(name).includes(text) || normalize(externalId).includes(text)
  },
}

/** As the service normalizes texts for searches. */
const normalize = (text: string) =>
  text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().normalize('NFD').replaceAll('ς', 'σ')

/** Whether the unread counters of the user count the conversation. */
function isUnread({ status, unreadCount, activeOwner: owner }: Conversation, { me }: Reader): boolean {
  if (status !== 'open' || !unreadCount) return false
  if (owner === null) return true
  return owner.type === 'user' ? owner.id === me.id : owner.type === 'team' && me.teamIds.includes(owner.id)
}

/** Whether the conversation belongs to the list; undefined: only the service can decide. */
export function matches(filter: Filter, conversation: Conversation, reader: Reader): boolean | undefined {
  let isKnown = true
  for (const [member, wanted] of Object.entries(filter)) {
    const test = tests[member as keyof Filter] as Test<keyof Filter> | undefined
    if (!test) isKnown = false
    else if (!test(wanted, conversation, reader)) return false
  }
  return isKnown ? true : undefined
}

const sortValues: Partial<Record<Sort['field'], (conversation: Conversation) => string>> = {
  lastMessageAt: ({ lastMessageAt }) => lastMessageAt,
  waitingSince: ({ waitingSince }) => waitingSince ?? '',
}

/** Whether events can be placed: the service compares names by its own rules, and other times are not in conversations. */
export function canPlace({ filter, sort }: ListKey): boolean {
  const isSortKnown = sort === null || sort.field in sortValues
  return isSortKnown && Object.keys(filter).every(member => member in tests)
}

/** Orders conversations as the service does: newest message first unless the list has its own order. */
export function compare(sort: Sort | null, a: Conversation, b: Conversation): number {
  const field = sort?.field ?? 'lastMessageAt'
  const toValue = sortValues[field] ?? sortValues.lastMessageAt!
  const step = (sort?.direction ?? (field === 'waitingSince' ? 'asc' : 'desc')) === 'asc' ? 1 : -1
  const [left, right] = [toValue(a), toValue(b)]
  if (left === right) return a.id < b.id ? -step : step
  return left < right ? -step : step
}
