import type { Channel } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { IdentityClaim } from './insert-contacts.ts'

export interface IdentityRow {
  id: string
  contactId: string
  channel: Channel
  externalId: string
  phone: string | null
  /** The name that the customer has chosen at the provider. */
  username: string | null
  /** Keeps the phone number for the contact; not an identity of this channel. */
  reserved: boolean
}

const columns = sql`id, contact_id as "contactId", channel, external_id as "externalId", phone, username,
  reserved`

export function findIdentity(
  on: Queryable,
  tenantId: string,
  channel: Channel,
  externalId: string,
): Promise<IdentityRow | undefined> {
  return on.maybe<IdentityRow>(sql`
    select ${columns} from contact_identities
    where tenant_id = ${tenantId} and channel = ${channel} and external_id = ${externalId}`)
}

export function listIdentitiesByClaims(
  on: Queryable,
  tenantId: string,
  claims: readonly IdentityClaim[],
): Promise<IdentityRow[]> {
  return on.rows<IdentityRow>(sql`
    select ${columns} from contact_identities
    where tenant_id = ${tenantId} and (channel, external_id) in (
      select c collate "C", e collate "C"
      from unnest(${claims.map(claim => claim.channel)}::text[], ${claims.map(claim => claim.externalId)}::text[]) as k(c, e))`)
}

/** Returns the contact of each phone number, undefined where none has it. */
export async function listPhoneOwners(
  on: Queryable,
  phones: readonly { tenantId: string; phone: string }[],
): Promise<(string | undefined)[]> {
  // The lateral join uses the key even without fresh statistics.
  const rows = await on.rows<{ n: number; contactId: string }>(sql`
    select k.n, i.contact_id as "contactId"
    from unnest(${phones.map(key => key.tenantId)}::text[], ${phones.map(key => key.phone)}::text[])
      with ordinality as k (tenant_id, phone, n)
    cross join lateral (
      select contact_id from contact_identities
      where tenant_id = k.tenant_id collate "C" and channel = 'chatapp' and external_id = k.phone collate "C"
      limit 1) i`)
  const owners = new Map(rows.map(row => [row.n, row.contactId]))
  return phones.map((_, i) => owners.get(i + 1))
}

export function listIdentities(on: Queryable, tenantId: string, contactId: string): Promise<IdentityRow[]> {
  return on.rows<IdentityRow>(sql`
    select ${columns} from unnest('{chatapp,socialapp,sms,webchat}'::text[]) as wanted (wanted_channel)
    cross join lateral (
      select * from contact_identities
      where tenant_id = ${tenantId} and channel = wanted_channel and contact_id = ${contactId} order by id) i
    where not reserved
    order by created_at, id`)
}

/** Returns false when another contact, or this one, has it already. A number that the contact has reserved is claimed. */
export async function claimIdentity(
  tx: Tx,
  tenantId: string,
  contactId: string,
  claim: IdentityClaim & { username?: string | null },
): Promise<boolean> {
  const claimed = await tx.run(sql`
    insert into contact_identities as i
      (tenant_id, contact_id, id, channel, external_id, phone, username, reserved, created_at)
    values (${tenantId}, ${contactId}, ${claim.id}, ${claim.channel}, ${claim.externalId}, ${claim.phone},
      ${claim.username ?? null}, ${claim.reserved ?? false}, ${tx.now})
    on conflict (tenant_id, channel, external_id) do update set reserved = false
      where i.contact_id = excluded.contact_id and i.reserved and not excluded.reserved`)
  return claimed === 1
}

/** Adds phone numbers on another channel. Existing identities keep their contact. */
export async function claimPhones(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  claims: readonly { id: string; contactId: string; phone: string }[],
): Promise<void> {
  await tx.run(sql`
    insert into contact_identities (tenant_id, contact_id, id, channel, external_id, phone, created_at)
    select ${tenantId}, contact_id, id, ${channel}, phone, phone, ${tx.now}::timestamptz
    from unnest(${claims.map(claim => claim.contactId)}::text[], ${claims.map(claim => claim.id)}::text[],
      ${claims.map(claim => claim.phone)}::text[]) as i (contact_id, id, phone)
    order by phone
    on conflict (tenant_id, channel, external_id) do nothing`)
}

/** Makes reserved phone numbers identities of chatapp. */
export async function clearReserved(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    update contact_identities set reserved = false
    where tenant_id = ${tenantId} and channel = 'chatapp' and id = any(${ids}) and reserved`)
}

/** Deletes the provider's user ids of a contact in favour of a phone number, which keeps their username. */
export async function replaceUserIds(
  tx: Tx,
  tenantId: string,
  contactId: string,
  { channel, phone, userIds }: { channel: Channel; phone: string; userIds: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    with deleted as (
      delete from contact_identities
      where tenant_id = ${tenantId} and channel = ${channel} and external_id = any(${userIds})
        and contact_id = ${contactId}
      returning username
    )
    update contact_identities i set username = coalesce(i.username, deleted.username) from deleted
    where i.tenant_id = ${tenantId} and i.channel = ${channel} and i.external_id = ${phone}
      and i.contact_id = ${contactId} and deleted.username is not null`)
}

export async function setUsername(
  tx: Tx,
  tenantId: string,
  contactId: string,
  { channel, externalId }: { channel: Channel; externalId: string },
  username: string,
): Promise<void> {
  await tx.run(sql`
    update contact_identities set username = ${username}
    where tenant_id = ${tenantId} and channel = ${channel} and external_id = ${externalId}
      and contact_id = ${contactId} and username is distinct from ${username}`)
}

/** Takes an address from its contact; a phone number on every channel. */
export async function releaseAddress(
  tx: Tx,
  tenantId: string,
  { contactId, channel, externalId, phone }: Omit<IdentityRow, 'id' | 'username' | 'reserved'>,
): Promise<void> {
  if (phone !== null) return releasePhone(tx, tenantId, contactId, phone)
  await tx.run(sql`
    delete from contact_identities
    where tenant_id = ${tenantId} and channel = ${channel} and external_id = ${externalId} and contact_id = ${contactId}`)
}

export async function releasePhone(
  tx: Tx,
  tenantId: string,
  contactId: string,
  phone: string,
): Promise<void> {
  await tx.run(sql`
    delete from contact_identities
    where tenant_id = ${tenantId} and channel = any('{chatapp,sms}') and external_id = ${phone}
      and contact_id = ${contactId}`)
}

export async function releaseIdentities(tx: Tx, tenantId: string, contactId: string): Promise<void> {
  await tx.run(sql`
    delete from contact_identities
    where tenant_id = ${tenantId} and channel = any('{chatapp,socialapp,sms,webchat}') and contact_id = ${contactId}`)
}
