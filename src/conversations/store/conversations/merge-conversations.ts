import { joinedAt } from '../../../identity/users/users.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import { moveDrafts } from '../drafts.ts'
import { moveSurveys } from '../surveys.ts'

export interface ConversationMerge {
  tenantId: string
  from: string
  into: string
}

/** The first unread message of each of the two conversations, for one user. Read it before messages move. */
export interface FirstUnread {
  userId: string
  messageIds: string[]
  /** Whether a customer saw that the user had read. */
  isSeen: boolean
}

export function listFirstUnread(tx: Tx, { tenantId, from, into }: ConversationMerge): Promise<FirstUnread[]> {
  return tx.rows(sql`
    select u.user_id as "userId", coalesce(array_agg(first.id) filter (where first.id is not null), '{}') as "messageIds",
      bool_or(r.seen_position is not null) as "isSeen"
    from (select distinct user_id from read_cursors where tenant_id = ${tenantId} and conversation_id = any(${[from, into]})) u
    cross join unnest(${[from, into]}::text[]) as c(id)
    left join read_cursors r on r.tenant_id = ${tenantId} and r.user_id = u.user_id and r.conversation_id = c.id
    left join lateral (
      select m.id from messages m
      where m.tenant_id = ${tenantId} and m.conversation_id = c.id and m.position > coalesce(r.position, 0) and m.direction = 'in'
        and (r.position is not null or m.created_at > ${joinedAt(tenantId, raw('u.user_id'))})
      order by m.position limit 1) first on true
    group by u.user_id order by u.user_id`)
}

/** The messages of both conversations in one sequence by time; the order within each conversation stays. */
const mergedSequence = ({ tenantId, from, into }: ConversationMerge) => sql`
  select id, conversation_id, old_position, row_number() over by_time as position,
    case when direction = 'in' then count(*) filter (where direction = 'in') over by_time end as customer_position
  from (
    select id, direction, conversation_id, position as old_position,
      max(created_at) over (partition by conversation_id order by position) as at
    from messages where tenant_id = ${tenantId} and conversation_id = any(${[from, into]})) as merged
  window by_time as (order by at, conversation_id, old_position rows unbounded preceding)`

/** Moves all messages into one sequence by time. */
export async function mergeMessages(tx: Tx, merge: ConversationMerge): Promise<void> {
  const { tenantId, into } = merge
  // Through negative positions, because positions are unique at every moment.
  await tx.run(sql`
    update messages m set conversation_id = ${into}, position = -p.position, customer_position = p.customer_position
    from (${mergedSequence(merge)}) as p
    where m.tenant_id = ${tenantId} and m.id = p.id`)
  await tx.run(sql`
    update messages set position = -position
    where tenant_id = ${tenantId} and conversation_id = ${into} and position < 0`)
}

const entryTables = [raw('conversation_notes'), raw('conversation_events')]

/** Moves notes and events of both: each follows the same message as before. To be called before `mergeMessages`. */
export async function mergeEntries(tx: Tx, merge: ConversationMerge): Promise<void> {
  const { tenantId, from, into } = merge
  for (const table of entryTables)
    await tx.run(sql`
      update ${table} n set conversation_id = ${into}, position = e.position
      from (
        select k.id, coalesce(p.position, k.position) as position from ${table} k
        left join (${mergedSequence(merge)}) as p
          on p.conversation_id = k.conversation_id and p.old_position = k.position
        where k.tenant_id = ${tenantId} and k.conversation_id = any(${[from, into]})) as e
      where n.tenant_id = ${tenantId} and n.id = e.id`)
}

