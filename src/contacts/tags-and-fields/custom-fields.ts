/**
 * Custom field definitions of contacts and of properties. Contacts keep values by a field's id, so renaming one
 * touches no contact. cf_email and cf_phone are in every workspace, without rows, and stay as they are.
 */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { isUniqueViolation } from '../../platform/db/db.ts'
import { fail, invalid, type Violation, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { CustomFieldNameTaken, CustomFieldNotFound, CustomFieldPredefined } from '../errors.ts'
import { type CustomField, CustomFieldId, type EntityType, type FieldType } from '../schemas.ts'
import { normalizeText } from '../search-text.ts'
import {
  getTenantCreatedAt,
  insertField,
  listFields,
  lockField,
  lockFieldTypesForShare,
  markFieldDeleted,
  renameField,
} from '../store/custom-fields.ts'
import { emailFieldId, phoneFieldId, type TypedField, valueViolation } from './custom-field-values.ts'

const predefinedIds: readonly string[] = [emailFieldId, phoneFieldId]

export function isPredefined(id: string): boolean {
  return predefinedIds.includes(id)
}

export async function listCustomFields(
  on: Queryable,
  tenantId: string,
  entityType: EntityType,
): Promise<CustomField[]> {
  if (entityType === 'property') return listFields(on, tenantId, entityType)
  const [own, createdAt] = await Promise.all([
    listFields(on, tenantId, entityType),
    getTenantCreatedAt(on, tenantId),
  ])
  return [...own, ...predefinedIds.map(id => buildPredefinedField(id, createdAt))]
}

function buildPredefinedField(id: string, createdAt: string): CustomField {
  return { id, name: id, type: 'text', createdAt, createdBy: null, predefined: true, entityType: 'contact' }
}

/** The fields contacts have now. */
export interface FieldDefinitions {
  byId: ReadonlyMap<string, TypedField & { name: string }>
  byName: ReadonlyMap<string, TypedField & { name: string }>
  /** Of what is stored, also under a definition that is gone: such a value is text. */
  getField(id: string): TypedField
}

export async function getFieldDefinitions(on: Queryable, tenantId: string): Promise<FieldDefinitions> {
  const own = await listFields(on, tenantId, 'contact')
  const all = [...predefinedIds.map(id => buildPredefinedField(id, '')), ...own]
  const byId = new Map(all.map(field => [field.id, field]))
  return {
    byId,
    byName: new Map(all.map(field => [field.name, field])),
    getField: id => byId.get(id) ?? { id, type: 'text' },
  }
}

/** Stored values as they are shown: by name, without those of deleted fields. */
export function toValuesByName(
  book: FieldDefinitions,
  fields: Record<string, string>,
): Record<string, string> {
  const named = Object.entries(fields).flatMap(([id, value]) => {
    const field = book.byId.get(id)
    return field ? [[field.name, value] as const] : []
  })
  return Object.fromEntries(named)
}

/** Values given by name, by id instead; an unknown name or a value that does not fit is a violation with its path. */
export function toValuesById(
  book: FieldDefinitions,
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
        : valueViolation(field, value, at)
      : violation(at, 'unknown_field', 'is not a custom field of contacts')
    if (fault) faults.push(fault)
    else values[field!.id] = value
  }
  if (faults.length > 0) invalid(...faults)
  return values
}

/** Values are given by name, and a body with a member of this name is refused, so nobody could give one. */
export const isValidFieldName = (name: string): boolean => name !== '__proto__'

function assertValidName(name: string): void {
  if (!isValidFieldName(name)) invalid(violation('name', 'reserved', 'cannot be the name of a custom field'))
}

export async function createField(
  tx: Tx,
  caller: Pick<Caller, 'tenantId' | 'id'>,
  entityType: EntityType,
  input: { name: string; type: FieldType },
): Promise<CustomField> {
  const { name, type } = input
  assertValidName(name)
  const id = CustomFieldId.create()
  const nameKey = normalizeText(name)
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
  assertValidName(input.name)
  const field = await lockEditableField(tx, tenantId, entityType, id)
  if (input.type !== field.type) invalid(violation('type', 'unchangeable', `is ${field.type} and stays so`))
  if (input.name === field.name) return field
  if (isReserved(entityType, normalizeText(input.name)))
    fail(CustomFieldNameTaken, `"${input.name}" is taken`)
  try {
    await renameField(tx, tenantId, id, input.name, normalizeText(input.name))
  } catch (error) {
    if (isUniqueViolation(error, 'custom_fields_name')) fail(CustomFieldNameTaken, `"${input.name}" is taken`)
    throw error
  }
  return { ...field, name: input.name }
}

async function lockEditableField(
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
  const field = await lockEditableField(tx, tenantId, entityType, id)
  await markFieldDeleted(tx, tenantId, id)
  return field
}

/** The types of those that exist; they stay until the transaction ends. */
export async function lockFieldTypes(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, FieldType>> {
  const held = await lockFieldTypesForShare(tx, tenantId, ids)
  for (const id of predefinedIds) held.set(id, 'text')
  return held
}
