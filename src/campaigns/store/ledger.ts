/** The ledger: who is in the audience of a campaign, and what became of their message. */
import type { Channel } from '../../platform/channels.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { RecipientStatus } from '../schemas.ts'

/** Everybody a select of ids gives, in one statement; how many they are. */
export async function insertAudience(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  matching: Sql,
): Promise<number> {
  const [row] = await tx.planned<{ n: number }>(sql`
    with written as (
      insert into campaign_recipients (tenant_id, campaign_id, contact_id, updated_at)
      select ${tenantId}, ${campaignId}, m.contact_id, ${tx.now}::timestamptz from (${matching}) m order by m.contact_id
      returning 1
    )
    select count(*) as n from written`)
  return row!.n
}

/** Where a contact is reached on a channel, for statements in which `k` is contacts. */
export const addressOf: Record<Channel, Sql> = {
  chatapp: raw(`(select coalesce(l.phone, l.external_id) from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = 'chatapp' and l.contact_id = k.id
    order by l.phone is null, l.created_at, l.id limit 1)`),
  sms: raw(`(select l.phone from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = any('{chatapp,sms}') and l.contact_id = k.id and l.phone is not null
    order by l.created_at, l.id limit 1)`),
  socialapp: raw(`(select l.external_id from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = 'socialapp' and l.contact_id = k.id
    order by l.created_at, l.id limit 1)`),
}

/** The same as a question; for a whole audience the server answers it from one look at all identities. */
const hasAddress: Record<Channel, Sql> = {
  chatapp: raw(`exists (select from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = 'chatapp' and l.contact_id = k.id)`),
  sms: raw(`exists (select from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = any('{chatapp,sms}') and l.contact_id = k.id
      and l.phone is not null)`),
  socialapp: raw(`exists (select from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = 'socialapp' and l.contact_id = k.id)`),
}

export interface Candidate {
  /** As the ledger has it. */
  recipientId: string
  /** Whom it stands for now; null when that contact is gone. */
  contactId: string | null
  /** Merged with somebody who is in the ledger too. */
  repeated: boolean
  name: string | null
  /** by id */
  fields: Record<string, string>
  archived: boolean
  optedOut: boolean
  address: string | null
  phone: string | null
  lastCustomerAt: string | null
}

/** The next in line, with all that decides whether they are written to; their contacts stay until the commit. */
export function loadBatch(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  batch: { after: string; limit: number; channel: Channel },
): Promise<Candidate[]> {
  const next = sql`
    select r.contact_id from campaign_recipients r
    where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and r.contact_id > ${batch.after}
      and r.status = 'pending' and r.message_id is null
    order by r.contact_id limit ${batch.limit}`
  return loadCandidates(tx, tenantId, campaignId, batch.channel, next)
}

/** One contact, as if it were next in line. */
export async function loadCandidate(
  tx: Tx,
  tenantId: string,
  contactId: string,
  channel: Channel,
): Promise<Candidate> {
  const [candidate] = await loadCandidates(
    tx,
    tenantId,
    '',
    channel,
    sql`select ${contactId}::text as contact_id`,
  )
  return candidate!
}

