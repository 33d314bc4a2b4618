/** Candidates of a campaign with the data that decides on their eligibility. */
import { buildSendBlockSql, type SendTerms } from '../../conversations/outbound/send-policy.ts'
import type { Channel } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'

/** The identities `l` of the contact `k` that messages on a channel can go to. */
const identities: Record<Channel, string> = {
  chatapp: `from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = 'chatapp' and l.contact_id = k.id`,
  sms: `from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = any('{chatapp,sms}') and l.contact_id = k.id and l.phone is not null`,
  socialapp: `from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = 'socialapp' and l.contact_id = k.id`,
  webchat: `from contact_identities l
    where l.tenant_id = k.tenant_id and l.channel = 'webchat' and l.contact_id = k.id`,
}

/**
 * The same for one contact after the other. The order makes the primary key the cheapest index: in a table of some thousand
 * rows without statistics the planner would otherwise read the identities of the whole workspace for each contact.
 */
const identitiesOf = (
  ...on: Channel[]
) => `from unnest('{${on}}'::text[]) as wanted (channel) cross join lateral (
    select * from contact_identities
    where tenant_id = k.tenant_id and channel = wanted.channel and contact_id = k.id order by id) l`

/** Address of a contact on a channel; expressions on `contacts k`. */
export const addressColumns: Record<Channel, Sql> = {
  chatapp: raw(`(select coalesce(l.phone, l.external_id) ${identitiesOf('chatapp')}
    order by l.phone is null, l.created_at, l.id limit 1)`),
  sms: raw(`(select l.phone ${identitiesOf('chatapp', 'sms')} where l.phone is not null
    order by l.created_at, l.id limit 1)`),
  socialapp: raw(`(select l.external_id ${identitiesOf('socialapp')} order by l.created_at, l.id limit 1)`),
  webchat: raw(`(select l.external_id ${identitiesOf('webchat')} order by l.created_at, l.id limit 1)`),
}

/** Whether an address exists; as a semi-join, which reads all identities once for a whole audience. */
const hasAddress = (channel: Channel): Sql => raw(`exists (select ${identities[channel]})`)

export interface Candidate {
  /** Contact id in campaign_recipients. */
  recipientId: string
  /** The contact it was merged into, or the same id; null if deleted. */
  contactId: string | null
  /** Merged into another recipient of the campaign. */
  isDuplicate: boolean
  name: string | null
  /** By field id. */
  fields: Record<string, string>
  archived: boolean
  optedOut: boolean
  address: string | null
  phone: string | null
  lastCustomerAt: string | null
}

/** Loads the next recipients and share-locks their contacts until commit. */
export function loadNextCandidates(
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
  // Planned for its values: a generic plan would read all contacts.
  return tx.unprepared(sql`
    with next as materialized (
      ${next}
    ), existing as materialized (
      select n.contact_id as recipient_id, k.* from next n
      join contacts c on c.tenant_id = ${tenantId} and c.id = n.contact_id
      join contacts k on k.tenant_id = c.tenant_id and k.id = coalesce(c.merged_into, c.id)
      order by k.id for share of k
    ), addressed as materialized (
      select k.*, ${addressColumns[channel]} as address, ${addressColumns.sms} as phone from existing k
      where k.deleted_at is null
    )
    select n.contact_id as "recipientId", k.id as "contactId", k.name, coalesce(k.fields, '{}') as fields,
      k.archived_at is not null as archived, k.address, coalesce(k.phone, k.fields ->> 'cf_phone') as phone,
      coalesce((
        select true from campaign_recipients o where o.tenant_id = ${tenantId} and o.campaign_id = ${campaignId}
          and o.contact_id = k.id and k.id <> n.contact_id limit 1), (
        select true from contacts m join campaign_recipients o
          on o.tenant_id = ${tenantId} and o.campaign_id = ${campaignId} and o.contact_id = m.id
        where m.tenant_id = ${tenantId} and m.merged_into = k.id and o.message_id is not null limit 1),
        false) as "isDuplicate",
      coalesce((
        select true from contact_opt_outs o
        where o.tenant_id = ${tenantId} and o.contact_id = k.id and o.channel = ${channel} limit 1), false)
        as "optedOut",
      ${selectLastCustomerAt(tenantId, channel, raw('k.address'))} as "lastCustomerAt"
    from next n left join addressed k on k.recipient_id = n.contact_id
    order by n.contact_id`)
}

export interface ReasonCount {
  reason: string | null
  n: number
}

export interface SendRules {
  terms: SendTerms
  isMissing: Sql
}

/** Selects the audience with the skip reason of each contact (null: sendable). */
function selectReasons(tenantId: string, matching: Sql, rules: SendRules): Sql {
  const { channel } = rules.terms
  const facts = {
    isArchived: raw('k.archived_at is not null'),
    isOptedOut: raw('o.contact_id is not null'),
    hasAddress: hasAddress(channel),
    lastCustomerAt: selectLastCustomerAt(tenantId, channel, addressColumns[channel]),
  }
  return sql`
    select k.id, k.name, coalesce(${buildSendBlockSql(facts, rules.terms)},
      case when ${rules.isMissing} then 'missing_parameter' end) as reason
    from (${matching}) m join contacts k on k.tenant_id = ${tenantId} and k.id = m.contact_id
    left join contact_opt_outs o on o.tenant_id = k.tenant_id and o.contact_id = k.id and o.channel = ${channel}`
}

/** Counts the audience by skip reason. Planned for its values. */
export function countByReason(
  db: Db,
  tenantId: string,
  matching: Sql,
  rules: SendRules,
): Promise<ReasonCount[]> {
  const audience = selectReasons(tenantId, matching, rules)
  return db.search(tenantId, sql`select e.reason, count(*) as n from (${audience}) e group by 1`)
}

/** Lists the contacts of the audience with this skip reason (null: sendable), newest first. Planned for its values. */
export function listByReason(
  db: Db,
  tenantId: string,
  matching: Sql,
  rules: SendRules,
  page: { reason: string | null; limit: number; before: unknown },
): Promise<{ id: string; name: string | null }[]> {
  const { reason } = page
  const isWanted = reason === null ? raw('e.reason is null') : sql`e.reason = ${reason}`
  const before = page.before === undefined ? raw('') : sql`and e.id < ${page.before}`
  const audience = selectReasons(tenantId, matching, rules)
  return db.search(
    tenantId,
    sql`
    select e.id, e.name from (${audience}) e where ${isWanted} ${before}
    order by e.id desc limit ${page.limit}`,
  )
}

/** Time of the customer's last message in the conversation with an address. */
function selectLastCustomerAt(tenantId: string, channel: Channel, address: Sql): Sql {
  return sql`(select s.last_customer_at from conversation_addresses a
    join conversation_states s on s.tenant_id = a.tenant_id and s.conversation_id = a.conversation_id
    where a.tenant_id = ${tenantId} and a.channel = ${channel} and a.address = ${address})`
}
