/** Stage 1 of sending: which address on which channel a recipient stands for, and which inbox sends to it. */
import { loadContacts } from '../../contacts/contact-views.ts'
import { findContact } from '../../contacts/contacts.ts'
import { canonicalPhone } from '../../contacts/identities/phones.ts'
import { InboxNotFound } from '../../inboxes/errors.ts'
import { getCachedInbox, type InboxRow } from '../../inboxes/inboxes.ts'
import type { Channel } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { canSee } from '../access.ts'
import { loadConversationByAddress } from '../conversations.ts'
import { RecipientNotFound } from '../errors.ts'
import type { ChannelCounterpart } from '../merging/merge-conversations.ts'
import type { Recipient } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'

export async function resolveRecipient(
  deps: Deps,
  caller: Caller,
  recipient: Exclude<Recipient, { type: 'conversation' }>,
  inbox: InboxRow | undefined,
): Promise<ChannelCounterpart> {
  if (recipient.type === 'phone') {
    if (inbox && !hasPhones(inbox.channel))
      invalid(
        violation(
          'recipient.type',
          'unsupported',
          `must not be phone: ${inbox.channel} has no phone numbers`,
        ),
      )
    const externalId = canonicalPhone(recipient.phoneNumber) ?? invalidPhone('recipient.phoneNumber')
    return { channel: inbox?.channel ?? 'chatapp', externalId }
  }
  if (recipient.type === 'channel') {
    const { channel, externalId } = recipient
    return { channel, externalId: toAddress(channel, externalId, 'recipient.externalId') }
  }
  return resolveContact(deps, caller, recipient.contactId, recipient.channel ?? inbox?.channel)
}

const hasPhones = (channel: Channel): boolean => channel === 'chatapp' || channel === 'sms'

/** The format of the chat provider's user ids. */
const chatappUserId = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/

/** Returns the one spelling of an address on a channel; a phone number may lack its plus. */
function toAddress(channel: Channel, text: string, field: string): string {
  if (channel === 'webchat') return toVisitorAddress(text, field)
  const address = text.normalize('NFKC').trim()
  if (channel === 'socialapp')
    return /^[\w.:-]+$/.test(address)
      ? address
      : invalid(violation(field, 'invalid_address', "must be the provider's id of the user"))
  if (channel === 'chatapp' && chatappUserId.test(address)) return address
  const phone = address.startsWith('+') ? address : `+${address.replace(/^00/, '')}`
  return canonicalPhone(phone) ?? invalidPhone(field)
}

/** A visitor cannot be reached before it has written, or the site has identified it. */
function toVisitorAddress(text: string, field: string): string {
  return /^(wcv_[0-9a-z]{26}|user:.+)$/.test(text)
    ? text
    : invalid(
        violation(field, 'invalid_address', 'must be the id of a visitor, or user: and its id at the site'),
      )
}

function invalidPhone(field: string): never {
  invalid(
    violation(field, 'invalid_phone', 'must be a phone number with its country code, such as +14155550100'),
  )
}

async function resolveContact(
  deps: Deps,
  caller: Caller,
  contactId: string,
  requested: Channel | undefined,
): Promise<ChannelCounterpart> {
  const id = await findContact(deps.db, caller, contactId).catch(() => fail(RecipientNotFound))
  const [contact] = await loadContacts(deps.db, caller.tenantId, [id])
  const identities = contact?.identities ?? []
  const phone = identities.map(identity => identity.externalId).find(address => address.startsWith('+'))
  const channel = requested ?? identities[0]?.channel
  if (!channel) invalid(violation('recipient.contactId', 'no_identity', 'has no address on any channel'))
  const own = identities.find(identity => identity.channel === channel)?.externalId
  const externalId = hasPhones(channel) ? (phone ?? own) : own
  if (!externalId) invalid(violation('recipient.contactId', 'no_identity', `has no address on ${channel}`))
  return { channel, externalId, ...(contact?.name ? { name: contact.name } : {}) }
}

/** Finds the conversation with the recipient. An agent who may not see it gets the same 404 as for an unknown recipient. */
export async function findExisting(
  deps: Deps,
  caller: Caller,
  { channel, externalId }: ChannelCounterpart,
): Promise<ConversationRow | undefined> {
  const key = { tenantId: caller.tenantId, channel, address: externalId }
  const row = await loadConversationByAddress(deps.db, key)
  return row && !canSee(caller, row) ? fail(RecipientNotFound) : row
}

export async function findRequestedInbox(
  deps: Deps,
  { tenantId }: Caller,
  inboxId: string | undefined,
): Promise<InboxRow | undefined> {
  if (inboxId === undefined) return undefined
  return (await getCachedInbox(deps, { tenantId, inboxId })) ?? fail(InboxNotFound)
}

/** Returns the inbox that was requested, else the one of the conversation's latest session. */
export async function resolveInbox(
  deps: Deps,
  caller: Caller,
  row: ConversationRow,
  requested: InboxRow | undefined,
): Promise<InboxRow> {
  const inbox = requested ?? (await getCachedInbox(deps, { tenantId: caller.tenantId, inboxId: row.inboxId }))
  return (
    inbox ??
    invalid(violation('inboxId', 'required', 'is required: the inbox of this conversation was deleted'))
  )
}
