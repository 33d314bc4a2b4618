/** Creates the data of a simulation within its transaction: a contact, and for a bot a conversation assigned to it. */
import { editContact, findContact, lockContact } from '../../contacts/contacts.ts'
import { createContact } from '../../contacts/create-contacts.ts'
import { findIdentity, listIdentities } from '../../contacts/identities/identities.ts'
import { setOptOut } from '../../contacts/opt-outs.ts'
import { addTags, lockTags } from '../../contacts/tags-and-fields/tags.ts'
import {
  assignOwner,
  findConversation,
  findLatestConversation,
  touchMessagingWindow,
} from '../../conversations/conversations.ts'
import { type ReceivedMessage, receiveMessage } from '../../conversations/inbound/receive-message.ts'
import { openConversation } from '../../conversations/opening/open-conversations.ts'
import { MessageId } from '../../conversations/schemas.ts'
import { type InboxRow, insertInbox, listInboxes } from '../../inboxes/inboxes.ts'
import { InboxId } from '../../inboxes/schemas.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import type { TriggerConfig } from '../triggers/trigger-type.ts'
import type { SimulationInput, SimulationRequest } from './schemas.ts'

export interface SimulationContext {
  tenantId: string
  contactId: string
  conversationId: string | null
  sessionId: string | null
}

export async function createSimulationContext(
  tx: Tx,
  caller: Caller,
  { kind, workflowId, trigger }: { kind: WorkflowKind; workflowId: string; trigger: TriggerConfig },
  request: SimulationRequest,
): Promise<SimulationContext> {
  const { tenantId } = caller
  const contactId = await resolveContact(tx, caller, request)
  // Contacts are locked before conversations.
  await lockContact(tx, tenantId, contactId)
  await applyFacts(tx, caller, contactId, request)
  if (request.window === 'closed') await closeWindow(tx, tenantId, contactId)
  if (kind === 'journey') {
    const needsConversation = /^(conversation_|message_|campaign_replied)/.test(trigger.type)
    const row = needsConversation
      ? ((await findLatestConversation(tx, tenantId, contactId)) ??
        (await openSimulationConversation(tx, tenantId, contactId)))
      : undefined
    return { tenantId, contactId, conversationId: row?.id ?? null, sessionId: null }
  }
  const opened =
    (await openSimulationConversation(tx, tenantId, contactId)) ??
    invalid(violation('contactId', 'no_identity', 'must be a contact with an address on a channel'))
  await assignOwner(tx, tenantId, opened, { type: 'bot', id: workflowId })
  const row = (await findConversation(tx, tenantId, opened.id))!
  await touchMessagingWindow(tx, tenantId, row.id)
  return { tenantId, contactId: row.contactId, conversationId: row.id, sessionId: row.sessionId }
}

/** Applies tags, fields and opt-outs to the contact; `path` is where the request has them. */
export async function applyFacts(
  tx: Tx,
  caller: Caller,
  contactId: string,
  { tagIds = [], customFields, optOuts = [] }: Pick<SimulationInput, 'tagIds' | 'customFields' | 'optOuts'>,
  path = '',
): Promise<void> {
  const { tenantId } = caller
  const existing = await lockTags(tx, tenantId, tagIds)
  const unknown = tagIds.findIndex(id => !existing.has(id))
  if (unknown >= 0)
    invalid(violation(`${path}tagIds[${unknown}]`, 'unknown_tag', 'is not a tag of this workspace'))
  if (tagIds.length > 0)
    await addTags(
      tx,
      tenantId,
      tagIds.map(tagId => ({ contactId, tagId })),
    )
  if (customFields) await editContact(tx, caller, contactId, { customFields })
  for (const channel of optOuts) await setOptOut(tx, tenantId, contactId, channel, true)
}

async function closeWindow(tx: Tx, tenantId: string, contactId: string): Promise<void> {
  const latest = await findLatestConversation(tx, tenantId, contactId)
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

/** Receives a message of the customer as from the provider: in the run's conversation, or in the contact's latest. */
export async function receiveSimulatedMessage(
  tx: Tx,
  { tenantId, contactId, conversationId }: SimulationContext,
  input: Pick<SimulationInput, 'message' | 'replyId' | 'media'>,
): Promise<void> {
  const row =
    (conversationId ? await findConversation(tx, tenantId, conversationId) : undefined) ??
    (await findLatestConversation(tx, tenantId, contactId)) ??
    (await openSimulationConversation(tx, tenantId, contactId)) ??
    invalid(violation('contactId', 'no_identity', 'must be a contact with an address on a channel'))
  const { inboxId, externalId: from } = row
  const channelMessageId = MessageId.create()
  const parts = { from, alsoKnownAs: [], channelMessageId, at: tx.now, ...buildContent(input) }
  await receiveMessage(tx, { tenantId, inboxId }, parts)
}

function buildContent({
  message = '',
  replyId,
  media,
}: Pick<SimulationInput, 'message' | 'replyId' | 'media'>): Pick<ReceivedMessage, 'content' | 'media'> {
  if (replyId !== undefined)
    return { content: { type: 'reply', reply: { id: replyId, title: message || replyId } } }
  if (!media) return { content: { type: 'text', text: { body: message } } }
  const caption = message === '' ? {} : { caption: message }
  return { content: { type: 'media', media: { mediaId: '', ...caption } }, media: { reference: '' } }
}
