/**
 * Comments on posts. Comments are not messages and belong to no conversation; each is emitted as `comment.received`. A
 * reply is a message that references the comment in its context, and goes to the customer privately.
 */
import { findOrCreateContactByIdentity } from '../../contacts/identities/identities.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { InboundComment } from '../../inboxes/providers/provider.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import { emit } from '../../platform/events/event.ts'
import { commentReceived } from '../events.ts'
import type { StoredContext } from '../schemas.ts'
import { findConversationIdsByAddress } from '../store/conversations/addresses.ts'
import type { ProviderEventRow } from '../store/provider-events.ts'

export async function handleComment(
  tx: Tx,
  { tenantId, inboxId, channel }: ProviderEventRow,
  { commentId, mediaId, text, from, profileName, at }: InboundComment,
): Promise<void> {
  const inbox = await findInbox(tx, tenantId, inboxId)
  if (!inbox) return
  const { contactId } = await findOrCreateContactByIdentity(tx, tenantId, {
    channel,
    externalId: from,
    ...(profileName ? { name: profileName } : {}),
  })
  const [known] = await findConversationIdsByAddress(tx, tenantId, channel, [from])
  const comment = {
    id: commentId,
    inboxId,
    mediaId: mediaId || null,
    text,
    from,
    username: profileName ?? null,
    at,
  }
  await emit(tx, commentReceived, {
    tenantId,
    data: { contactId, conversationId: known?.conversationId ?? null, comment },
    ...(inbox.teamId ? { audience: { teamIds: [inbox.teamId], userIds: [] } } : {}),
  })
}

/** Only socialapp has comments. */
export function isCommentReply(channel: Channel, context: readonly StoredContext[] | null): boolean {
  return channel === 'socialapp' && findAnsweredComment(context) !== undefined
}

/** Returns the provider's id of the comment that a message with this context replies to. */
export function findAnsweredComment(context: readonly StoredContext[] | null): string | undefined {
  for (const item of context ?? [])
    if (item.type === 'resource' && item.resource.kind === 'comment') return item.resource.id
  return undefined
}
