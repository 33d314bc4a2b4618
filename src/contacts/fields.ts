/**
 * Custom field definitions of contacts and of properties. Contacts keep values by a field's id, so renaming one
 * touches no contact. cf_email and cf_phone are in every workspace, without rows, and stay as they are.
 */
import type { Queryable, Tx } from '../platform/db/db.ts'
import { isUniqueViolation } from '../platform/db/db.ts'
import { fail, invalid, type Violation, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { newId } from '../platform/ids.ts'
import { CustomFieldNameTaken, CustomFieldNotFound, CustomFieldPredefined } from './errors.ts'
import type { CustomField, EntityType, FieldType } from './schemas.ts'
import { fold } from './spelling.ts'
import {
  findTenantAge,
  holdFields,
  insertField,
  listFields,
  lockField,
  markFieldDeleted,
  renameField,
} from './store/fields.ts'
import { emailField, type FieldKind, phoneField, valueFault } from './values.ts'

const predefinedIds: readonly string[] = [emailField, phoneField]

export function isPredefined(id: string): boolean {
  return predefinedIds.includes(id)
}

export async function listDefinitions(
  on: Queryable,
  tenantId: string,
  entityType: EntityType,
): Promise<CustomField[]> {
  if (entityType === 'property') return listFields(on, tenantId, entityType)
  const [own, createdAt] = await Promise.all([
    listFields(on, tenantId, entityType),
    findTenantAge(on, tenantId),
  ])
  return [...own, ...predefinedIds.map(id => predefined(id, createdAt))]
}

function predefined(id: string, createdAt: string): CustomField {
  return { id, name: id, type: 'text', createdAt, createdBy: null, predefined: true, entityType: 'contact' }
}

/** The fields contacts have now. */
export interface FieldBook {
  byId: ReadonlyMap<string, FieldKind & { name: string }>
  byName: ReadonlyMap<string, FieldKind & { name: string }>
  /** Of what is stored, also under a definition that is gone: such a value is text. */
  kindOf(id: string): FieldKind
}

export async function fieldBook(on: Queryable, tenantId: string): Promise<FieldBook> {
  const own = await listFields(on, tenantId, 'contact')
  const all = [...predefinedIds.map(id => predefined(id, '')), ...own]
  const byId = new Map(all.map(field => [field.id, field]))
  return {
    byId,
    byName: new Map(all.map(field => [field.name, field])),
    kindOf: id => byId.get(id) ?? { id, type: 'text' },
  }
}

/** Stored values as they are shown: by name, without those of deleted fields. */
export function namedValues(book: FieldBook, fields: Record<string, string>): Record<string, string> {
  const named = Object.entries(fields).flatMap(([id, value]) => {
    const field = book.byId.get(id)
    return field ? [[field.name, value] as const] : []
  })
  return Object.fromEntries(named)
}

/** Values given by name, by id instead; an unknown name or a value that does not fit is a violation with its path. */
export function valuesById(
  book: FieldBook,
  given: Record<string, string>,
  path: string,
): Record<string, string> {
  const faults: Violation[] = []
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const at = `${path}.${name}`
    const field = book.byName.get(name)
    const fault = field
      ? value === ''
        ? undefined
        : valueFault(field, value, at)
      : violation(at, 'unknown_field', 'is not a custom field of contacts')
    if (fault) faults.push(fault)
    else values[field!.id] = value
  }
  if (faults.length > 0) invalid(...faults)
  return values
}

/** Values are given by name, and a body with a member of this name is refused, so nobody could give one. */
export const isUsableName = (name: string): boolean => name !== '__proto__'

function checkName(name: string): void {
  if (!isUsableName(name)) invalid(violation('name', 'reserved', 'cannot be the name of a custom field'))
}

export async function createField(
  tx: Tx,
  caller: Pick<Caller, 'tenantId' | 'id'>,
  entityType: EntityType,
  input: { name: string; type: FieldType },
): Promise<CustomField> {
  const { name, type } = input
  checkName(name)
  const id = newId('customField')
  const nameKey = fold(name)
  const free = !isReserved(entityType, nameKey)
  const made =
    free &&
    (await insertField(tx, caller.tenantId, { id, entityType, name, nameKey, type, createdBy: caller.id }))
  if (!made) fail(CustomFieldNameTaken, `"${name}" is taken`)
  return { id, name, type, createdAt: tx.now, createdBy: caller.id, predefined: false, entityType }
}

function isReserved(entityType: EntityType, nameKey: string): boolean {
  return entityType === 'contact' && isPredefined(nameKey)
}

export async function editField(
  tx: Tx,
  tenantId: string,
  entityType: EntityType,
  id: string,
  input: { name: string; type: FieldType },
): Promise<CustomField> {
  checkName(input.name)
  const field = await getForChange(tx, tenantId, entityType, id)
  if (input.type !== field.type) invalid(violation('type', 'unchangeable', `is ${field.type} and stays so`))
  if (input.name === field.name) return field
  if (isReserved(entityType, fold(input.name))) fail(CustomFieldNameTaken, `"${input.name}" is taken`)
  try {
    await renameField(tx, tenantId, id, input.name, fold(input.name))
  } catch (error) {
    if (isUniqueViolation(error, 'custom_fields_name')) fail(CustomFieldNameTaken, `"${input.name}" is taken`)
    throw error
  }
  return { ...field, name: input.name }
}

async function getForChange(
  tx: Tx,
  tenantId: string,
  entityType: EntityType,
  id: string,
): Promise<CustomField> {
  if (entityType === 'contact' && isPredefined(id)) fail(CustomFieldPredefined)
  return (await lockField(tx, tenantId, entityType, id)) ?? fail(CustomFieldNotFound)
}

/** From here on no read shows it; what contacts still hold is swept away later. */
export async function deleteField(
  tx: Tx,
  tenantId: string,
  entityType: EntityType,
  id: string,
): Promise<CustomField> {
  const field = await getForChange(tx, tenantId, entityType, id)
  await markFieldDeleted(tx, tenantId, id)
  return field
}

/** The types of those that exist; they stay until the transaction ends. */
export async function holdFieldTypes(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, FieldType>> {
  const held = await holdFields(tx, tenantId, ids)
  for (const id of predefinedIds) held.set(id, 'text')
  return held
}
