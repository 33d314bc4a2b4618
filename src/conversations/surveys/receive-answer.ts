/**
 * Answers to satisfaction surveys. A choice of the survey counts whenever it arrives; a number counts while the conversation
 * is still closed, because in an open conversation it may answer something else. The latest answer by the clock of the
 * provider is the rating. An answer is not a message: it opens no session, starts no workflow and is in the timeline as an
 * event. Everything else is left to be received as a message.
 */
import { recordInteractions } from '../../contacts/activity.ts'
import type { Content } from '../../inboxes/content.ts'
import type { InboxRow } from '../../inboxes/inboxes.ts'
import { parseRating, parseSurveyChoice } from '../../inboxes/settings/survey-content.ts'
import type { Tx } from '../../platform/db/db.ts'
import { TransactionConflict } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { emit } from '../../platform/events/event.ts'
import { toAudience } from '../access.ts'
import { conversationRated } from '../events.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { lockConversation, touchMessagingWindow } from '../store/conversations/conversations.ts'
import {
  type AnswerableSurvey,
  findAnswerableSurvey,
  insertSurveyEvent,
  insertSurveyFacts,
  type SurveyRow,
  updateComment,
  updateRating,
} from '../store/surveys.ts'
import { sendIntoClosed } from './send-survey.ts'

const maxCommentLength = 4096
const commentMs = 60 * 60_000

export interface CustomerAnswer {
  /** Every address of the customer. */
  addresses: string[]
  content: Content
  at: string
}

type Answer = { rating: number; comment?: string } | { comment: string }

/** Records the message if it answers a survey. Returns false, with nothing locked, if it does not. */
export async function receiveAnswer(
  deps: Deps,
  tx: Tx,
  inbox: InboxRow,
  { addresses, content, at }: CustomerAnswer,
  isKeyword: (text: string) => boolean,
): Promise<boolean> {
  const choice = content.type === 'reply' ? parseSurveyChoice(content.reply.id) : undefined
  // Most messages end here, without a query.
  if (!choice && (inbox.csat === null || content.type !== 'text')) return false
  const { tenantId, channel } = inbox
  const find = () => findAnswerableSurvey(tx, tenantId, { channel, addresses, at, ...choice })
  const read = (survey: AnswerableSurvey | undefined): Answer | undefined => {
    if (choice) return survey && { rating: choice.rating, ...readComment(content) }
    return content.type === 'text' && survey?.isCurrent
      ? readText(survey, content.text.body, at, isKeyword)
      : undefined
  }
  const found = await find()
  if (!found || !read(found)) return false
  const row = await lockConversation(tx, tenantId, found.conversationId)
  const survey = await find()
  const answer = read(survey)
  // A session can no longer be opened: its contact must be locked before the conversation.
  if (!row || !survey || !answer) throw new TransactionConflict('the survey changed while its answer arrived')
  await touchMessagingWindow(tx, tenantId, row.id)
  await recordInteractions(tx, tenantId, [{ contactId: row.contactId, at }])
  const current = { ...row, lastCustomerAt: tx.now }
  const { comment } = answer
  if ('rating' in answer) await recordRating(deps, tx, inbox, current, { survey, at, ...answer })
  if (comment !== undefined && comment !== survey.comment)
    await recordComment(tx, tenantId, current, {
      ...survey,
      ...answer,
      ratedAt: survey.ratedAt ?? at,
      comment,
    })
  return true
}

/** A choice may come with a comment, on channels that ask for both together. */
function readComment(content: Content): { comment?: string } {
  const comment = content.type === 'reply' ? content.reply.description : undefined
  return comment === undefined ? {} : { comment: comment.slice(0, maxCommentLength) }
}

function readText(
  { rating: rated, comment, commentUntil }: SurveyRow,
  body: string,
  at: string,
  isKeyword: (text: string) => boolean,
): Answer | undefined {
  const rating = parseRating(body)
  if (rating !== undefined) return { rating }
  const awaitsComment = rated !== null && comment === null && commentUntil !== null && at <= commentUntil
  return awaitsComment && !isKeyword(body) ? { comment: body.slice(0, maxCommentLength) } : undefined
}

async function recordRating(
  deps: Deps,
  tx: Tx,
  inbox: InboxRow,
  row: ConversationRow,
  { survey, rating, at, comment }: { survey: SurveyRow; rating: number; at: string; comment?: string },
): Promise<void> {
  const { tenantId } = inbox
  const { sessionId, rating: previous, ratedAt } = survey
  if (ratedAt !== null && at < ratedAt) return
  await updateRating(tx, tenantId, sessionId, { rating, ratedAt: at })
  if (previous === rating) return
  const replaced = previous === null ? [] : [`unrated_${previous}`]
  await insertSurveyFacts(tx, tenantId, survey, [`rated_${rating}`, ...replaced])
  const details = { rating, ...(previous === null ? {} : { previous }) }
  await insertSurveyEvent(tx, tenantId, survey, { type: 'rated', details })
  await emitRated(tx, tenantId, row, { ...survey, rating, ratedAt: at })
  if (previous === null && comment === undefined) await askForComment(deps, tx, inbox, row, survey)
}

/** Asks where the conversation is still closed: in an open one a person reads what the customer writes next. */
async function askForComment(
  deps: Deps,
  tx: Tx,
  inbox: InboxRow,
  row: ConversationRow,
  { sessionId }: SurveyRow,
): Promise<void> {
  const question = inbox.csat?.commentQuestion
  if (!question || row.status !== 'closed' || row.sessionId !== sessionId || row.addressOwnerId === null)
    return
  const content = { type: 'text' as const, text: { body: question } }
  const sent = await sendIntoClosed(deps, tx, inbox, row, content)
  if ('refused' in sent) return
  const commentUntil = new Date(Date.parse(tx.now) + commentMs).toISOString()
  await updateComment(tx, inbox.tenantId, sessionId, { commentUntil })
}

async function recordComment(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  survey: SurveyRow & { comment: string },
): Promise<void> {
  const { sessionId, rating, comment } = survey
  await updateComment(tx, tenantId, sessionId, { comment })
  const details = { rating, comment }
  await insertSurveyEvent(tx, tenantId, survey, { type: 'rating_commented', details })
  await emitRated(tx, tenantId, row, survey)
}

async function emitRated(tx: Tx, tenantId: string, row: ConversationRow, survey: SurveyRow): Promise<void> {
  const { sessionId, inboxId, teamId, userId, comment } = survey
  const audience = toAudience(row)
  await emit(tx, conversationRated, {
    tenantId,
    data: {
      conversation: conversationToApi(row),
      rating: {
        sessionId,
        inboxId,
        teamId,
        userId,
        rating: survey.rating!,
        comment,
        sentAt: survey.sentAt!,
        ratedAt: survey.ratedAt!,
      },
    },
    ...(audience ? { audience } : {}),
  })
}