function loadCandidates(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  channel: Channel,
  next: Sql,
): Promise<Candidate[]> {
  // Planned for its values: not knowing how few they are, the server would read all contacts.
  return tx.planned(sql`
    with next as materialized (
      ${next}
    ), living as materialized (
      select n.contact_id as recipient_id, k.* from next n
      join contacts c on c.tenant_id = ${tenantId} and c.id = n.contact_id
      join contacts k on k.tenant_id = c.tenant_id and k.id = coalesce(c.merged_into, c.id) and k.deleted_at is null
      order by k.id for share of k
    ), reached as materialized (
      select k.*, ${addressOf[channel]} as address, ${addressOf.sms} as phone from living k
    )
    select n.contact_id as "recipientId", k.id as "contactId", k.name, coalesce(k.fields, '{}') as fields,
      k.archived_at is not null as archived, k.address, coalesce(k.phone, k.fields ->> 'cf_phone') as phone,
      coalesce((
        select true from campaign_recipients o where o.tenant_id = ${tenantId} and o.campaign_id = ${campaignId}
          and o.contact_id = k.id and k.id <> n.contact_id limit 1), (
        select true from contacts m join campaign_recipients o
          on o.tenant_id = ${tenantId} and o.campaign_id = ${campaignId} and o.contact_id = m.id
        where m.tenant_id = ${tenantId} and m.merged_into = k.id and o.message_id is not null limit 1),
        false) as repeated,
      coalesce((
        select true from contact_opt_outs o
        where o.tenant_id = ${tenantId} and o.contact_id = k.id and o.channel = ${channel} limit 1), false)
        as "optedOut",
      (select s.last_customer_at from conversation_addresses a
        join conversation_states s on s.tenant_id = a.tenant_id and s.conversation_id = a.conversation_id
        where a.tenant_id = ${tenantId} and a.channel = ${channel} and a.address = k.address) as "lastCustomerAt"
    from next n left join reached k on k.recipient_id = n.contact_id
    order by n.contact_id`)
}

export interface Verdict {
  recipientId: string
  /** The same unless the contact was merged meanwhile. */
  contactId: string
  messageId: string | null
  reason: string | null
}

/** What was decided about a batch: a message or a reason to leave somebody out. */
export async function recordVerdicts(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  verdicts: readonly Verdict[],
): Promise<void> {
  const column = <K extends keyof Verdict>(name: K) => verdicts.map(verdict => verdict[name])
  await tx.run(sql`
    update campaign_recipients r set contact_id = v.contact_id, message_id = v.message_id, reason = v.reason,
      status = case when v.reason is null then 'pending' else 'skipped' end, updated_at = ${tx.now}
    from unnest(${column('recipientId')}::text[], ${column('contactId')}::text[], ${column('messageId')}::text[],
      ${column('reason')}::text[]) as v (recipient_id, contact_id, message_id, reason)
    where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and r.contact_id = v.recipient_id`)
}

/** Leaves out the next of those who have not had a turn; how many they were. Planned for its values, as above. */
export async function skipRemaining(
  tx: Tx,
  tenantId: string,
  campaignId: string,
  reason: string,
  limit: number,
): Promise<number> {
  const [row] = await tx.planned<{ n: number }>(sql`
    with next as materialized (
      select p.contact_id from campaign_recipients p
      where p.tenant_id = ${tenantId} and p.campaign_id = ${campaignId} and p.status = 'pending'
        and p.message_id is null and p.contact_id > coalesce((
          select g.reached from campaign_progress g where g.tenant_id = ${tenantId} and g.campaign_id = ${campaignId}), '')
      order by p.contact_id limit ${limit} for no key update
    ), skipped as (
      update campaign_recipients r set status = 'skipped', reason = ${reason}, updated_at = ${tx.now} from next
      where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and r.contact_id = next.contact_id
      returning 1
    )
    select count(*) as n from skipped`)
  return row!.n
}

export interface StatusNews {
  campaignId: string
  recipientId: string
  messageId: string
  status: RecipientStatus
  reason: string | null
  at: string
}

export interface Moved {
  campaignId: string
  before: RecipientStatus
  after: RecipientStatus
  reason: string | null
  at: string
}

/** Status only moves up by its rank, as that of messages does; what is no news is not among those that moved. */
export function applyNews(tx: Tx, tenantId: string, news: readonly StatusNews[]): Promise<Moved[]> {
  const column = <K extends keyof StatusNews>(name: K) => news.map(one => one[name])
  const rank = (status: Sql) =>
    sql`array_position('{pending,skipped,sent,failed,delivered,read}'::text[], ${status})`
  return tx.rows(sql`
    with news as (
      select * from unnest(${column('campaignId')}::text[], ${column('recipientId')}::text[],
        ${column('messageId')}::text[], ${column('status')}::text[], ${column('reason')}::text[],
        ${column('at')}::timestamptz[]) as n (campaign_id, contact_id, message_id, status, reason, at)
    ), held as (
      select r.campaign_id, r.contact_id, r.status as before, n.status as after, n.reason, n.at
      from news n join campaign_recipients r on r.tenant_id = ${tenantId} and r.campaign_id = n.campaign_id
        and r.contact_id = n.contact_id and r.message_id = n.message_id
      where ${rank(raw('n.status'))} > ${rank(raw('r.status'))}
      order by r.campaign_id, r.contact_id for no key update of r
    )
    update campaign_recipients r set status = h.after, reason = h.reason, updated_at = h.at
    from held h where r.tenant_id = ${tenantId} and r.campaign_id = h.campaign_id and r.contact_id = h.contact_id
    returning r.campaign_id as "campaignId", h.before, h.after, h.reason, h.at`)
}

