/**
 * Which contact each row is about. The phone number decides; where there is none, the id that an export wrote. What
 * the one who imports may not see is refused.
 */
import type { Tx } from '../../platform/db/db.ts'
import { findContactsByPhone, listInvisible, resolveContactIds } from '../store/bulk.ts'
import type { Viewer } from '../visibility.ts'
import type { RowError } from './parse-header.ts'
import type { ParsedRow } from './prepared.ts'

export interface ContactMatches {
  /** Rows about contacts that exist, by contact. */
  existing: Map<string, ParsedRow[]>
  /** Rows about new ones, together when they have the same phone number. */
  new: ParsedRow[][]
  rejected: RowError[]
}

export async function matchContacts(
  tx: Tx,
  viewer: Viewer,
  rows: readonly ParsedRow[],
): Promise<ContactMatches> {
  const [holders, named] = await Promise.all([
    findPhoneOwners(tx, viewer, rows),
    findByContactId(tx, viewer, rows),
  ])
  const hidden = await listInvisible(tx, viewer, [...new Set(holders.values())])
  const targets: ContactMatches = { existing: new Map(), new: [], rejected: [] }
  const together = new Map<string, ParsedRow[]>()
  for (const row of rows) {
    const { phone, contactId } = row.values
    const holder = phone === undefined ? undefined : holders.get(phone)
    const meant = contactId === undefined ? undefined : named.get(contactId)
    const isHidden = holder === undefined ? meant?.isVisible === false : hidden.has(holder)
    const message = isHidden
      ? 'belongs to a contact that you may not see'
      : mismatchMessage(phone, holder, meant?.id)
    if (message) targets.rejected.push(toRowError(row, message))
    else addToGroup(targets, together, row, holder ?? meant?.id)
  }
  return targets
}

function toRowError({ values: said }: ParsedRow, message: string): RowError {
  return { row: said.row, column: said.phone === undefined ? 'contactId' : 'phone', message }
}

function mismatchMessage(phone?: string, holder?: string, meant?: string): string | undefined {
  if (meant === undefined || phone === undefined || holder === meant) return undefined
  return holder === undefined
    ? 'is not a phone number of the contact that contactId names: change it there first'
    : 'belongs to another contact than the one that contactId names'
}

function addToGroup(
  targets: ContactMatches,
  together: Map<string, ParsedRow[]>,
  row: ParsedRow,
  target?: string,
): void {
  const { phone } = row.values
  const group = target === undefined ? phone && together.get(phone) : targets.existing.get(target)
  if (group) {
    group.push(row)
    return
  }
  const made = [row]
  if (target !== undefined) targets.existing.set(target, made)
  else {
    targets.new.push(made)
    if (phone !== undefined) together.set(phone, made)
  }
}

async function findPhoneOwners(
  tx: Tx,
  viewer: Viewer,
  rows: readonly ParsedRow[],
): Promise<Map<string, string>> {
  const phones = [...new Set(rows.flatMap(({ values: said }) => said.phone ?? []))]
  const found = phones.length === 0 ? [] : await findContactsByPhone(tx, viewer.tenantId, phones)
  return new Map(found.map(({ phone, contactId }) => [phone, contactId]))
}

async function findByContactId(tx: Tx, viewer: Viewer, rows: readonly ParsedRow[]) {
  const ids = [...new Set(rows.flatMap(({ values: said }) => said.contactId ?? []))]
  const found = ids.length === 0 ? [] : await resolveContactIds(tx, viewer, ids)
  return new Map(found.map(({ given, id, isVisible }) => [given, { id, isVisible }]))
}
