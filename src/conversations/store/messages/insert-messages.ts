/** The statement that accepts messages, inbound and outbound. */
import type { Tx } from '../../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../../platform/db/sql.ts'
import type { Assignment } from '../../access.ts'
import { messageCreated } from '../../events.ts'
import type { DeliveryStatus, SenderType } from '../../schemas.ts'

export interface NewMessage {
  id: string
  tenantId: string
  conversationId: string
  sessionId: string
  /** The insert is skipped if the address belongs to another contact now. */
  contactId: string
  direction: 'in' | 'out'
  senderType: SenderType
  senderId: string
  content: string
  context: string | null
  status: DeliveryStatus
  channelMessageId: string | null
  clientMessageId: string | null
  clientFingerprint: string | null
  preview: string
  /** Data of the `message.created` event. */
  event: string
  audience: string | null
  eventId: string
  /** State that the event was built for; the insert is skipped if it has changed. */
  assignmentKey: string
  /** Whether the message may go into a session that is closed, which stays closed. */
  intoClosed: boolean
}

/** Team, owner, revision and number of customer messages as one text: what the event shows of the conversation. */
export const toAssignmentKey = ({
  teamId,
  ownerType,
  ownerId,
  revision,
  customerCount,
}: EventState): string => `${teamId ?? ''}/${ownerType ?? ''}/${ownerId ?? ''}/${revision}/${customerCount}`
const lockedAssignmentKey = raw(
  `coalesce(l.team_id, '') || '/' || coalesce(l.owner_type, '') || '/' || coalesce(l.owner_id, '')
    || '/' || l.revision || '/' || l.customer_count`,
)

interface EventState extends Assignment {
  revision: number
  customerCount: number
}

/**
 * Builds the statement that accepts a batch of messages. States are locked in one order, and everything else follows from
 * the rows that were inserted. A message is left out, without an effect on the others, when its session ended, when the
 * contact of the address or the state that its event was built for changed, or when it exists already. A user who writes
 * has read the conversation. A message of the customer wakes a snoozed conversation and starts the time of waiting, which
 * the reply of a person ends; reports count that reply and the time.
 */
