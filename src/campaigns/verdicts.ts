/** Who of the next in line is written to, and what they are told; or why they are left out. */
import { type FieldBook, namedValues } from '../contacts/fields.ts'
import { mayCarry } from '../conversations/window.ts'
import type { SendableContent } from '../inboxes/content.ts'
import type { InboxRow } from '../inboxes/inboxes.ts'
import type { Clock } from '../platform/clock.ts'
import { type Person, personalise } from './personalisation.ts'
import type { SkipReason } from './schemas.ts'
import type { Candidate } from './store/candidates.ts'

export interface Rules {
  inbox: InboxRow
  content: SendableContent
  book: FieldBook
  /** The sandbox: everybody's window is open. */
  alwaysOpen: boolean
  clock: Clock
}

type Decision = { content: SendableContent; address: string; contactId: string } | { reason: SkipReason }

export interface Decided {
  candidate: Candidate
  decision: Decision
}

/** One after the other, until so many are written to. Two who were merged into one are that one, once. */
export function decideAll(candidates: readonly Candidate[], rules: Rules, most: number): Decided[] {
  const seen = new Set<string>()
  const decided: Decided[] = []
  let room = most
  for (const candidate of candidates) {
    if (room === 0) break
    const repeated = candidate.repeated || seen.has(candidate.contactId ?? '')
    if (candidate.contactId) seen.add(candidate.contactId)
    const decision = decide({ ...candidate, repeated }, rules)
    if (!('reason' in decision)) room--
    decided.push({ candidate, decision })
  }
  return decided
}

/** In the order of an estimate: the first reason that holds is the one that is told. */
function decide(candidate: Candidate, rules: Rules): Decision {
  const { contactId, address } = candidate
  // Deleted, or told in another row of the ledger: there is nobody here any more.
  if (contactId === null || candidate.repeated || candidate.archived) return { reason: 'archived' }
  if (candidate.optedOut) return { reason: 'opted_out' }
  if (address === null) return { reason: 'no_identity' }
  if (!windowAllows(candidate, rules)) return { reason: 'window_closed' }
  const { content, missing } = personalise(rules.content, personOf(candidate, contactId, rules.book))
  return missing.length > 0 ? { reason: 'missing_parameter' } : { content, address, contactId }
}

function windowAllows({ lastCustomerAt }: Candidate, { inbox, content, alwaysOpen, clock }: Rules): boolean {
  const state = {
    channel: inbox.channel,
    lastCustomerAt,
    alwaysOpen,
    optedOut: false,
    inboxActive: true,
    ownedByUser: false,
  }
  return mayCarry(state, content.type, false, clock.now())
}

function personOf({ name, fields, phone }: Candidate, id: string, book: FieldBook): Person {
  return { id, name, email: fields.cf_email ?? null, phone, customFields: namedValues(book, fields) }
}
