import { ContactId } from '../../src/contacts/schemas.ts'
/**
 * Queries of the benchmark: every kind of condition in four variants (common, rare, absent, old), each with hand-written
 * SQL on the same tables.
 */

export const distributions = ['common', 'rare', 'absent', 'old'] as const
export type Distribution = (typeof distributions)[number]

export interface CaseKind {
  condition: Record<string, unknown>
  /** Predicates on c (contacts) and a (contact_activity), with alternatives. */
  byHand: string[]
}

/** `t` is the suffix of the workspace's tag and field ids. */
type Kind = (t: string) => Partial<Record<Distribution, CaseKind>>

function searchText(text: string): CaseKind {
  return { condition: { type: 'searchText', text }, byHand: [`c.search like '%${text}%'`] }
}

function tagged(tag: string): CaseKind {
  const select = `select contact_id from contact_tags where tenant_id = $1 and tag_id = '${tag}'`
  return { condition: { type: 'hasAnyTag', tagIds: [tag] }, byHand: [`c.id in (${select})`] }
}

function onChannel(channel: string): CaseKind {
  const select = `select contact_id from contact_identities where tenant_id = $1 and channel = '${channel}' and not reserved`
  return { condition: { type: 'hasAnyChannel', channels: [channel] }, byHand: [`c.id in (${select})`] }
}

function created(period: { after?: string; before?: string }): CaseKind {
  const { after, before } = period
  const parts = [
    after && `c.id >= '${ContactId.firstAt(after)}'`,
    before && `c.id < '${ContactId.firstAt(before)}'`,
  ]
  return { condition: { type: 'createdAt', ...period }, byHand: [parts.filter(Boolean).join(' and ')] }
}

function moment(type: string, column: string, period: { after?: string; before?: string }): CaseKind {
  const { after, before } = period
  const parts = [
    after && `a.${column} >= '${after}'`,
    before && `a.${column} < '${before}' and a.${column} > '-infinity'`,
  ]
  return { condition: { type, ...period }, byHand: [parts.filter(Boolean).join(' and ')] }
}

const signs = { gte: '>=', eq: '=', lte: '<=' }

function chats(operator: keyof typeof signs, value: number, windowDays?: number): CaseKind {
  const condition = { type: 'chatCount', operator, value, ...(windowDays ? { windowDays } : {}) }
  if (!windowDays)
    return { condition, byHand: [`a.chat_count ${signs[operator]} ${value} and a.chat_count > 0`] }
  const since = `(timestamptz '$NOW' - interval '${windowDays} days')`
  return {
    condition,
    byHand: [
      `c.id in (select contact_id from contact_chats where tenant_id = $1 and at >= ${since}
        group by contact_id having count(*) ${signs[operator]} ${value})`,
      `(select count(*) from contact_chats h where h.tenant_id = $1 and h.contact_id = c.id and h.at >= ${since})
        ${signs[operator]} ${value}`,
    ],
  }
}

function text(fieldId: string, operator: string, value: string): CaseKind {
  const text = value.toLowerCase()
  const stored = `(c.search_values ->> '${fieldId}')`
  const select = `select contact_id from contact_field_values where tenant_id = $1 and field_id = '${fieldId}'`
  const byHand: Record<string, string[]> = {
    equals: [`c.id in (${select} and key = '${text}')`, `${stored} = '${text}'`],
    startsWith: [
      `c.id in (${select} and key >= '${text}' and key < '${text}~')`,
      `${stored} like '${text}%'`,
    ],
    contains: [`c.field_text like '%${text}%' and ${stored} like '%${text}%'`],
    isSet: [`c.id in (${select})`, `${stored} is not null`],
    notEquals: [`${stored} is distinct from '${text}'`],
    isNotSet: [`${stored} is null`],
  }
  return {
    condition: { type: 'customFieldText', fieldId, operator, ...(value ? { value } : {}) },
    byHand: byHand[operator]!,
  }
}

function date(fieldId: string, operator: string, value: string | number, from: string, to: string): CaseKind {
  const select = `select contact_id from contact_field_values where tenant_id = $1 and field_id = '${fieldId}'`
  return {
    condition: { type: 'customFieldDate', fieldId, operator, value },
    byHand: [
      `c.id in (${select} and key >= '${from}' and key < '${to}')`,
      `(c.search_values ->> '${fieldId}') collate "C" >= '${from}' and (c.search_values ->> '${fieldId}') collate "C" < '${to}'`,
    ],
  }
}

