/**
 * Matches rows to contacts, in the order of the file: by phone number; without one by the contact id of an export, or
 * else by external reference and e-mail address. Rows of contacts that the importer may not see are rejected.
 */
import type { Tx } from '../../platform/db/db.ts'
import type { Viewer } from '../access.ts'
import { toSearchText } from '../search/search-text.ts'
import {
  findContactsByFieldValue,
  findContactsByPhone,
  listInvisible,
  resolveContactIds,
} from '../store/bulk/bulk.ts'
import { externalRefFieldId, toIndexKey } from '../tags-and-fields/custom-field-values.ts'
import { matchFieldIds, type RowError } from './inspect-file.ts'
import type { ParsedRow } from './parse-row.ts'

export interface ContactMatches {
  /** Rows of existing contacts, by contact. */
  existing: Map<string, ParsedRow[]>
  /** Rows of new contacts; rows that match each other are one contact. */
  new: ParsedRow[][]
  rejected: RowError[]
}

/** A contact, existing or new, with the rows that match it. */
interface Target {
  id: string | undefined
  isVisible: boolean
  rows: ParsedRow[]
}

interface TargetIndex {
  byPhone: Map<string, Target>
  byContactId: Map<string, Target>
  /** By field and value, which is not unique. Undefined when all rows have a phone number. */
  byField: Map<string, Set<Target>> | undefined
}

export async function matchContacts(
  tx: Tx,
  viewer: Viewer,
  rows: readonly ParsedRow[],
): Promise<ContactMatches> {
  const index = await loadTargets(tx, viewer, rows)
  const targets = new Set<Target>()
  const rejected: RowError[] = []
  for (const row of rows) {
    const target = findTarget(index, row)
    if ('message' in target) {
      rejected.push(target)
      continue
    }
    target.rows.push(row)
    targets.add(target)
    // Later rows match the contact as this row leaves it.
    if (row.values.phone !== undefined) index.byPhone.set(row.values.phone, target)
    if (index.byField) for (const key of listMatchKeys(row)) addToSet(index.byField, key, target)
  }
  const matched = [...targets]
  return {
    existing: new Map(matched.flatMap(({ id, rows }) => (id === undefined ? [] : [[id, rows]]))),
    new: matched.flatMap(({ id, rows }) => (id === undefined ? [rows] : [])),
    rejected,
  }
}

function findTarget(index: TargetIndex, row: ParsedRow): Target | RowError {
  const { phone, contactId, fields } = row.values
  const owner = phone === undefined ? undefined : index.byPhone.get(phone)
  const named = contactId === undefined ? undefined : index.byContactId.get(contactId)
  const byField = phone === undefined && named === undefined ? findByField(index, row) : []
  const target = owner ?? named ?? byField[0]
  const column =
    byField.length > 0
      ? fields[externalRefFieldId] === undefined
        ? 'email'
        : 'externalRef'
      : phone === undefined
        ? 'contactId'
        : 'phone'
  const message =
    target?.isVisible === false
      ? 'belongs to a contact that you cannot access'
      : byField.length > 1
        ? 'matches several contacts: add the phone number or contactId of one of them'
        : mismatchMessage(phone, owner, named)
  if (message) return { row: row.values.row, column, message }
  return target ?? { id: undefined, isVisible: true, rows: [] }
}

function mismatchMessage(phone?: string, owner?: Target, named?: Target): string | undefined {
  if (named === undefined || phone === undefined || owner === named) return undefined
  return owner === undefined
    ? 'is not a phone number of the contact in contactId: change it there first'
    : 'belongs to a contact other than the one in contactId'
}

function findByField({ byField }: TargetIndex, row: ParsedRow): Target[] {
  return [...new Set(listMatchKeys(row).flatMap(key => [...(byField?.get(key) ?? [])]))]
}

function listMatchKeys(row: ParsedRow): string[] {
  return listMatchValues(row).map(({ fieldId, value }) => toMatchKey(fieldId, value))
}

function listMatchValues({ values: { fields } }: ParsedRow): { fieldId: string; value: string }[] {
  return matchFieldIds.flatMap(fieldId => {
    const value = fields[fieldId]
    return value === undefined ? [] : [{ fieldId, value }]
  })
}

/** References of other systems can differ by case alone, e-mail addresses cannot. */
function toMatchKey(fieldId: string, value: string): string {
  return `${fieldId} ${fieldId === externalRefFieldId ? value : toSearchText(value)}`
}

function addToSet<T>(sets: Map<string, Set<T>>, key: string, item: T): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(item))
}

/** Loads the contacts that the rows may match. */
async function loadTargets(tx: Tx, viewer: Viewer, rows: readonly ParsedRow[]): Promise<TargetIndex> {
  const phones = [...new Set(rows.flatMap(({ values }) => values.phone ?? []))]
  const ids = [...new Set(rows.flatMap(({ values }) => values.contactId ?? []))]
  const values = rows
    .filter(row => row.values.phone === undefined)
    .flatMap(listMatchValues)
    .map(({ fieldId, value }) => ({ fieldId, key: toIndexKey(toSearchText(value)) }))
  const [owners, named, holders] = await Promise.all([
    phones.length === 0 ? [] : findContactsByPhone(tx, viewer.tenantId, phones),
    ids.length === 0 ? [] : resolveContactIds(tx, viewer, ids),
    values.length === 0 ? [] : findContactsByFieldValue(tx, viewer.tenantId, values),
  ])
  const matched = new Set([...owners, ...holders].map(({ contactId }) => contactId))
  const invisible = await listInvisible(tx, viewer, [...matched])
  const targets = new Map<string, Target>()
  const toTarget = (id: string, isVisible = !invisible.has(id)) => {
    const target = targets.get(id) ?? { id, isVisible, rows: [] }
    targets.set(id, target)
    return target
  }
  const byField = new Map<string, Set<Target>>()
  for (const { fieldId, value, contactId } of holders)
    addToSet(byField, toMatchKey(fieldId, value), toTarget(contactId))
  return {
    byPhone: new Map(owners.map(({ phone, contactId }) => [phone, toTarget(contactId)])),
    byContactId: new Map(named.map(({ given, id, isVisible }) => [given, toTarget(id, isVisible)])),
    byField: values.length === 0 ? undefined : byField,
  }
}
