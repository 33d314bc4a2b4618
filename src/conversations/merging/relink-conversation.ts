/**
 * Links a conversation to another contact by hand. The address moves with it, so that the next message of the customer
 * belongs to that contact too; messages before stay with the contact they were exchanged with.
 */
import { lockActivity, recordChats } from '../../contacts/activity.ts'
import { findContact } from '../../contacts/contacts.ts'
import { emitMovedAddress, moveAddress } from '../../contacts/identities/move-address.ts'
import { lockMerges } from '../../contacts/merging/merge.ts'
import type { Tx } from '../../platform/db/db.ts'
import { fail, invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { emitConversationUpdated, linkToContact, syncContactVisibility } from '../conversation-events.ts'
import { getConversation } from '../conversations.ts'
import { ConversationNotFound } from '../errors.ts'
import { withNewSession } from '../opening/start-sessions.ts'
import type { Conversation } from '../schemas.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { findConversation, lockVisibleConversation } from '../store/conversations/conversations.ts'
import { startSessions } from '../store/conversations/open-conversations.ts'

export async function relinkConversation(
  tx: Tx,
  caller: Caller,
  id: string,
  contactId: string,
): Promise<Conversation> {
  const { tenantId } = caller
  await lockMerges(tx, tenantId)
  const { channel, externalId } = await getConversation(tx, caller, id)
  const target = await findContact(tx, caller, contactId).catch(() =>
    invalid(violation('contactId', 'unknown_contact', 'is not a contact of this workspace')),
  )
  const updates = await moveAddress(tx, tenantId, { channel, externalId }, target)
  const row = (await lockVisibleConversation(tx, caller, id)) ?? fail(ConversationNotFound)
  if (row.contactId === target && updates.length === 0) return conversationToApi(row)
  await lockActivity(tx, tenantId, [row.contactId, target])
  await linkToContact(tx, tenantId, row, target)
  const linked = (await findConversation(tx, tenantId, row.id))!
  const changed =
    row.status === 'open' && row.contactId !== target ? await restart(tx, tenantId, linked) : linked
  await syncContactVisibility(tx, tenantId, changed)
  await emitMovedAddress(tx, tenantId, updates)
  await emitConversationUpdated(tx, tenantId, row, changed)
  return conversationToApi(changed)
}

/** Replaces the open session by one of the new contact, with the same inbox, team and owner. */
async function restart(tx: Tx, tenantId: string, row: ConversationRow): Promise<ConversationRow> {
  const restarted = withNewSession(row, tx.now)
  await startSessions(tx, tenantId, [restarted])
  const { contactId, sessionId } = restarted
  await recordChats(tx, tenantId, [{ contactId, sessionId, at: tx.now }])
  return restarted
}
