/** Reads contacts by id, in the order of the ids. */

import type { Channel } from '../../platform/config.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../access.ts'
import type { ContactSummary } from '../schemas.ts'

export interface ContactRow {
  id: string
  name: string | null
  /** By field id, including values of deleted fields. */
  fields: Record<string, string>
  createdAt: string
  updatedAt: string
  archivedAt: string | null
  avatarUrl: string | null
  tagIds: string[]
  optOuts: Channel[]
  /** Channels on which the contact is reached but has no conversation yet have null. */
  conversations: {
    channel: Channel
    metadata: { phoneNumber: string | null }
    conversationId: string | null
  }[]
}

/** The identities of the contact `c`. */
export const allIdentities = raw(`(
  select * from contact_identities where tenant_id = c.tenant_id and contact_id = c.id offset 0)`)

/**
 * The same on these channels. The expression keeps the planner from indexes by channel: in a small table without statistics it
 * would read the identities of the whole workspace for each contact.
 */
const identitiesOn = (...on: Channel[]) =>
  raw(`(
  select * from contact_identities
  where tenant_id = c.tenant_id and contact_id = c.id and (channel || '') = any ('{${on}}') offset 0)`)
const phoneIdentities = identitiesOn('chatapp', 'sms')

/** A link `l` without a phone number of its own shows the contact's. */
export const phoneOrFirst = sql`coalesce(l.phone, (
  select p.phone from ${phoneIdentities} p where p.phone is not null order by p.created_at, p.id limit 1))`
const phoneMetadata = sql`json_build_object('phoneNumber', ${phoneOrFirst})`

const tagIds = sql`array(
  select l.tag_id from contact_tags l join tags t on t.tenant_id = l.tenant_id and t.id = l.tag_id
  where l.tenant_id = c.tenant_id and l.contact_id = c.id and t.deleted_at is null order by l.tag_id)`

const conversations = sql`coalesce((
  select json_agg(json_build_object(
    'conversationId', l.conversation_id, 'channel', l.channel, 'metadata', ${phoneMetadata})
    order by l.conversation_id, l.channel, l.phone)
  from (
    select v.conversation_id, v.channel, v.phone from contact_conversations v
    where v.tenant_id = c.tenant_id and v.contact_id = c.id
    union all
    select null, i.channel, i.phone from ${allIdentities} i
    where not i.reserved and not exists (select from contact_conversations v where v.tenant_id = c.tenant_id and v.contact_id = c.id
        and v.channel = i.channel and v.phone is not distinct from i.phone)) l), '[]')`

const optOuts = sql`array(
  select l.channel from contact_opt_outs l where l.tenant_id = c.tenant_id and l.contact_id = c.id order by l.channel)`

/**
 * The contacts `c` and their activity `a`, in the order of the ids. Deleted ones are left out after they were found: with
 * their condition, the planner would prefer indexes by other columns in a small table without statistics.
 */
export const fromRequested = (tenantId: string, ids: readonly string[]) => sql`
  from unnest(${ids}::text[]) with ordinality as requested (id, position)
  cross join lateral (
    select * from contacts where tenant_id = ${tenantId} and id = requested.id limit 1) c
  cross join lateral (
    select * from contact_activity where tenant_id = c.tenant_id and contact_id = c.id limit 1) a
  where c.deleted_at is null order by requested.position`

/** Reads contacts with their conversations, which costs more than everything else. */
export function listContactRows(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ContactRow[]> {
  return on.rows<ContactRow>(sql`
    select c.id, c.name, c.fields, c.created_at as "createdAt", a.updated_at as "updatedAt",
      c.archived_at as "archivedAt", c.avatar_url as "avatarUrl", ${tagIds} as "tagIds", ${optOuts} as "optOuts",
      ${conversations} as conversations
    ${fromRequested(tenantId, ids)}`)
}

const phone = sql`coalesce((
  select l.phone from ${identitiesOn('chatapp')} l where l.phone is not null
  order by l.created_at, l.id limit 1), c.fields ->> 'cf_phone')`

const tags = sql`coalesce((
  select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.id)
  from contact_tags l join tags t on t.tenant_id = l.tenant_id and t.id = l.tag_id
  where l.tenant_id = c.tenant_id and l.contact_id = c.id and t.deleted_at is null), '[]')`

const channels = sql`array(
  select distinct l.channel from ${allIdentities} l where not l.reserved order by 1)`

export type SummaryRow = ContactSummary & { fields: Record<string, string>; lastInteractionAt: string | null }

/** With all values, by field id. */
export function listSummaryRows(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<SummaryRow[]> {
  return on.rows<SummaryRow>(sql`
    select c.id, c.name, c.fields ->> 'cf_email' as email, ${phone} as phone, ${tags} as tags,
      ${channels} as channels, a.conversation_count > 0 as "hasConversations", c.created_at as "createdAt",
      a.updated_at as "updatedAt", c.archived_at as "archivedAt", c.avatar_url as "avatarUrl", c.fields,
      nullif(a.last_interaction_at, '-infinity') as "lastInteractionAt"
    ${fromRequested(tenantId, ids)}`)
}

/** Returns which of the contacts exist and are visible to the viewer. */
export async function listVisibleContacts(
  on: Queryable,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await on.rows<{ id: string }>(sql`
    select c.id from contacts c
    where c.tenant_id = ${viewer.tenantId} and c.id = any(${ids}) and c.deleted_at is null and ${visibleTo(viewer)}`)
  return new Set(rows.map(row => row.id))
}

/** All data of the contact that a filter can evaluate. */
export interface ContactSnapshot {
  id: string
  name: string | null
  fields: Record<string, string>
  phones: string[]
  channels: Channel[]
  tags: { id: string; name: string }[]
  optOuts: Channel[]
  createdAt: string
  archivedAt: string | null
  /** The import that has created the contact. */
  importId: string | null
  firstSeenAt: string | null
  lastInteractionAt: string | null
  chatCount: number
  /** Start times of its chats. */
  chats: string[]
}

const chats = sql`coalesce((
  select json_agg(to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') order by l.at)
  from contact_chats l where l.tenant_id = c.tenant_id and l.contact_id = c.id), '[]')`

const phones = sql`array(
  select distinct l.phone from ${phoneIdentities} l where l.phone is not null order by 1)`

export function loadSnapshots(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ContactSnapshot[]> {
  return on.rows<ContactSnapshot>(sql`
    select c.id, c.name, c.fields, ${phones} as phones, ${channels} as channels, ${tags} as tags,
      ${optOuts} as "optOuts", c.created_at as "createdAt", c.archived_at as "archivedAt", c.import_id as "importId",
      a.first_seen_at as "firstSeenAt",
      nullif(a.last_interaction_at, '-infinity') as "lastInteractionAt", a.chat_count as "chatCount", ${chats} as chats
    ${fromRequested(tenantId, ids)}`)
}
