/**
 * Comments under posts. They are no messages and are in no conversation; they are told in the log, for those who answer
 * them. An answer is a message that names the comment in its context: it goes to the person, privately.
 */
import { findOrCreateContactByIdentity } from '../../contacts/identities.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { InboundComment } from '../../inboxes/provider.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import { emit } from '../../platform/events/event.ts'
import { commentReceived } from '../events.ts'
import type { StoredContext } from '../schemas.ts'
import { findConversationIdsByAddress } from '../store/addresses.ts'
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

/** Only where there are comments can one be answered. */
export function isCommentReply(channel: Channel, context: readonly StoredContext[] | null): boolean {
  return channel === 'socialapp' && findAnsweredComment(context) !== undefined
}

/** The provider's id of the comment that a message with this context answers. */
export function findAnsweredComment(context: readonly StoredContext[] | null): string | undefined {
  for (const one of context ?? [])
    if (one.type === 'resource' && one.resource.kind === 'comment') return one.resource.id
  return undefined
}
