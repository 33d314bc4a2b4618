/** Checks which recipients are eligible and builds their content, or returns the reason to skip them. */
import { type FieldDefinitions, toValuesByName } from '../../contacts/tags-and-fields/custom-fields.ts'
import { findSendBlock, type SendTerms } from '../../conversations/outbound/send-policy.ts'
import type { SendableContent } from '../../inboxes/content.ts'
import type { InboxRow } from '../../inboxes/inboxes.ts'
import type { Deps } from '../../platform/deps.ts'
import { personalise, type RecipientValues } from '../personalisation.ts'
import type { SkipReason } from '../schemas.ts'
import type { Candidate } from '../store/candidates.ts'

export interface EligibilityContext {
  content: SendableContent
  terms: SendTerms
  fieldDefinitions: FieldDefinitions
}

/** `alwaysOpen` is true for the lenient sandbox, where every messaging window is open. */
export function buildTerms(
  { channels, clock }: Pick<Deps, 'channels' | 'clock'>,
  { channel }: InboxRow,
  content: SendableContent,
): SendTerms {
  const alwaysOpen = channels[channel].isLenient
  return { channel, contentType: content.type, byUser: false, alwaysOpen, now: clock.now() }
}

type Eligibility = { content: SendableContent; address: string; contactId: string } | { reason: SkipReason }

export interface CheckedRecipient {
  candidate: Candidate
  eligibility: Eligibility
}

/** Checks candidates in order until `maxMessages` are eligible. Contacts that were merged count once. */
export function checkRecipients(
  candidates: readonly Candidate[],
  context: EligibilityContext,
  maxMessages: number,
): CheckedRecipient[] {
  const seen = new Set<string>()
  const checked: CheckedRecipient[] = []
  let remaining = maxMessages
  for (const candidate of candidates) {
    if (remaining === 0) break
    const isDuplicate = candidate.isDuplicate || seen.has(candidate.contactId ?? '')
    if (candidate.contactId) seen.add(candidate.contactId)
    const eligibility = checkRecipient({ ...candidate, isDuplicate }, context)
    if (!('reason' in eligibility)) remaining--
    checked.push({ candidate, eligibility })
  }
  return checked
}

/** Returns the first reason that applies, in the same order as the estimate. */
function checkRecipient(candidate: Candidate, context: EligibilityContext): Eligibility {
  const { contactId, address, isDuplicate, archived, optedOut, lastCustomerAt } = candidate
  // Deleted, or merged into a contact that is another recipient.
  if (contactId === null || isDuplicate) return { reason: 'archived' }
  const facts = { isArchived: archived, isOptedOut: optedOut, hasAddress: address !== null, lastCustomerAt }
  const block = findSendBlock(facts, context.terms)
  if (block || address === null) return { reason: block ?? 'no_identity' }
  const values = toRecipientValues(candidate, contactId, context.fieldDefinitions)
  const { content, missing } = personalise(context.content, values)
  return missing.length > 0 ? { reason: 'missing_parameter' } : { content, address, contactId }
}

function toRecipientValues(
  { name, fields, phone }: Candidate,
  id: string,
  definitions: FieldDefinitions,
): RecipientValues {
  return {
    id,
    name,
    email: fields.cf_email ?? null,
    phone,
    customFields: toValuesByName(definitions, fields),
  }
}
