/** Records that a visitor received or read a message, reported by the frame: a status of it and of all before it. */
import { listCustomerMessagesByIds } from '../../conversations/customer-view.ts'
import { storeProviderEvents } from '../../conversations/inbound/store-provider-events.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Visitor } from '../../platform/http/caller.ts'
import { findConversationOf } from '../visitors/sessions.ts'
import { toAddress } from '../visitors/visitors.ts'

export async function reportRead(
  deps: Deps,
  visitor: Visitor,
  { messageId, state }: { messageId: string; state: 'delivered' | 'read' },
): Promise<void> {
  const [conversation, [message]] = await Promise.all([
    findConversationOf(deps, visitor),
    listCustomerMessagesByIds(deps.db, visitor.tenantId, [messageId]),
  ])
  if (!message || message.conversationId !== conversation?.id || message.direction === 'in')
    return invalid(violation('messageId', 'unknown_message', 'is not a message that you received'))
  if (message.status === 'read' || message.status === state) return
  await storeProviderEvents(deps, 'webchat', [
    {
      type: 'status',
      accountId: visitor.inboxKey,
      dedupeKey: `${messageId}:${state}`,
      at: deps.clock.now().toISOString(),
      channelMessageId: message.channelMessageId ?? messageId,
      messageId,
      status: state,
      upTo: true,
      recipient: toAddress(visitor),
    },
  ])
}