/** Adds up the states; with `adopt`, the survivor continues the other's session. */
export async function mergeStates(
  tx: Tx,
  { tenantId, from, into }: ConversationMerge,
  adopt: boolean,
): Promise<void> {
  await tx.run(sql`
    update conversation_states b set
      message_count = a.message_count + b.message_count, customer_count = a.customer_count + b.customer_count,
      last_message_preview = case when a.last_message_at > b.last_message_at then a.last_message_preview else b.last_message_preview end,
      last_message_sender = case when a.last_message_at > b.last_message_at then a.last_message_sender else b.last_message_sender end,
      last_message_at = greatest(a.last_message_at, b.last_message_at),
      last_customer_at = greatest(a.last_customer_at, b.last_customer_at),
      last_person_at = greatest(a.last_person_at, b.last_person_at),
      status = case when ${adopt} then a.status else b.status end,
      session_id = case when ${adopt} then a.session_id else b.session_id end,
      inbox_id = case when ${adopt} then a.inbox_id else b.inbox_id end,
      team_id = case when ${adopt} then a.team_id else b.team_id end,
      owner_type = case when ${adopt} then a.owner_type else b.owner_type end,
      owner_id = case when ${adopt} then a.owner_id else b.owner_id end,
      opened_at = case when ${adopt} then a.opened_at else b.opened_at end,
      closed_at = case when ${adopt} then a.closed_at else b.closed_at end,
      waiting_since = case when ${adopt} or b.status = 'open' then least(a.waiting_since, b.waiting_since) end,
      priority = greatest(a.priority, b.priority),
      snoozed = case when ${adopt} then a.snoozed else b.snoozed and (a.snoozed or a.status = 'closed') end,
      snoozed_until = case when ${adopt} then a.snoozed_until
        when b.snoozed and a.snoozed then least(a.snoozed_until, b.snoozed_until)
        when b.snoozed and a.status = 'closed' then b.snoozed_until end,
      label_ids = array(select distinct id from unnest(a.label_ids || b.label_ids) as id order by id),
      revision = greatest(a.revision, b.revision) + 1, updated_at = ${tx.now}
    from conversation_states a
    where a.tenant_id = ${tenantId} and a.conversation_id = ${from} and b.tenant_id = ${tenantId} and b.conversation_id = ${into}`)
  await tx.run(
    sql`delete from conversation_states where tenant_id = ${tenantId} and conversation_id = ${from}`,
  )
}

/** Sets the read cursors before the first unread message, so that nothing unread becomes read. */
export async function mergeReadCursors(
  tx: Tx,
  { tenantId, from, into }: ConversationMerge,
  unread: readonly FirstUnread[],
): Promise<void> {
  await tx.run(
    sql`delete from read_cursors where tenant_id = ${tenantId} and conversation_id = any(${[from, into]})`,
  )
  for (const { userId, messageIds, isSeen } of unread)
    await tx.run(sql`
      insert into read_cursors (tenant_id, user_id, conversation_id, position, customer_position, seen_position)
      select ${tenantId}, ${userId}, ${into}, coalesce(min(m.position) - 1, max(s.message_count)),
        coalesce(min(m.customer_position) - 1, max(s.customer_count)),
        case when ${isSeen} then coalesce(min(m.position) - 1, max(s.message_count)) end
      from conversation_states s
      left join messages m on m.tenant_id = s.tenant_id and m.id = any(${messageIds})
      where s.tenant_id = ${tenantId} and s.conversation_id = ${into}`)
}

export async function moveReferences(tx: Tx, { tenantId, from, into }: ConversationMerge): Promise<void> {
  await tx.run(
    sql`update conversation_sessions set conversation_id = ${into} where tenant_id = ${tenantId} and conversation_id = ${from}`,
  )
  await tx.run(sql`
    update conversation_addresses set conversation_id = ${into} where tenant_id = ${tenantId} and conversation_id = ${from}`)
  await tx.run(sql`
    update scheduled_messages set conversation_id = ${into} where tenant_id = ${tenantId} and conversation_id = ${from}`)
  await tx.run(sql`
    insert into media_uses (tenant_id, media_id, conversation_id)
    select tenant_id, media_id, ${into} from media_uses where tenant_id = ${tenantId} and conversation_id = ${from}
    on conflict do nothing`)
  await tx.run(sql`delete from media_uses where tenant_id = ${tenantId} and conversation_id = ${from}`)
  await tx.run(sql`
    insert into conversation_labels (tenant_id, label_id, conversation_id)
    select tenant_id, label_id, ${into} from conversation_labels where tenant_id = ${tenantId} and conversation_id = ${from}
    on conflict do nothing`)
  await tx.run(
    sql`delete from conversation_labels where tenant_id = ${tenantId} and conversation_id = ${from}`,
  )
  await moveSurveys(tx, tenantId, from, into)
  await moveDrafts(tx, tenantId, from, into)
  await tx.run(sql`
    update conversations set merged_into = ${into}
    where tenant_id = ${tenantId} and (id = ${from} or merged_into = ${from})`)
}

export async function updateExternalId(
  tx: Tx,
  tenantId: string,
  id: string,
  externalId: string,
): Promise<void> {
  await tx.run(sql`
    update conversations set external_id = ${externalId} where tenant_id = ${tenantId} and id = ${id}`)
}
