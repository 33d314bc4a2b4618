import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'

export interface SurveyRow {
  sessionId: string
  conversationId: string
  inboxId: string
  teamId: string | null
  userId: string | null
  status: 'scheduled' | 'sent' | 'cancelled' | 'refused'
  sendAt: string
  sentAt: string | null
  rating: number | null
  ratedAt: string | null
  commentUntil: string | null
  comment: string | null
}

const surveyColumns = `v.session_id as "sessionId", v.conversation_id as "conversationId", v.inbox_id as "inboxId",
  v.team_id as "teamId", v.user_id as "userId", v.status, v.send_at as "sendAt", v.sent_at as "sentAt", v.rating,
  v.rated_at as "ratedAt", v.comment_until as "commentUntil", v.comment`
const columns = raw(surveyColumns)

export type NewSurvey = Pick<
  SurveyRow,
  'sessionId' | 'conversationId' | 'inboxId' | 'teamId' | 'userId' | 'sendAt'
>

/** Schedules the survey of a session, again if it was not sent. Returns whether it is scheduled. */
export async function scheduleSurvey(tx: Tx, tenantId: string, survey: NewSurvey): Promise<boolean> {
  const { sessionId, conversationId, inboxId, teamId, userId, sendAt } = survey
  const changed = await tx.run(sql`
    insert into conversation_surveys as v (tenant_id, session_id, conversation_id, inbox_id, team_id, user_id, status, send_at)
    values (${tenantId}, ${sessionId}, ${conversationId}, ${inboxId}, ${teamId}, ${userId}, 'scheduled', ${sendAt})
    on conflict (tenant_id, session_id) do update set inbox_id = excluded.inbox_id, team_id = excluded.team_id,
      user_id = excluded.user_id, status = 'scheduled', reason = null, send_at = excluded.send_at
    where v.status <> 'sent'`)
  return changed > 0
}

/** Returns the user who closed the session last; undefined when a service account, an automation or nobody did. */
export function findCloser(on: Queryable, tenantId: string, sessionId: string, conversationId: string) {
  return on.value<string>(sql`
    select substr(e.actor, 6) from (
      select actor from conversation_events
      where tenant_id = ${tenantId} and conversation_id = ${conversationId} and session_id = ${sessionId} and type = 'closed'
      order by position desc, n desc limit 1) e
    where e.actor like 'user:%'`)
}

export function lockSurvey(tx: Tx, tenantId: string, sessionId: string): Promise<SurveyRow | undefined> {
  return tx.maybe<SurveyRow>(sql`
    select ${columns} from conversation_surveys v
    where v.tenant_id = ${tenantId} and v.session_id = ${sessionId} for update`)
}

export async function endSurvey(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  { status, reason }: { status: 'cancelled' | 'refused'; reason: string },
): Promise<void> {
  await tx.run(sql`
    update conversation_surveys set status = ${status}, reason = ${reason}
    where tenant_id = ${tenantId} and session_id = ${sessionId}`)
}

export async function markSurveySent(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  { messageId, answerableUntil }: { messageId: string; answerableUntil: string },
): Promise<void> {
  await tx.run(sql`
    update conversation_surveys set status = 'sent', reason = null, message_id = ${messageId}, sent_at = ${tx.now},
      answerable_until = ${answerableUntil}
    where tenant_id = ${tenantId} and session_id = ${sessionId}`)
}

/** A survey with the state of its conversation that decides what a message means. */
export interface AnswerableSurvey extends SurveyRow {
  /** The conversation is still closed and has had no other session. */
  isCurrent: boolean
}

/** Finds the latest survey that a customer with one of these addresses can answer at that time. */
export function findAnswerableSurvey(
  on: Queryable,
  tenantId: string,
  {
    channel,
    addresses,
    at,
    sessionId,
  }: { channel: string; addresses: readonly string[]; at: string; sessionId?: string },
): Promise<AnswerableSurvey | undefined> {
  return on.maybe<AnswerableSurvey>(sql`
    select ${columns}, s.status = 'closed' and s.session_id = v.session_id as "isCurrent"
    from (select distinct a.tenant_id, a.conversation_id from conversation_addresses a
      where a.tenant_id = ${tenantId} and a.channel = ${channel} and a.address = any(${addresses})) a
    cross join lateral (
      select * from conversation_surveys v where v.tenant_id = a.tenant_id and v.conversation_id = a.conversation_id
        and v.status = 'sent' and v.answerable_until > ${at}::timestamptz
        and (${sessionId ?? null}::text is null or v.session_id = ${sessionId ?? null})
      order by v.sent_at desc limit 1) v
    join conversation_states s on s.tenant_id = v.tenant_id and s.conversation_id = v.conversation_id
    order by v.sent_at desc limit 1`)
}

export async function updateRating(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  { rating, ratedAt }: { rating: number; ratedAt: string },
): Promise<void> {
  await tx.run(sql`
    update conversation_surveys set rating = ${rating}, rated_at = ${ratedAt}
    where tenant_id = ${tenantId} and session_id = ${sessionId}`)
}

export async function updateComment(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  change: { commentUntil: string } | { comment: string },
): Promise<void> {
  await tx.run(
    'comment' in change
      ? sql`update conversation_surveys set comment = ${change.comment}
          where tenant_id = ${tenantId} and session_id = ${sessionId}`
      : sql`update conversation_surveys set comment_until = ${change.commentUntil}
          where tenant_id = ${tenantId} and session_id = ${sessionId}`,
  )
}

/** Adds facts about the survey to the reports, at the time at which it was sent. */
export async function insertSurveyFacts(
  tx: Tx,
  tenantId: string,
  { inboxId, teamId, userId, sentAt }: Pick<SurveyRow, 'inboxId' | 'teamId' | 'userId' | 'sentAt'>,
  types: readonly string[],
): Promise<void> {
  await tx.run(sql`
    insert into conversation_facts (tenant_id, at, type, inbox_id, team_id, user_id)
    select ${tenantId}, ${sentAt}::timestamptz, type, ${inboxId}, ${teamId}, ${userId} from unnest(${types}::text[]) as type`)
}

/** Adds an entry to the timeline of the conversation, which the transaction has locked. */
export async function insertSurveyEvent(
  tx: Tx,
  tenantId: string,
  { sessionId, conversationId }: Pick<SurveyRow, 'sessionId' | 'conversationId'>,
  { type, details }: { type: 'rated' | 'rating_commented'; details: object },
): Promise<void> {
  await tx.run(sql`
    insert into conversation_events (tenant_id, conversation_id, session_id, position, type, details, at)
    select s.tenant_id, s.conversation_id, ${sessionId}, s.message_count, ${type}, ${JSON.stringify(details)}::json, ${tx.now}
    from conversation_states s where s.tenant_id = ${tenantId} and s.conversation_id = ${conversationId}`)
}

/** Deletes the surveys of the sessions of these contacts. */
export async function eraseSurveys(
  tx: Tx,
  tenantId: string,
  conversationId: string,
  contactIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    delete from conversation_surveys where tenant_id = ${tenantId} and conversation_id = ${conversationId}
      and session_id not in (
        select id from conversation_sessions where tenant_id = ${tenantId} and conversation_id = ${conversationId}
          and contact_id <> all(${contactIds}))`)
}

export async function moveSurveys(tx: Tx, tenantId: string, from: string, into: string): Promise<void> {
  await tx.run(sql`
    update conversation_surveys set conversation_id = ${into} where tenant_id = ${tenantId} and conversation_id = ${from}`)
}