/** Those recipients that had not answered before. */
export function markReplied(
  tx: Tx,
  tenantId: string,
  replies: readonly { campaignId: string; recipientId: string; at: string }[],
): Promise<{ campaignId: string; recipientId: string }[]> {
  return tx.rows(sql`
    update campaign_recipients r set replied_at = n.at
    from unnest(${replies.map(one => one.campaignId)}::text[], ${replies.map(one => one.recipientId)}::text[],
      ${replies.map(one => one.at)}::timestamptz[]) as n (campaign_id, contact_id, at)
    where r.tenant_id = ${tenantId} and r.campaign_id = n.campaign_id and r.contact_id = n.contact_id
      and r.replied_at is null and r.message_id is not null
    returning r.campaign_id as "campaignId", r.contact_id as "recipientId"`)
}

export interface Answered {
  messageId: string
  campaignId: string
  recipientId: string
}

/**
 * Which of these inbound messages answer a campaign: they quote its message, or it was the last thing said to the person
 * before they wrote.
 */
export function findAnswered(
  tx: Tx,
  tenantId: string,
  inbound: readonly { messageId: string; quotedId: string | null }[],
): Promise<Answered[]> {
  return tx.rows(sql`
    select n.message_id as "messageId", o.sender_id as "campaignId", o.client_message_id as "recipientId"
    from unnest(${inbound.map(one => one.messageId)}::text[], ${inbound.map(one => one.quotedId)}::text[])
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

const shown = raw(`r.contact_id as "contactId", coalesce(s.name, k.name) as "contactName", r.status, r.reason,
  r.message_id as "messageId", r.updated_at as "updatedAt"`)

/** Newest contacts first; planned for its values, as above. */
export function listRecipients(
  db: Db,
  tenantId: string,
  campaignId: string,
  status: RecipientStatus | undefined,
  page: { limit: number; before: unknown },
): Promise<RecipientRow[]> {
  const only = status ? sql`and r.status = ${status}` : raw('')
  const before = page.before === undefined ? raw('') : sql`and r.contact_id < ${page.before}`
  return db.planned(sql`
    select ${shown} from campaign_recipients r
    left join contacts k on k.tenant_id = r.tenant_id and k.id = r.contact_id
    left join contacts s on s.tenant_id = k.tenant_id and s.id = k.merged_into
    where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} ${only} ${before}
    order by r.contact_id desc limit ${page.limit}`)
}

export interface Estimated {
  reason: string | null
  n: number
}

/** How many of an audience would be left out and why, and how many not; planned for its values. */
export function countByReason(
  db: Db,
  tenantId: string,
  matching: Sql,
  rules: { channel: Channel; isOpen: Sql; isMissing: Sql },
): Promise<Estimated[]> {
  const { channel, isOpen, isMissing } = rules
  return db.planned(sql`
    select case
      when k.archived_at is not null then 'archived'
      when o.contact_id is not null then 'opted_out'
      when not ${hasAddress[channel]} then 'no_identity'
      when not (${isOpen}) then 'window_closed'
      when ${isMissing} then 'missing_parameter' end as reason, count(*) as n
    from (${matching}) m join contacts k on k.tenant_id = ${tenantId} and k.id = m.contact_id
    left join contact_opt_outs o on o.tenant_id = k.tenant_id and o.contact_id = k.id and o.channel = ${channel}
    group by 1`)
}
