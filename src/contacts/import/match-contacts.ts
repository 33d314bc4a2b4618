/**
 * Matches rows to contacts: by phone number, or by the contact id of an export where a row has no phone number. Rows of
 * contacts that the importer may not see are rejected.
 */
import type { Tx } from '../../platform/db/db.ts'
import type { Viewer } from '../access.ts'
import { findContactsByPhone, listInvisible, resolveContactIds } from '../store/bulk.ts'
import type { RowError } from './parse-header.ts'
import type { ParsedRow } from './parse-row.ts'

export interface ContactMatches {
  /** Rows of existing contacts, by contact. */
  existing: Map<string, ParsedRow[]>
  /** Rows of new contacts; rows with the same phone number are one contact. */
  new: ParsedRow[][]
  rejected: RowError[]
}

export async function matchContacts(
  tx: Tx,
  viewer: Viewer,
  rows: readonly ParsedRow[],
): Promise<ContactMatches> {
  const [byPhone, byId] = await Promise.all([
    findByPhone(tx, viewer, rows),
    findByContactId(tx, viewer, rows),
  ])
  const invisible = await listInvisible(tx, viewer, [...new Set(byPhone.values())])
  const matches: ContactMatches = { existing: new Map(), new: [], rejected: [] }
  const newByPhone = new Map<string, ParsedRow[]>()
  for (const row of rows) {
    const { phone, contactId } = row.values
    const owner = phone === undefined ? undefined : byPhone.get(phone)
    const named = contactId === undefined ? undefined : byId.get(contactId)
    const isInvisible = owner === undefined ? named?.isVisible === false : invisible.has(owner)
    const message = isInvisible
      ? 'belongs to a contact that you cannot access'
      : mismatchMessage(phone, owner, named?.id)
    if (message) matches.rejected.push(toRowError(row, message))
    else addToGroup(matches, newByPhone, row, owner ?? named?.id)
  }
  return matches
}

function toRowError({ values }: ParsedRow, message: string): RowError {
  return { row: values.row, column: values.phone === undefined ? 'contactId' : 'phone', message }
}

function mismatchMessage(phone?: string, owner?: string, named?: string): string | undefined {
  if (named === undefined || phone === undefined || owner === named) return undefined
  return owner === undefined
    ? 'is not a phone number of the contact in contactId: change it there first'
    : 'belongs to a contact other than the one in contactId'
}

function addToGroup(
  matches: ContactMatches,
  newByPhone: Map<string, ParsedRow[]>,
  row: ParsedRow,
  contactId?: string,
): void {
  const { phone } = row.values
  const group = contactId === undefined ? phone && newByPhone.get(phone) : matches.existing.get(contactId)
  if (group) {
    group.push(row)
    return
  }
  const newGroup = [row]
  if (contactId !== undefined) matches.existing.set(contactId, newGroup)
  else {
    matches.new.push(newGroup)
    if (phone !== undefined) newByPhone.set(phone, newGroup)
  }
}

async function findByPhone(tx: Tx, viewer: Viewer, rows: readonly ParsedRow[]): Promise<Map<string, string>> {
  const phones = [...new Set(rows.flatMap(({ values }) => values.phone ?? []))]
  const owners = phones.length === 0 ? [] : await findContactsByPhone(tx, viewer.tenantId, phones)
  return new Map(owners.map(({ phone, contactId }) => [phone, contactId]))
}

async function findByContactId(tx: Tx, viewer: Viewer, rows: readonly ParsedRow[]) {
  const ids = [...new Set(rows.flatMap(({ values }) => values.contactId ?? []))]
  const contacts = ids.length === 0 ? [] : await resolveContactIds(tx, viewer, ids)
  return new Map(contacts.map(({ given, id, isVisible }) => [given, { id, isVisible }]))
}
