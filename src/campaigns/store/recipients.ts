import type { Db, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { RecipientReasons, RecipientStatus } from '../schemas.ts'

/** Inserts all contacts of a query as recipients; returns their number. */
export async function insertAudience(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  matching: Sql,
): Promise<number> {
  const [row] = await tx.unprepared<{ n: number }>(sql`
    with written as (
      insert into campaign_recipients (tenant_id, campaign_id, contact_id, updated_at)
      select ${tenantId}, ${campaignId}, m.contact_id, ${tx.now}::timestamptz from (${matching}) m order by m.contact_id
      returning 1
    )
    select count(*) as n from written`)
  return row!.n
}

export interface RecipientResult {
  recipientId: string
  /** Differs from recipientId if the contact was merged meanwhile. */
  contactId: string
  messageId: string | null
  reason: string | null
}

export async function recordResults(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  results: readonly RecipientResult[],
): Promise<void> {
  const column = <K extends keyof RecipientResult>(name: K) => results.map(result => result[name])
  await tx.run(sql`
    update campaign_recipients r set contact_id = v.contact_id, message_id = v.message_id, reason = v.reason,
      status = case when v.reason is null then 'pending' else 'skipped' end, updated_at = ${tx.now}
    from unnest(${column('recipientId')}::text[], ${column('contactId')}::text[], ${column('messageId')}::text[],
      ${column('reason')}::text[]) as v (recipient_id, contact_id, message_id, reason)
    where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and r.contact_id = v.recipient_id`)
}

/** Skips the next recipients that were not dispatched; returns their number. Planned for its values: `limit` is small. */
export async function skipRemaining(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  reason: string,
  limit: number,
): Promise<number> {
  const [row] = await tx.unprepared<{ n: number }>(sql`
    with next as materialized (
      select p.contact_id from campaign_recipients p
      where p.tenant_id = ${tenantId} and p.campaign_id = ${campaignId} and p.status = 'pending'
        and p.message_id is null and p.contact_id > coalesce((
          select g.cursor from campaign_progress g where g.tenant_id = ${tenantId} and g.campaign_id = ${campaignId}), '')
      order by p.contact_id limit ${limit} for no key update
    ), skipped as (
      update campaign_recipients r set status = 'skipped', reason = ${reason}, updated_at = ${tx.now} from next
      where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and r.contact_id = next.contact_id
      returning 1
    )
    select count(*) as n from skipped`)
  return row!.n
}

export interface RecipientUpdate {
  campaignId: string
  recipientId: string
  messageId: string
  status: RecipientStatus
  reason: string | null
  at: string
}

export interface StatusChange {
  campaignId: string
  before: RecipientStatus
  after: RecipientStatus
  reason: string | null
  at: string
}

/** Raises statuses by rank, like those of messages; returns only the recipients that changed. */
export function applyRecipientUpdates(
  tx: Tx,
  tenantId: string,
  updates: readonly RecipientUpdate[],
): Promise<StatusChange[]> {
  const column = <K extends keyof RecipientUpdate>(name: K) => updates.map(update => update[name])
  const rank = (status: Sql) =>
    sql`array_position('{pending,skipped,sent,failed,delivered,read}'::text[], ${status})`
  return tx.rows(sql`
    with updates as (
      select * from unnest(${column('campaignId')}::text[], ${column('recipientId')}::text[],
        ${column('messageId')}::text[], ${column('status')}::text[], ${column('reason')}::text[],
        ${column('at')}::timestamptz[]) as n (campaign_id, contact_id, message_id, status, reason, at)
    ), locked as (
      select r.campaign_id, r.contact_id, r.status as before, n.status as after, n.reason, n.at
      from updates n join campaign_recipients r on r.tenant_id = ${tenantId} and r.campaign_id = n.campaign_id
        and r.contact_id = n.contact_id and r.message_id = n.message_id
      where ${rank(raw('n.status'))} > ${rank(raw('r.status'))}
      order by r.campaign_id, r.contact_id for no key update of r
    )
    update campaign_recipients r set status = h.after, reason = h.reason, updated_at = h.at
    from locked h where r.tenant_id = ${tenantId} and r.campaign_id = h.campaign_id and r.contact_id = h.contact_id
    returning r.campaign_id as "campaignId", h.before, h.after, h.reason, h.at`)
}

/** Returns the recipients that had not replied before. */
export function markReplied(
  tx: Tx,
  tenantId: string,
  replies: readonly { campaignId: string; recipientId: string; at: string }[],
): Promise<{ campaignId: string; recipientId: string }[]> {
  return tx.rows(sql`
    update campaign_recipients r set replied_at = n.at
    from unnest(${replies.map(reply => reply.campaignId)}::text[], ${replies.map(reply => reply.recipientId)}::text[],
      ${replies.map(reply => reply.at)}::timestamptz[]) as n (campaign_id, contact_id, at)
    where r.tenant_id = ${tenantId} and r.campaign_id = n.campaign_id and r.contact_id = n.contact_id
      and r.replied_at is null and r.message_id is not null
    returning r.campaign_id as "campaignId", r.contact_id as "recipientId"`)
}

export interface CampaignReply {
  messageId: string
  campaignId: string
  recipientId: string
}

/** Finds inbound messages that reply to a campaign: they quote its message or directly follow it in the conversation. */
export function findCampaignReplies(
  tx: Tx,
  tenantId: string,
  inbound: readonly { messageId: string; quotedId: string | null }[],
): Promise<CampaignReply[]> {
  return tx.rows(sql`
    select n.message_id as "messageId", o.sender_id as "campaignId", o.client_message_id as "recipientId"
    from unnest(${inbound.map(message => message.messageId)}::text[], ${inbound.map(message => message.quotedId)}::text[])
      as n (message_id, quoted_id)
    join messages i on i.tenant_id = ${tenantId} and i.id = n.message_id
    cross join lateral (
      select coalesce(
        (select q.id from messages q where q.tenant_id = ${tenantId} and q.id = n.quoted_id
          and q.sender_type = 'campaign'),
        (select l.id from messages l where l.tenant_id = ${tenantId} and l.conversation_id = i.conversation_id
          and l.position < i.position and l.direction = 'out' and l.status <> 'failed'
        order by l.position desc limit 1)) as id
    ) answered
    join messages o on o.tenant_id = ${tenantId} and o.id = answered.id
    where o.sender_type = 'campaign' and o.client_message_id is not null
      and o.created_at > i.created_at - interval '30 days'`)
}

export interface RecipientRow {
  contactId: string
  contactName: string | null
  status: RecipientStatus
  reason: string | null
  messageId: string | null
  updatedAt: string
}

export interface RecipientFilter {
  status?: RecipientStatus | undefined
  reason?: string | undefined
}

const columns =
  raw(`r.contact_id as "contactId", coalesce(s.name, k.name) as "contactName", r.status, r.reason,
  r.message_id as "messageId", r.updated_at as "updatedAt"`)

/** Newest contacts first. Planned for its values. */
export function listRecipients(
  db: Db,
  tenantId: string,
  campaignId: string,
  { status, reason }: RecipientFilter,
  page: { limit: number; before: unknown },
): Promise<RecipientRow[]> {
  const only = sql`${status ? sql`and r.status = ${status}` : raw('')}
    ${reason === undefined ? raw('') : sql`and coalesce(r.reason, '') = ${reason}`}`
  const before = page.before === undefined ? raw('') : sql`and r.contact_id < ${page.before}`
  return db.search(
    tenantId,
    sql`
    select ${columns} from campaign_recipients r
    left join contacts k on k.tenant_id = r.tenant_id and k.id = r.contact_id
    left join contacts s on s.tenant_id = k.tenant_id and s.id = k.merged_into
    where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} ${only} ${before}
    order by r.contact_id desc limit ${page.limit}`,
  )
}

/** Counts the recipients without a message by reason; an index has only these recipients. */
export function countReasons(
  db: Db,
  tenantId: string,
  campaignId: string,
): Promise<RecipientReasons['items']> {
  return db.search(
    tenantId,
    sql`
    select r.status, coalesce(r.reason, '') as reason, count(*)::int as count from campaign_recipients r
    where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and r.status in ('failed', 'skipped')
    group by 1, 2 order by 3 desc, 1, 2`,
  )
}
