/** Addresses of conversations. The primary key decides which of several concurrent transactions creates a conversation. */
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { sql } from '../../../platform/db/sql.ts'
import { type ConversationRow, conversationColumns } from './conversation-rows.ts'

export interface KnownAddress {
  address: string
  conversationId: string
  /** Whether the contact of the conversation owns its address; otherwise the address must be resolved again. */
  hasOwner: boolean
}

export function findConversationIdsByAddress(
  on: Queryable,
  tenantId: string,
  channel: string,
  addresses: readonly string[],
): Promise<KnownAddress[]> {
  return on.rows(sql`
    select a.conversation_id as "conversationId", a.address, s.contact_id is not null as "hasOwner"
    from conversation_addresses a
    left join lateral (
      select s.contact_id from conversation_states s
      where s.tenant_id = a.tenant_id and s.conversation_id = a.conversation_id limit 1) s on true
    where a.tenant_id = ${tenantId} and a.channel = ${channel} and a.address = any(${addresses})`)
}

export interface Address {
  tenantId: string
  channel: string
  address: string
}

/**
 * Lists conversations with the ordinal of their address, from 1. Lateral joins look each row up by its key, also when
 * the planner has no statistics of a new table.
 */
export function listConversationsByAddress(
  on: Queryable,
  addresses: readonly Address[],
): Promise<(ConversationRow & { ordinal: number })[]> {
  const column = (key: keyof Address) => addresses.map(address => address[key])
  return on.rows(sql`
    select ${conversationColumns}, key.ordinal
    from unnest(${column('tenantId')}::text[], ${column('channel')}::text[], ${column('address')}::text[])
      with ordinality as key (tenant_id, channel, address, ordinal)
    cross join lateral (
      select a.tenant_id, a.conversation_id from conversation_addresses a
      where a.tenant_id = key.tenant_id collate "C" and a.channel = key.channel collate "C"
        and a.address = key.address collate "C" limit 1) a
    cross join lateral (
      select * from conversations c where c.tenant_id = a.tenant_id and c.id = a.conversation_id limit 1) c
    cross join lateral (
      select * from conversation_states s
      where s.tenant_id = a.tenant_id and s.conversation_id = a.conversation_id limit 1) s
    left join lateral (
      select name, avatar_url from contacts k where k.tenant_id = c.tenant_id and k.id = c.contact_id limit 1) k on true`)
}

/** Returns the addresses that had no conversation. */
export function claimAddresses(
  tx: Tx,
  tenantId: string,
  channel: string,
  claims: readonly { address: string; conversationId: string }[],
): Promise<Set<string>> {
  return tx.set<string>(sql`
    insert into conversation_addresses (tenant_id, channel, address, conversation_id)
    select ${tenantId}, ${channel}, address, conversation_id
    from unnest(${claims.map(claim => claim.address)}::text[], ${claims.map(claim => claim.conversationId)}::text[])
      as i (address, conversation_id)
    order by address on conflict do nothing returning address`)
}