export function buildAcceptMessages(
  { now, causationDepth }: Pick<Tx, 'now' | 'causationDepth'>,
  batch: readonly NewMessage[],
  emit: (select: Sql) => Sql,
): Sql {
  const column = <K extends keyof NewMessage>(name: K) => batch.map(message => message[name])
  return sql`
    with input as (
      select * from unnest(${column('id')}::text[], ${column('tenantId')}::text[], ${column('conversationId')}::text[],
          ${column('sessionId')}::text[], ${column('contactId')}::text[], ${column('direction')}::text[], ${column('senderType')}::text[],
          ${column('senderId')}::text[], ${column('content')}::json[], ${column('context')}::json[],
          ${column('status')}::text[], ${column('channelMessageId')}::text[], ${column('clientMessageId')}::text[],
          ${column('clientFingerprint')}::text[], ${column('preview')}::text[], ${column('event')}::json[],
          ${column('audience')}::json[], ${column('eventId')}::text[], ${column('assignmentKey')}::text[],
          ${column('intoClosed')}::bool[])
        with ordinality as i(id, tenant_id, conversation_id, session_id, contact_id, direction, sender_type, sender_id,
          content, context, status, channel_message_id, client_message_id, client_fingerprint, preview, event, audience,
          event_id, assignment_key, into_closed, ord)
    ), locked as (
      select s.* from conversation_states s
      where (s.tenant_id, s.conversation_id) in (select tenant_id collate "C", conversation_id collate "C" from input)
      order by s.tenant_id, s.conversation_id for no key update
    ), placed as (
      select i.*, l.inbox_id,
        l.message_count + row_number() over conversation as position,
        l.customer_count + count(*) filter (where i.direction = 'in') over conversation as customer_position
      from input i join locked l on l.tenant_id = i.tenant_id and l.conversation_id = i.conversation_id
      where (l.status = 'open' or i.into_closed) and l.session_id = i.session_id and l.contact_id = i.contact_id
        and ${lockedAssignmentKey} = i.assignment_key
      window conversation as (partition by i.tenant_id, i.conversation_id order by i.ord rows unbounded preceding)
    ), inserted as (
      insert into messages (tenant_id, id, conversation_id, position, session_id, inbox_id, direction, sender_type,
        sender_id, content, context, status, channel_message_id, client_message_id, client_fingerprint,
        customer_position, created_at, updated_at)
      select tenant_id, id, conversation_id, position, session_id, inbox_id, direction, sender_type, sender_id, content,
        context, status, channel_message_id, client_message_id, client_fingerprint,
        case when direction = 'in' then customer_position end, ${now}::timestamptz, ${now}::timestamptz
      from placed order by tenant_id, conversation_id, position
      on conflict do nothing
      returning tenant_id, id, conversation_id, position, customer_position, direction
    ), latest as (
      select distinct on (n.tenant_id, n.conversation_id) n.tenant_id, n.conversation_id, n.position, p.preview, p.sender_type,
        max(n.customer_position) over conversation as customers,
        bool_or(p.sender_type not in ('journey', 'bot', 'campaign')) over conversation as by_person,
        max(n.position) filter (where p.direction = 'in') over conversation as last_in,
        max(n.position) filter (where p.direction = 'out' and p.sender_type not in ('journey', 'bot', 'campaign'))
          over conversation as last_reply,
        max(p.sender_id) filter (where p.sender_type = 'user') over conversation as replied_by
      from inserted n join placed p on p.tenant_id = n.tenant_id and p.id = n.id
      window conversation as (partition by n.tenant_id, n.conversation_id)
      order by n.tenant_id, n.conversation_id, n.position desc
    ), moved as (
      update conversation_states s set message_count = l.position, customer_count = coalesce(l.customers, s.customer_count),
        last_message_at = greatest(s.last_message_at, ${now}::timestamptz),
        updated_at = greatest(s.updated_at, ${now}::timestamptz), last_message_preview = l.preview,
        last_message_sender = l.sender_type,
        last_customer_at = case when l.customers is not null then ${now}::timestamptz else s.last_customer_at end,
        last_person_at = case when l.by_person then ${now}::timestamptz else s.last_person_at end,
        waiting_since = case
          when l.last_in is null and l.last_reply is null then s.waiting_since
          when l.last_in is null or l.last_in < l.last_reply then null
          when l.last_reply is null then coalesce(s.waiting_since, ${now}::timestamptz)
          else ${now}::timestamptz end,
        last_reply_at = case when l.last_reply is not null then ${now}::timestamptz else s.last_reply_at end,
        snoozed = s.snoozed and l.last_in is null,
        snoozed_until = case when l.last_in is null then s.snoozed_until end
      from latest l where s.tenant_id = l.tenant_id and s.conversation_id = l.conversation_id
    ), replied as (
      insert into conversation_facts (tenant_id, at, type, inbox_id, team_id, user_id, seconds)
      select s.tenant_id, ${now}::timestamptz, case when s.last_reply_at >= s.opened_at then 'reply' else 'first_reply' end,
        s.inbox_id, s.team_id, l.replied_by, greatest(0, extract(epoch from ${now}::timestamptz - s.waiting_since))
      from latest l join locked s on s.tenant_id = l.tenant_id and s.conversation_id = l.conversation_id
      where l.last_reply is not null and s.waiting_since is not null
    ), read_by_sender as (
      insert into read_cursors as r (tenant_id, user_id, conversation_id, position, customer_position)
      select n.tenant_id, p.sender_id, n.conversation_id, max(n.position), max(p.customer_position)
      from inserted n join placed p on p.tenant_id = n.tenant_id and p.id = n.id
      where p.direction = 'out' and p.sender_type = 'user'
      group by n.tenant_id, p.sender_id, n.conversation_id
      on conflict (tenant_id, user_id, conversation_id) do update
        set position = excluded.position, customer_position = greatest(r.customer_position, excluded.customer_position)
        where r.position < excluded.position
    ), emitted as (
      ${emit(sql`
        select p.event_id as event_id, p.tenant_id, ${messageCreated.type}::text as type, ${now}::timestamptz as at, p.event as data,
          p.audience, ${causationDepth}::int as causation_depth
        from placed p join inserted n on n.tenant_id = p.tenant_id and n.id = p.id
        order by p.tenant_id, p.conversation_id, p.position`)}
    )
    select id from inserted`
}
