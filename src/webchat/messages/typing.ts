/** That a visitor types, as a frame for the agents who see the conversation. Not stored. */
import type { Deps } from '../../platform/deps.ts'
import { publishFrame } from '../../platform/events/transient-frames.ts'
import type { Visitor } from '../../platform/http/caller.ts'
import { findConversationOf } from '../visitors/sessions.ts'

export async function reportTyping(
  deps: Pick<Deps, 'db' | 'bus'>,
  visitor: Visitor,
  isTyping: boolean,
): Promise<void> {
  const conversation = await findConversationOf(deps, visitor)
  if (conversation?.status !== 'open') return
  const { id: conversationId, teamId } = conversation
  publishFrame(deps.bus, {
    tenantId: visitor.tenantId,
    ...(teamId === null ? {} : { teamIds: [teamId] }),
    scope: 'conversation:read',
    type: 'visitor_typing',
    data: { conversationId, isTyping },
  })
}
