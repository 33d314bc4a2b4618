/** The rating of a visitor answers the survey of the conversation, like the choice of a button would. */
import { listCustomerConversations } from '../../conversations/customer-view.ts'
import { storeProviderEvents } from '../../conversations/inbound/store-provider-events.ts'
import { toSurveyChoice } from '../../inboxes/settings/survey-content.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import { EventId } from '../../platform/events/event.ts'
import type { Visitor } from '../../platform/http/caller.ts'
import { NothingToRate } from '../errors.ts'
import { findConversationOf } from '../visitors/sessions.ts'
import { toChannelMessageId } from './message-view.ts'
import { describeSender } from './messages.ts'

export async function rateConversation(
  deps: Deps,
  visitor: Visitor,
  { rating, comment }: { rating: number; comment?: string | undefined },
): Promise<void> {
  const { tenantId } = visitor
  const conversation = await findConversationOf(deps, visitor)
  const now = deps.clock.now().toISOString()
  const ids = conversation ? [conversation.id] : []
  const [state] = await listCustomerConversations(deps.db, tenantId, ids, now)
  const sessionId = state?.surveySessionId ?? fail(NothingToRate)
  // The latest answer counts; a repeated one changes nothing.
  const key = toChannelMessageId(visitor.id, `rating/${EventId.create()}`)
  await storeProviderEvents(deps, 'webchat', [
    {
      type: 'message',
      accountId: visitor.inboxKey,
      dedupeKey: key,
      channelMessageId: key,
      at: now,
      ...describeSender(visitor),
      content: {
        type: 'reply',
        reply: { ...toSurveyChoice(sessionId, rating), ...(comment ? { description: comment } : {}) },
      },
    },
  ])
}
