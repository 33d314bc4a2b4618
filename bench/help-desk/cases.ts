/**
 * The lists, counts and searches of the benchmark, each with the best SQL that we know for it, written by hand on the same
 * tables. `$1` is the workspace, `$2` the user.
 */
import { createHash } from 'node:crypto'
import { parseTerms, toMonth, toTsquery } from '../../src/conversations/search/words.ts'
import { rareWord, toContactId, toInboxId, toLabelId, toTeamId, toUserId, toWord } from './fill.ts'

export type Role = 'owner' | 'agent'

export interface ListCase {
  name: string
  filter: Record<string, unknown>
  sort?: { field: string; direction?: string }
  /** Predicate on `s` (conversation_states) and `c` (conversations). */
  where: string
  /** Column of the order; the last message without it. */
  order?: string
}

const unread = `s.status = 'open' and s.customer_count > 0 and (s.owner_type is null
  or (s.owner_type = 'user' and s.owner_id = $2) or (s.owner_type = 'team' and s.owner_id = '${toTeamId(2)}')) and s.customer_count > coalesce((select r.customer_position
    from read_cursors r where r.tenant_id = $1 and r.user_id = $2 and r.conversation_id = s.conversation_id), 0)`
const open = { status: ['open'] }
const isOpen = `s.status = 'open'`

/** `now` is the end of the data, `size` the number of conversations. */
export function buildLists(now: Date, size: number): ListCase[] {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
  const [label, rareLabel] = [toLabelId(7), toLabelId(0)]
  return [
    { name: 'all', filter: {}, where: 'true' },
    { name: 'open', filter: open, where: isOpen },
    { name: 'closed', filter: { status: ['closed'] }, where: `s.status = 'closed'` },
    { name: 'mine', filter: { ...open, ownerId: 'me' }, where: `${isOpen} and s.owner_id = $2` },
    { name: 'unassigned', filter: { ...open, ownerId: 'none' }, where: `${isOpen} and s.owner_id is null` },
    { name: 'owner', filter: { ownerId: toUserId(5) }, where: `s.owner_id = '${toUserId(5)}'` },
    {
      name: 'owner type team',
      filter: { ...open, ownerType: ['team'] },
      where: `${isOpen} and s.owner_type = 'team'`,
    },
    {
      name: 'team',
      filter: { ...open, teamId: toTeamId(2) },
      where: `${isOpen} and s.team_id = '${toTeamId(2)}'`,
    },
    { name: 'no team', filter: { ...open, teamId: 'none' }, where: `${isOpen} and s.team_id is null` },
    {
      name: 'inbox',
      filter: { ...open, inboxId: toInboxId(9) },
      where: `${isOpen} and s.inbox_id = '${toInboxId(9)}'`,
    },
    {
      name: 'rare inbox',
      filter: { ...open, inboxId: toInboxId(0) },
      where: `${isOpen} and s.inbox_id = '${toInboxId(0)}'`,
    },
    { name: 'channel', filter: { ...open, channel: ['sms'] }, where: `${isOpen} and c.channel = 'sms'` },
    {
      name: 'label',
      filter: { ...open, labelIds: [label] },
      where: `${isOpen} and s.label_ids @> array['${label}']`,
    },
    { name: 'rare label', filter: { labelIds: [rareLabel] }, where: `s.label_ids @> array['${rareLabel}']` },
    {
      name: 'label and owner',
      filter: { labelIds: [label], ownerId: toUserId(5) },
      where: `s.owner_id = '${toUserId(5)}' and s.label_ids @> array['${label}']`,
    },
    {
      name: 'priority',
      filter: { ...open, priority: ['urgent', 'high'] },
      where: `${isOpen} and s.priority >= 3`,
    },
    { name: 'snoozed', filter: { snoozed: true }, where: 's.snoozed' },
    { name: 'not snoozed', filter: { ...open, snoozed: false }, where: `${isOpen} and not s.snoozed` },
    { name: 'unread', filter: { unread: true }, where: unread },
    { name: 'read', filter: { ...open, unread: false }, where: `${isOpen} and not (${unread})` },
    { name: 'waiting', filter: { waiting: true }, where: 's.waiting_since is not null' },
    {
      name: 'waiting, longest first',
      filter: { waiting: true },
      sort: { field: 'waitingSince' },
      where: 's.waiting_since is not null',
      order: 's.waiting_since asc, s.conversation_id asc',
    },
    {
      name: 'waiting in a team, longest first',
      filter: { ...open, teamId: toTeamId(2) },
      sort: { field: 'waitingSince' },
      where: `s.waiting_since is not null and ${isOpen} and s.team_id = '${toTeamId(2)}'`,
      order: 's.waiting_since asc, s.conversation_id asc',
    },
    {
      name: 'no customer wrote',
      filter: { ...open, interacted: false },
      where: `${isOpen} and s.customer_count = 0`,
    },
    { name: 'contact', filter: { contactId: toContactId(77) }, where: `c.contact_id = '${toContactId(77)}'` },
    { name: 'name', filter: { search: toName(11) }, where: `c.search like '%${toName(11)}%'` },
    { name: 'common name', filter: { search: 'person' }, where: `c.search like '%person%'` },
    {
      name: 'phone number',
      filter: { search: String(5_000_000 + Math.floor(size / 2)) },
      where: `c.search like '%${5_000_000 + Math.floor(size / 2)}%'`,
    },
    {
      name: 'name, open',
      filter: { ...open, search: toName(11) },
      where: `${isOpen} and c.search like '%${toName(11)}%'`,
    },
    {
      name: 'created this week',
      filter: { createdAfter: daysAgo(7) },
      where: `c.created_at >= '${daysAgo(7)}'`,
    },
    {
      name: 'created long ago, open',
      filter: { ...open, createdBefore: daysAgo(350) },
      where: `${isOpen} and c.created_at < '${daysAgo(350)}'`,
    },
    { name: 'updated today', filter: { updatedAfter: daysAgo(1) }, where: `s.updated_at >= '${daysAgo(1)}'` },
    {
      name: 'updated today, by name',
      filter: { updatedAfter: daysAgo(1) },
      sort: { field: 'name', direction: 'asc' },
      where: `s.updated_at >= '${daysAgo(1)}'`,
      order: 'c.search asc, c.id asc',
    },
    {
      name: 'updated this year, by name',
      filter: { updatedAfter: daysAgo(300) },
      sort: { field: 'name', direction: 'asc' },
      where: `s.updated_at >= '${daysAgo(300)}'`,
      order: 'c.search asc, c.id asc',
    },
    {
      name: 'by name',
      filter: open,
      sort: { field: 'name', direction: 'asc' },
      where: isOpen,
      order: 'c.search asc, c.id asc',
    },
    {
      name: 'by creation',
      filter: open,
      sort: { field: 'createdAt' },
      where: isOpen,
      order: 'c.created_at desc, c.id desc',
    },
    {
      name: 'by update',
      filter: open,
      sort: { field: 'updatedAt' },
      where: isOpen,
      order: 's.updated_at desc, s.conversation_id desc',
    },
  ]
}