export const kinds: Record<string, Kind> = {
  searchText: () => ({
    common: searchText('common'),
    rare: searchText('seldom'),
    absent: searchText('zzqqzz'),
    old: searchText('bygone'),
  }),
  hasAnyTag: t => ({
    common: tagged(`tag_common${t}`),
    rare: tagged(`tag_rare${t}`),
    absent: tagged(`tag_absent${t}`),
    old: tagged(`tag_old${t}`),
  }),
  hasAnyChannel: () => ({
    common: onChannel('chatapp'),
    rare: onChannel('socialapp'),
    old: onChannel('sms'),
  }),
  createdAt: () => ({
    common: created({ after: '2025-06-15T12:00:00.000Z' }),
    rare: created({ after: '2026-06-15T11:30:00.000Z' }),
    absent: created({ after: '2026-06-16T00:00:00.000Z' }),
    old: created({ before: '2023-09-15T00:00:00.000Z' }),
  }),
  firstSeen: () => ({
    common: moment('firstSeen', 'first_seen_at', { after: '2023-12-01T00:00:00.000Z' }),
    rare: moment('firstSeen', 'first_seen_at', { after: '2026-06-12T00:00:00.000Z' }),
    absent: moment('firstSeen', 'first_seen_at', { before: '2020-01-01T00:00:00.000Z' }),
    old: moment('firstSeen', 'first_seen_at', { before: '2023-09-15T00:00:00.000Z' }),
  }),
  lastInteraction: () => ({
    common: moment('lastInteraction', 'last_interaction_at', { after: '2025-01-01T00:00:00.000Z' }),
    rare: moment('lastInteraction', 'last_interaction_at', { after: '2026-06-12T00:00:00.000Z' }),
    absent: moment('lastInteraction', 'last_interaction_at', { before: '2020-01-01T00:00:00.000Z' }),
    old: moment('lastInteraction', 'last_interaction_at', { before: '2023-09-15T00:00:00.000Z' }),
  }),
  chatCount: () => ({
    common: chats('gte', 1),
    rare: chats('gte', 30),
    absent: chats('gte', 99),
    old: chats('eq', 12),
  }),
  chatCountInWindow: () => ({
    common: chats('gte', 1, 365),
    rare: chats('gte', 20, 30),
    absent: chats('gte', 99, 30),
    old: chats('gte', 9, 1_200),
  }),
  textEquals: t => ({
    common: text(`cf_plan${t}`, 'equals', 'Gold'),
    rare: text(`cf_plan${t}`, 'equals', 'Platinum'),
    absent: text(`cf_plan${t}`, 'equals', 'Copper'),
    old: text(`cf_plan${t}`, 'equals', 'Legacy'),
  }),
  textContains: t => ({
    common: text(`cf_note${t}`, 'contains', 'the fair'),
    rare: text(`cf_note${t}`, 'contains', 'zeppelin'),
    absent: text(`cf_note${t}`, 'contains', 'quagga'),
    old: text(`cf_note${t}`, 'contains', 'archive'),
  }),
  textStartsWith: t => ({
    common: text(`cf_note${t}`, 'startsWith', 'met at'),
    rare: text(`cf_note${t}`, 'startsWith', 'asked'),
    absent: text(`cf_note${t}`, 'startsWith', 'quagga'),
    old: text(`cf_note${t}`, 'startsWith', 'moved'),
  }),
  textIsSet: t => ({ common: text(`cf_note${t}`, 'isSet', '') }),
  textNotEquals: t => ({ common: text(`cf_plan${t}`, 'notEquals', 'Basic') }),
  textIsNotSet: t => ({ common: text(`cf_note${t}`, 'isNotSet', '') }),
  date: t => ({
    common: date(`cf_due${t}`, 'withinNextDays', 180, '2026-06-15T00:00:00.000Z', '2026-12-13T00:00:00.000Z'),
    rare: date(`cf_due${t}`, 'after', '2030-01-01', '2030-01-02T00:00:00.000Z', '~'),
    absent: date(`cf_due${t}`, 'on', '2027-07-07', '2027-07-07T00:00:00.000Z', '2027-07-08T00:00:00.000Z'),
    old: date(`cf_due${t}`, 'before', '2020-01-01', '0', '2020-01-01T00:00:00.000Z'),
  }),
  archiveStatus: () => ({
    rare: { condition: { type: 'archiveStatus', status: 'archived' }, byHand: ['c.archived_at is not null'] },
  }),
}

export interface SearchCase {
  name: string
  way: string
  asks: CaseKind[]
}

/** Combines conditions in pairs: each pair of kinds in the distinguishable variants. */
const pairs: [Distribution, Distribution][] = [
  ['common', 'common'],
  ['common', 'rare'],
  ['rare', 'common'],
  ['common', 'absent'],
  ['old', 'common'],
  ['old', 'old'],
]
const paired = [
  'searchText',
  'hasAnyTag',
  'hasAnyChannel',
  'createdAt',
  'firstSeen',
  'lastInteraction',
  'chatCount',
  'chatCountInWindow',
  'textEquals',
  'textContains',
  'date',
  'archiveStatus',
]

export function buildQueries(tenant: string): SearchCase[] {
  const t = `_${tenant}`
  const alone = Object.entries(kinds).flatMap(([name, kind]) =>
    Object.entries(kind(t)).map(([way, ask]) => ({ name, way, asks: [ask] })),
  )
  const together = paired.flatMap((one, i) =>
    paired.slice(i + 1).flatMap(other =>
      pairs.flatMap(([first, second]) => {
        const [a, b] = [kinds[one]!(t)[first], kinds[other]!(t)[second]]
        return a && b ? [{ name: `${one}+${other}`, way: `${first}+${second}`, asks: [a, b] }] : []
      }),
    ),
  )
  return [...alone, ...together]
}
