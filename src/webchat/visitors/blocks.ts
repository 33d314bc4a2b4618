/**
 * Blocks visitors who abuse the chat. A blocked visitor reads what was written, and everything else that it does is
 * refused. The block of a verified visitor holds for all its sessions in the workspace, that of an anonymous one for its
 * token, also when the site identifies it later.
 */
import { getLockedConversation, toAudience } from '../../conversations/conversations.ts'
import { recordAudit } from '../../identity/audit.ts'
import type { Tx } from '../../platform/db/db.ts'
import { fail } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller, Visitor } from '../../platform/http/caller.ts'
import { VisitorBlocked, VisitorNotFound } from '../errors.ts'
import { deleteBlocks, insertBlock } from '../store/blocks.ts'
import { findVisitorOfAddress, toSubject } from './visitors.ts'

/** Throws unless the visitor may do more than read. */
export function checkNotBlocked({ isBlocked }: Visitor): void {
  if (isBlocked) fail(VisitorBlocked)
}

/** Returns the visitor as it is then, and its address, for `publishVisitorChanged`. */
export async function setBlocked(
  tx: Tx,
  caller: Caller,
  conversationId: string,
  isBlocked: boolean,
): Promise<{ visitor: Visitor; address: string }> {
  const { tenantId } = caller
  const row = await getLockedConversation(tx, caller, conversationId)
  const address = row.externalId
  const before = (await findVisitorOfAddress(tx, tenantId, row)) ?? fail(VisitorNotFound)
  const isChanged = isBlocked
    ? await insertBlock(tx, tenantId, address)
    : await deleteBlocks(tx, tenantId, { address, subject: toSubject(address) })
  if (isChanged) {
    const action = isBlocked ? 'visitor.blocked' : 'visitor.unblocked'
    await recordAudit(tx, caller, action, before.id, { conversationId: row.id, address })
    await emitChanged(tx, tenantId, { kind: 'visitor', id: row.id }, toAudience(row))
  }
  return { visitor: { ...before, isBlocked }, address }
}