/** A part of the names of one conversation in 5,000. */
const toName = (n: number) => createHash('md5').update(String(n)).digest('hex').slice(0, 8)

/** The other things that an agent sees. */
export const visibleToAgent = `(s.team_id is null or s.team_id = '${toTeamId(2)}' or (s.owner_type = 'user' and s.owner_id = $2))`

export interface SearchCase {
  name: string
  query: Record<string, string>
  /** Predicate on `m` (messages); true without it. */
  where?: string
}

export const searches: SearchCase[] = [
  { name: 'common word', query: { q: toWord(0) } },
  { name: 'frequent word', query: { q: toWord(50) } },
  { name: 'ordinary word', query: { q: toWord(2_000) } },
  { name: 'seldom word', query: { q: toWord(19_000) } },
  { name: 'rare word', query: { q: rareWord } },
  { name: 'absent word', query: { q: 'quagga' } },
  { name: 'beginning of a word', query: { q: rareWord.slice(0, 5) } },
  { name: 'two ordinary words', query: { q: `${toWord(200)} ${toWord(300)}` } },
  { name: 'common and rare word', query: { q: `${toWord(0)} ${rareWord}` } },
  {
    name: 'ordinary word of an inbox',
    query: { q: toWord(2_000), inboxId: toInboxId(9) },
    where: `m.inbox_id = '${toInboxId(9)}'`,
  },
  {
    name: 'frequent word of a rare inbox',
    query: { q: toWord(50), inboxId: toInboxId(0) },
    where: `m.inbox_id = '${toInboxId(0)}'`,
  },
  {
    name: 'ordinary word of customers',
    query: { q: toWord(2_000), senderType: 'customer' },
    where: `m.sender_type = 'customer'`,
  },
]

/** The query of all months that the data has. */
export function toWordsOfYear(tenantId: string, q: string, now: Date): string {
  const last = toMonth(now.toISOString())
  return Array.from({ length: 14 }, (_, n) => `(${toTsquery(tenantId, last - n, parseTerms(q))})`).join(' | ')
}
