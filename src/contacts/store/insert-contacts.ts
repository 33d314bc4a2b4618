/**
 * Inserts contacts; no other statement does. Claims their identities first and inserts only contacts whose claim
 * succeeded. The unique index grants exactly one of several concurrent claims; the others wait for it and fail.
 */

import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { FieldValueRow, StoredProfile } from '../search/search-document.ts'

export interface IdentityClaim {
  id: string
  channel: Channel
  externalId: string
  phone: string | null
  /** Keeps the phone number for the contact; not an identity of this channel. */
  reserved?: boolean
}

export interface NewContactRow extends StoredProfile {
  /** Created with ContactId.createAt(tx.now). */
  id: string
  claim: IdentityClaim | null
  values: FieldValueRow[]
  /** The import that creates the contact. */
  importId?: string
}

/** Returns the ids of the inserted contacts; a missing one lost its identity to another contact. */
export function insertContacts(
  tx: Tx,
  tenantId: string,
  contacts: readonly NewContactRow[],
): Promise<Set<string>> {
  const values = contacts.flatMap(contact =>
    contact.values.map(value => ({ contactId: contact.id, ...value })),
  )
  const column = <T>(pick: (contact: NewContactRow) => T) => contacts.map(pick)
  return tx.set<string>(sql`
    with input as (
      select * from unnest(
        ${column(c => c.id)}::text[], ${column(c => c.name)}::text[], ${column(c => c.sortName)}::text[],
        ${column(c => JSON.stringify(c.fields))}::text[], ${column(c => JSON.stringify(c.searchValues))}::text[],
        ${column(c => c.search)}::text[], ${column(c => c.fieldText)}::text[],
        ${column(c => c.claim?.id ?? null)}::text[], ${column(c => c.claim?.channel ?? null)}::text[],
        ${column(c => c.claim?.externalId ?? null)}::text[], ${column(c => c.claim?.phone ?? null)}::text[],
        ${column(c => c.claim?.reserved ?? false)}::boolean[], ${column(c => c.importId ?? null)}::text[]
      ) as i (id, name, sort_name, fields, search_values, search, field_text, identity_id, channel, external_id, phone,
        reserved, import_id)
    ), claimed as (
      insert into contact_identities (tenant_id, contact_id, id, channel, external_id, phone, reserved, created_at)
      select ${tenantId}, id, identity_id, channel, external_id, phone, reserved, ${tx.now}::timestamptz
      from input where identity_id is not null order by channel, external_id
      on conflict (tenant_id, channel, external_id) do nothing
      returning contact_id
    ), inserted as (
      insert into contacts (tenant_id, id, name, sort_name, fields, search_values, search, field_text, created_at, import_id)
      select ${tenantId}, id, name, sort_name, fields::jsonb, search_values::jsonb, search, field_text, ${tx.now}::timestamptz,
        import_id
      from input where identity_id is null or id in (select contact_id from claimed)
      returning id
    ), active as (
      insert into contact_activity (tenant_id, contact_id, updated_at)
      select ${tenantId}, id, ${tx.now}::timestamptz from inserted
    ), counted as (
      insert into contact_count_deltas (tenant_id, subject, n)
      select ${tenantId}, 'active', count(*) from inserted having count(*) > 0
    ), indexed as (
      insert into contact_field_values (tenant_id, field_id, key, contact_id, month_day)
      select ${tenantId}, v.field_id, v.key, v.contact_id, v.month_day
      from unnest(
        ${values.map(v => v.contactId)}::text[], ${values.map(v => v.fieldId)}::text[],
        ${values.map(v => v.key)}::text[], ${values.map(v => v.monthDay)}::text[]
      ) as v (contact_id, field_id, key, month_day)
      where v.contact_id in (select id from inserted)
    )
    select id from inserted`)
}
