/** Checks which recipients are eligible and builds their content, or returns the reason to skip them. */
import { type FieldDefinitions, toValuesByName } from '../../contacts/tags-and-fields/custom-fields.ts'
import { isContentAllowed } from '../../conversations/outbound/messaging-window.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import type { InboxRow } from '../../inboxes/inboxes.ts'
import type { Clock } from '../../platform/clock.ts'
import { personalise, type RecipientValues } from '../personalisation.ts'
import type { SkipReason } from '../schemas.ts'
import type { Candidate } from '../store/candidates.ts'

export interface EligibilityContext {
  inbox: InboxRow
  content: SendableContent
  book: FieldDefinitions
  /** The sandbox: every messaging window is open. */
  alwaysOpen: boolean
  clock: Clock
}

type Eligibility = { content: SendableContent; address: string; contactId: string } | { reason: SkipReason }

export interface CheckedRecipient {
  candidate: Candidate
  eligibility: Eligibility
}

/** Checks candidates in order until `maxMessages` are eligible. Contacts that were merged count once. */
export function checkRecipients(
  candidates: readonly Candidate[],
  rules: EligibilityContext,
  most: number,
): CheckedRecipient[] {
  const seen = new Set<string>()
  const decided: CheckedRecipient[] = []
  let room = most
  for (const candidate of candidates) {
    if (room === 0) break
    const repeated = candidate.isDuplicate || seen.has(candidate.contactId ?? '')
    if (candidate.contactId) seen.add(candidate.contactId)
    const decision = checkRecipient({ ...candidate, isDuplicate: repeated }, rules)
    if (!('reason' in decision)) room--
    decided.push({ candidate, eligibility: decision })
  }
  return decided
}

/** Returns the first reason that applies, in the same order as the estimate. */
function checkRecipient(candidate: Candidate, rules: EligibilityContext): Eligibility {
  const { contactId, address } = candidate
  // Deleted, or merged into a contact that is another recipient.
  if (contactId === null || candidate.isDuplicate || candidate.archived) return { reason: 'archived' }
  if (candidate.optedOut) return { reason: 'opted_out' }
  if (address === null) return { reason: 'no_identity' }
  if (!isWindowOpen(candidate, rules)) return { reason: 'window_closed' }
  const { content, missing } = personalise(rules.content, toRecipientValues(candidate, contactId, rules.book))
  return missing.length > 0 ? { reason: 'missing_parameter' } : { content, address, contactId }
}

function isWindowOpen(
  { lastCustomerAt }: Candidate,
  { inbox, content, alwaysOpen, clock }: EligibilityContext,
): boolean {
  const state = {
    channel: inbox.channel,
    lastCustomerAt,
    alwaysOpen,
    optedOut: false,
    inboxActive: true,
    ownedByUser: false,
  }
  return isContentAllowed(state, content.type, false, clock.now())
}

function toRecipientValues(
  { name, fields, phone }: Candidate,
  id: string,
  book: FieldDefinitions,
): RecipientValues {
  return { id, name, email: fields.cf_email ?? null, phone, customFields: toValuesByName(book, fields) }
}
