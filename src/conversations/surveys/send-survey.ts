/**
 * Satisfaction surveys of inboxes. Closing a conversation schedules one, opening it again before it is sent cancels it, and
 * a session gets one at most. It is an ordinary message, so the send policy, rate limits and delivery apply to it; it
 * leaves the conversation closed.
 */

import type { SendableContent } from '../../inboxes/content.ts'
import { findInbox, type InboxRow } from '../../inboxes/inboxes.ts'
import { buildSurveyContent } from '../../inboxes/settings/survey-content.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { isEvent } from '../../platform/events/event.ts'
import { subscription } from '../../platform/events/subscription.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { job } from '../../platform/jobs/job.ts'
import { conversationClosed } from '../events.ts'
import { acceptLocked } from '../outbound/accept-message.ts'
import { checkSend } from '../outbound/send-policy.ts'
import type { Conversation } from '../schemas.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { lockConversation } from '../store/conversations/conversations.ts'
import {
  endSurvey,
  findCloser,
  insertSurveyFacts,
  lockSurvey,
  markSurveySent,
  type SurveyRow,
  scheduleSurvey,
} from '../store/surveys.ts'

const minute = 60_000
const hour = 60 * minute
/** After an outage a survey about a conversation of yesterday would surprise the customer. */
const maxDelayMs = 24 * hour
const answerableMs = 72 * hour

const addMs = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()

interface ScheduledSurvey {
  conversationId: string
  sessionId: string
  /** A survey that was scheduled again has another time. */
  sendAt: string
}

export const sendSurvey = job<ScheduledSurvey>({
  name: 'conversations.send_survey',
  priority: 'normal',
  handle: (deps, survey, work) =>
    transact(deps.db, async tx => {
      await sendDue(deps, tx, work.tenantId, survey)
      await work.finish(tx)
    }),
})

/** Reads closings from the log, so that every way of closing counts and none waits for it. */
export const scheduleSurveys = subscription({
  name: 'conversations.surveys',
  types: [conversationClosed.type],
  from: 'end',
  apply: async (tx, events) => {
    for (const event of events)
      if (isEvent(conversationClosed, event)) await scheduleFor(tx, event.tenantId, event.data.conversation)
  },
})

async function scheduleFor(tx: Tx, tenantId: string, closed: Conversation): Promise<void> {
  const inbox = await findInbox(tx, tenantId, closed.inboxId)
  if (!inbox?.csat) return
  const row = await lockConversation(tx, tenantId, closed.id)
  // Opened again or merged into another conversation since; a later closing has an event of its own.
  if (row?.id !== closed.id || row.status !== 'closed' || row.closedAt !== closed.closedAt) return
  if (row.lastCustomerAt === null || row.lastCustomerAt < row.openedAt) return
  const { sessionId, id: conversationId, inboxId, teamId } = row
  const userId =
    row.ownerType === 'user'
      ? row.ownerId
      : ((await findCloser(tx, tenantId, sessionId, conversationId)) ?? null)
  const sendAt = addMs(row.closedAt!, inbox.csat.delayMinutes * minute)
  if (await scheduleSurvey(tx, tenantId, { sessionId, conversationId, inboxId, teamId, userId, sendAt }))
    await enqueue(tx, sendSurvey, { tenantId, runAt: sendAt, payload: { conversationId, sessionId, sendAt } })
}

async function sendDue(
  deps: Deps,
  tx: Tx,
  tenantId: string,
  { conversationId, sessionId, sendAt }: ScheduledSurvey,
): Promise<void> {
  const row = await lockConversation(tx, tenantId, conversationId)
  const survey = await lockSurvey(tx, tenantId, sessionId)
  if (!row || survey?.status !== 'scheduled' || survey.sendAt !== sendAt) return
  const inbox = await findInbox(tx, tenantId, survey.inboxId)
  const reason = findCancellation(tx, row, survey, inbox)
  if (reason) return endSurvey(tx, tenantId, sessionId, { status: 'cancelled', reason })
  const content = buildSurveyContent(row.channel, inbox!.csat!.question, sessionId)
  const sent = await sendIntoClosed(deps, tx, inbox!, row, content)
  if ('refused' in sent)
    return endSurvey(tx, tenantId, sessionId, { status: 'refused', reason: sent.refused })
  const answerableUntil = addMs(tx.now, answerableMs)
  await markSurveySent(tx, tenantId, sessionId, { messageId: sent.messageId, answerableUntil })
  await insertSurveyFacts(tx, tenantId, { ...survey, sentAt: tx.now }, ['surveyed'])
}

function findCancellation(
  tx: Tx,
  row: ConversationRow,
  survey: SurveyRow,
  inbox: InboxRow | undefined,
): string | undefined {
  if (row.status !== 'closed' || row.sessionId !== survey.sessionId) return 'reopened'
  if (!inbox) return 'inbox_deleted'
  if (!inbox.csat) return 'turned_off'
  if (row.addressOwnerId === null) return 'no_identity'
  return Date.parse(tx.now) - Date.parse(survey.sendAt) > maxDelayMs ? 'too_late' : undefined
}

/** Sends a message in the name of the inbox that leaves the conversation, which the transaction has locked, closed. */
export async function sendIntoClosed(
  deps: Deps,
  tx: Tx,
  inbox: InboxRow,
  row: ConversationRow,
  content: SendableContent,
): Promise<{ messageId: string } | { refused: string }> {
  const attempt = { conversation: row, contentType: content.type, senderType: 'bot' as const }
  const refusal = await checkSend(deps, inbox.tenantId, attempt, tx)
  if (refusal) return { refused: refusal.code }
  const sender = { type: 'bot' as const, id: inbox.id }
  const accepted = await acceptLocked(tx, inbox.tenantId, row, {
    sender,
    content,
    context: [],
    intoClosed: true,
  })
  if (!accepted) throw new Error('a survey was not accepted in a conversation that is locked')
  return { messageId: accepted.message.id }
}
