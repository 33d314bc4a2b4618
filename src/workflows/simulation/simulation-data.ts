/** Creates the data of a simulation within its transaction: a contact, and for a bot a conversation assigned to it. */
import { createContact, editContact, findContact } from '../../contacts/contacts.ts'
import { findIdentity, listIdentities } from '../../contacts/identities.ts'
import { setOptOut } from '../../contacts/opt-outs.ts'
import { addTags, lockTags } from '../../contacts/tags-and-fields/tags.ts'
import {
  assignOwner,
  findConversation,
  findLatestConversation,
  touchMessagingWindow,
} from '../../conversations/conversations.ts'
import { openConversation } from '../../conversations/open-conversations.ts'
import { type Message, MessageId } from '../../conversations/schemas.ts'
import { type InboxRow, insertInbox, listInboxes } from '../../inboxes/inboxes.ts'
import { InboxId } from '../../inboxes/schemas.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { getEntryConfig } from '../definition/definition.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import type { SimulationRequest } from './schemas.ts'

export interface SimulationContext {
  tenantId: string
  contactId: string
  conversationId: string | null
  sessionId: string | null
}

export async function createSimulationContext(
  tx: Tx,
  caller: Caller,
  { id, kind, definition }: Pick<WorkflowRow, 'id' | 'kind' | 'definition'>,
  request: SimulationRequest,
): Promise<SimulationContext> {
  const { tenantId } = caller
  const contactId = await resolveContact(tx, caller, request)
  await applyFacts(tx, caller, contactId, request)
  if (kind === 'journey') {
    const { triggerConfig } = getEntryConfig(kind, definition)
    const needsConversation = /^(conversation_|message_|campaign_replied)/.test(triggerConfig?.type ?? '')
    const row = needsConversation
      ? ((await findLatestConversation(tx, tenantId, contactId)) ??
        (await openSimulationConversation(tx, tenantId, contactId)))
      : undefined
    return { tenantId, contactId, conversationId: row?.id ?? null, sessionId: null }
  }
  const opened =
    (await openSimulationConversation(tx, tenantId, contactId)) ??
    invalid(violation('contactId', 'no_identity', 'must be a contact with an address on a channel'))
  await assignOwner(tx, tenantId, opened, { type: 'bot', id })
  const row = (await findConversation(tx, tenantId, opened.id))!
  await touchMessagingWindow(tx, tenantId, row.id)
  return { tenantId, contactId: row.contactId, conversationId: row.id, sessionId: row.sessionId }
}

/** Applies tags, fields, opt-outs and the window of the request to the contact. */
async function applyFacts(
  tx: Tx,
  caller: Caller,
  contactId: string,
  { tagIds = [], customFields, optOuts = [], window }: SimulationRequest,
): Promise<void> {
  const { tenantId } = caller
  const existing = await lockTags(tx, tenantId, tagIds)
  const unknown = tagIds.findIndex(id => !existing.has(id))
  if (unknown >= 0) invalid(violation(`tagIds[${unknown}]`, 'unknown_tag', 'is not a tag of this workspace'))
  if (tagIds.length > 0)
    await addTags(
      tx,
      tenantId,
      tagIds.map(tagId => ({ contactId, tagId })),
    )
  if (customFields) await editContact(tx, caller, contactId, { customFields })
  for (const channel of optOuts) await setOptOut(tx, tenantId, contactId, channel, true)
  const latest = window === 'closed' ? await findLatestConversation(tx, tenantId, contactId) : undefined
  const longAgo = new Date(Date.parse(tx.now) - closedForMs).toISOString()
  if (latest) await touchMessagingWindow(Object.create(tx, { now: { value: longAgo } }), tenantId, latest.id)
}

/** Longer than the window of any channel. */
const closedForMs = 30 * 86_400_000

/** Returns undefined if the contact has no address. */
async function openSimulationConversation(tx: Tx, tenantId: string, contactId: string) {
  const [identity] = await listIdentities(tx, tenantId, contactId)
  if (!identity) return undefined
  const { channel, externalId } = identity
  const inbox =
    (await listInboxes(tx, tenantId)).find(row => row.channel === channel) ??
    (await insertSimulationInbox(tx, tenantId, channel))
  return openConversation(tx, tenantId, { externalId }, inbox)
}

async function resolveContact(tx: Tx, caller: Caller, request: SimulationRequest): Promise<string> {
  const { contactId, contact } = request
  if (contactId !== undefined && contact !== undefined)
    invalid(violation('contact', 'conflict', 'must not be set together with contactId'))
  if (contactId !== undefined) return findContact(tx, caller, contactId)
  const phone = contact?.phone ?? (await findFreePhone(tx, caller.tenantId))
  return (await createContact(tx, caller, { name: 'Test contact', ...contact, phone })).id
}

/** Returns one of the phone numbers that are reserved for fiction. */
async function findFreePhone(tx: Tx, tenantId: string): Promise<string> {
  for (let n = 100; n < 200; n++) {
    const phone = `+12025550${n}`
    if (!(await findIdentity(tx, tenantId, 'chatapp', phone))) return phone
  }
  return invalid(violation('contact', 'required', 'no test phone number is free; provide contact.phone'))
}

function insertSimulationInbox(tx: Tx, tenantId: string, channel: Channel): Promise<InboxRow> {
  const id = InboxId.create()
  return insertInbox(tx, {
    tenantId,
    id,
    channel,
    externalId: id,
    resourceId: id,
    name: 'Simulation',
    config: { phoneNumberId: id, wabaId: id, displayPhoneNumber: '' },
    rate: null,
    createdBy: '',
    credential: null,
  })
}

/** Builds the message of the customer as the engine would receive it. */
export async function buildMessage(
  tx: Tx,
  { tenantId, contactId, conversationId }: SimulationContext,
  { message, replyId }: { message?: string; replyId?: string },
): Promise<Message> {
  if (conversationId) await touchMessagingWindow(tx, tenantId, conversationId)
  return {
    id: MessageId.create(),
    createdAt: tx.now,
    updatedAt: tx.now,
    tenantId,
    conversationId: conversationId ?? '',
    senderType: 'customer',
    senderId: contactId,
    content:
      replyId === undefined
        ? { type: 'text', text: { body: message ?? '' } }
        : { type: 'reply', reply: { id: replyId, title: message ?? replyId } },
    deliveryStatus: 'received',
  }
}
