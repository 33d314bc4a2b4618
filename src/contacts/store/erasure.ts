import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface ErasableContact {
  id: string
  deleted: boolean
  phones: string[]
}

/** Locks the contact, deleted or not, and the contacts merged into it. */
export function lockContactsForErasure(tx: Tx, tenantId: string, id: string): Promise<ErasableContact[]> {
  return tx.rows<ErasableContact>(sql`
    select id, deleted_at is not null as deleted, array(
      select external_id from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id) as phones
    from contacts c where tenant_id = ${tenantId} and (id = ${id} or merged_into = ${id})
    order by id for no key update`)
}

/** Clears all personal data. The id remains for statistics that count it. */
export async function clearContacts(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    update contacts set name = null, avatar_url = null, sort_name = '', fields = '{}', search_values = '{}', search = '', field_text = ''
    where tenant_id = ${tenantId} and id = any(${ids}) and deleted_at is not null`)
  await tx.run(sql`
    update contact_bulk_items set before = null where tenant_id = ${tenantId} and contact_id = any(${ids})`)
}
