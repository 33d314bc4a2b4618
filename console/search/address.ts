/** The search in the address: an address restores the text and the filter. */
import { getSignedIn } from '../api/session.ts'
import { addDays, parseDate, toInstant } from '../reports/range.ts'

export const types = ['message', 'note'] as const
const messageSenders = ['customer', 'user', 'bot', 'journey', 'campaign', 'service'] as const
const noteSenders = ['user', 'service'] as const
export type Sender = (typeof messageSenders)[number]

export type SearchAddress = Partial<Record<'q' | 'type' | 'inbox' | 'sender' | 'from' | 'to', string>>

export const listSenders = (type: (typeof types)[number]): readonly Sender[] =>
  type === 'note' ? noteSenders : messageSenders

/** Values that the service would refuse are left out. */
export function parseAddress({ q = '', type, inbox, sender, from, to }: SearchAddress) {
  const searched = types.find(item => item === type) ?? 'message'
  return {
    q: q.trim().slice(0, 200),
    type: searched,
    inbox: inbox && getSignedIn().inboxes.has(inbox) ? inbox : undefined,
    sender: listSenders(searched).find(item => item === sender),
    from: parseDate(from),
    to: parseDate(to),
  }
}

export type Search = ReturnType<typeof parseAddress>

export const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text)
export const isReversed = ({ from, to }: Search) => from !== undefined && to !== undefined && from > to
export const isFiltered = ({ type, inbox, sender, from, to }: Search) =>
  type !== 'message' || [inbox, sender, from, to].some(Boolean)

/** Days are those of the workspace, both included. */
export function toQuery({ q, type, inbox, sender, from, to }: Search) {
  const { timezone } = getSignedIn().workspace
  return {
    q,
    type,
    ...(inbox ? { inboxId: inbox } : {}),
    ...(sender ? { senderType: sender } : {}),
    ...(from ? { after: toInstant(from, timezone) } : {}),
    ...(to ? { before: toInstant(addDays(to, 1), timezone) } : {}),
  }
}
