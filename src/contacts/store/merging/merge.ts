/** Moves the data of one locked contact to another. */
import type { Tx } from '../../../platform/db/db.ts'
import { sql } from '../../../platform/db/sql.ts'

/** Serializes the merges of a workspace: a merge also changes aliases, which it cannot lock in id order. */
export async function lockMerges(tx: Tx, tenantId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`parley merge ${tenantId}`}, 0))`)
}

/** Moves identities behind the survivor's own, so that its first phone number stays first. Returns whether a phone moved. */
export async function moveIdentities(tx: Tx, tenantId: string, from: string, into: string): Promise<boolean> {
  const moved = await tx.rows<{ phone: string | null }>(sql`
    update contact_identities set contact_id = ${into}, created_at = ${tx.now}
    where tenant_id = ${tenantId} and channel = any('{chatapp,socialapp,sms,webchat}') and contact_id = ${from}
    returning phone`)
  return moved.some(({ phone }) => phone !== null)
}

/** Copies the tags. Returns the tags that are new to the survivor. */
export function moveTags(tx: Tx, tenantId: string, from: string, into: string): Promise<string[]> {
  return tx.values<string>(sql`
    with added as (
      insert into contact_tags (tenant_id, tag_id, contact_id)
      select l.tenant_id, l.tag_id, ${into} from contact_tags l
      join tags t on t.tenant_id = l.tenant_id and t.id = l.tag_id and t.deleted_at is null
      where l.tenant_id = ${tenantId} and l.contact_id = ${from} order by l.tag_id
      on conflict do nothing
      returning tag_id
    ), counted as (
      insert into contact_count_deltas (tenant_id, subject, n) select ${tenantId}, tag_id, 1 from added
    )
    select tag_id from added order by tag_id`)
}

/** Moves conversations, chats, custom events, opt-outs and activity times. Returns the moved conversations. */
export async function moveActivity(tx: Tx, tenantId: string, from: string, into: string): Promise<string[]> {
  await tx.rows(sql`
    select 1 from contact_activity where tenant_id = ${tenantId} and contact_id = any(${[from, into]})
    order by contact_id for update`)
  await tx.run(sql`
    insert into contact_opt_outs (tenant_id, contact_id, channel, at, set_by)
    select tenant_id, ${into}, channel, at, set_by from contact_opt_outs where tenant_id = ${tenantId} and contact_id = ${from}
    on conflict do nothing`)
  const moved = await tx.rows<{ id: string }>(sql`
    with chats as (
      update contact_chats set contact_id = ${into} where tenant_id = ${tenantId} and contact_id = ${from}
      returning session_id
    ), events as (
      update contact_events set contact_id = ${into} where tenant_id = ${tenantId} and contact_id = ${from}
    ), conversations as (
      update contact_conversations set contact_id = ${into} where tenant_id = ${tenantId} and contact_id = ${from}
      returning conversation_id
    ), summed as (
      update contact_activity a set
        first_seen_at = least(a.first_seen_at, o.first_seen_at),
        last_interaction_at = greatest(a.last_interaction_at, o.last_interaction_at),
        chat_count = a.chat_count + (select count(*) from chats),
        conversation_count = a.conversation_count + (select count(*) from conversations)
      from contact_activity o
      where a.tenant_id = ${tenantId} and a.contact_id = ${into} and o.tenant_id = ${tenantId} and o.contact_id = ${from}
    )
    select conversation_id as id from conversations order by 1`)
  return moved.map(conversation => conversation.id)
}

/** Points the ids that were merged into the other contact to the survivor. */
export async function repointAliases(tx: Tx, tenantId: string, from: string, into: string): Promise<void> {
  await tx.run(sql`
    update contacts set merged_into = ${into} where tenant_id = ${tenantId} and merged_into = ${from}`)
}

/** Gives the picture to a survivor without one. Returns whether it did. */
export async function moveAvatar(tx: Tx, tenantId: string, from: string, into: string): Promise<boolean> {
  const moved = await tx.run(sql`
    update contacts c set avatar_url = o.avatar_url from contacts o
    where c.tenant_id = ${tenantId} and c.id = ${into} and c.avatar_url is null
      and o.tenant_id = ${tenantId} and o.id = ${from} and o.avatar_url is not null`)
  return moved > 0
}
