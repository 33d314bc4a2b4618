/** By which names conversations go: the key of an address decides who makes its conversation when many write at once. */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type ConversationRow, conversationColumns } from './conversations.ts'

export function findConversationIdsByAddress(
  on: Queryable,
  tenantId: string,
  channel: string,
  addresses: readonly string[],
): Promise<{ conversationId: string; address: string }[]> {
  return on.rows(sql`
    select conversation_id as "conversationId", address from conversation_addresses
    where tenant_id = ${tenantId} and channel = ${channel} and address = any(${addresses})`)
}

export interface Address {
  tenantId: string
  channel: string
  address: string
}

/**
 * Those that go by these addresses, with the place of the address among them, from 1. Each is looked up by its keys,
 * whatever the planner believes of tables that have just begun to fill.
 */
export function listConversationsByAddress(
  on: Queryable,
  addresses: readonly Address[],
): Promise<(ConversationRow & { place: number })[]> {
  const column = (key: keyof Address) => addresses.map(one => one[key])
  return on.rows(sql`
    select ${conversationColumns}, asked.place
    from unnest(${column('tenantId')}::text[], ${column('channel')}::text[], ${column('address')}::text[])
      with ordinality as asked (tenant_id, channel, address, place)
    cross join lateral (
      select a.tenant_id, a.conversation_id from conversation_addresses a
      where a.tenant_id = asked.tenant_id collate "C" and a.channel = asked.channel collate "C"
        and a.address = asked.address collate "C" limit 1) a
    cross join lateral (
      select * from conversations c where c.tenant_id = a.tenant_id and c.id = a.conversation_id limit 1) c
    cross join lateral (
      select * from conversation_states s
      where s.tenant_id = a.tenant_id and s.conversation_id = a.conversation_id limit 1) s
    left join lateral (
      select name from contacts k where k.tenant_id = c.tenant_id and k.id = c.contact_id limit 1) k on true`)
}

/** Those addresses that nobody had. */
export async function claimAddresses(
  tx: Tx,
  tenantId: string,
  channel: string,
  claims: readonly { address: string; conversationId: string }[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ address: string }>(sql`
    insert into conversation_addresses (tenant_id, channel, address, conversation_id)
    select ${tenantId}, ${channel}, address, conversation_id
    from unnest(${claims.map(one => one.address)}::text[], ${claims.map(one => one.conversationId)}::text[])
      as i (address, conversation_id)
    order by address on conflict do nothing returning address`)
  return new Set(rows.map(row => row.address))
}
