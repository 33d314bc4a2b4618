/**
 * Defines the custom fields of contacts and of properties. Contacts store values by field id, so renaming a field changes
 * no contact. The predefined fields cf_email, cf_phone and cf_external_ref exist in every workspace without
 * a row.
 */
import { isUniqueViolation, type Queryable, type Tx } from '../../platform/db/db.ts'
import { fail, invalid, type Violation, violation } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { CustomFieldNameTaken, CustomFieldNotFound, CustomFieldPredefined } from '../errors.ts'
import { type CustomField, CustomFieldId, type EntityType, type FieldType } from '../schemas.ts'
import { normalizeText } from '../search/search-text.ts'
import {
  getTenantCreatedAt,
  insertField,
  listFields,
  lockField,
  lockFieldTypesForShare,
  renameField,
} from '../store/tags-and-fields/custom-fields.ts'
import { listExistingTags } from '../store/tags-and-fields/tags.ts'
import { predefinedIds, type TypedField, valueViolation } from './custom-field-values.ts'

export function isPredefined(id: string): boolean {
  return predefinedIds.includes(id)
}

export async function listCustomFields(
  on: Queryable,
  tenantId: string,
  entityType: EntityType,
): Promise<CustomField[]> {
  if (entityType === 'property') return listFields(on, tenantId, entityType)
  const [fields, createdAt] = await Promise.all([
    listFields(on, tenantId, entityType),
    getTenantCreatedAt(on, tenantId),
  ])
  return [...fields, ...predefinedIds.map(id => buildPredefinedField(id, createdAt))]
}

function buildPredefinedField(id: string, createdAt: string): CustomField {
  return { id, name: id, type: 'text', createdAt, createdBy: null, predefined: true, entityType: 'contact' }
}

/** The custom fields of contacts, predefined ones included. */
export interface FieldDefinitions {
  byId: ReadonlyMap<string, TypedField & { name: string }>
  byName: ReadonlyMap<string, TypedField & { name: string }>
  /** Returns a text field for ids without a definition: contacts may still store values of deleted fields. */
  getField(id: string): TypedField
}

export async function getFieldDefinitions(on: Queryable, tenantId: string): Promise<FieldDefinitions> {
  const fields = await listFields(on, tenantId, 'contact')
  const all = [...predefinedIds.map(id => buildPredefinedField(id, '')), ...fields]
  const byId = new Map(all.map(field => [field.id, field]))
  return {
    byId,
    byName: new Map(all.map(field => [field.name, field])),
    getField: id => byId.get(id) ?? { id, type: 'text' },
  }
}

/** Converts stored values to values by field name, without those of deleted fields. */
export function toValuesByName(
  definitions: FieldDefinitions,
  fields: Record<string, string>,
): Record<string, string> {
  const named = Object.entries(fields).flatMap(([id, value]) => {
    const field = definitions.byId.get(id)
    return field ? [[field.name, value] as const] : []
  })
  return Object.fromEntries(named)
}

/** Converts values by field name to values by field id. Fails with a violation for each unknown name and invalid value. */
export function toValuesById(
  definitions: FieldDefinitions,
  given: Record<string, string>,
  path: string,
): Record<string, string> {
  const violations: Violation[] = []
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const valuePath = `${path}.${name}`
    const field = definitions.byName.get(name)
    const wrong = field
      ? value === ''
        ? undefined
        : valueViolation(field, value, valuePath)
      : violation(valuePath, 'unknown_custom_field', 'is not a custom field of contacts')
    if (wrong) violations.push(wrong)
    else values[field!.id] = value
  }
  if (violations.length > 0) invalid(...violations)
  return values
}

/** Rejects __proto__: a request body with a member of that name is refused, so such a field could never be set. */
export const isValidFieldName = (name: string): boolean => name !== '__proto__'

function toFieldName(text: string): string {
  const name = text.trim()
  if (!isValidFieldName(name)) invalid(violation('name', 'reserved', 'must not be __proto__'))
  return name
}

export async function createField(
  tx: Tx,
  caller: Pick<Caller, 'tenantId' | 'id'>,
  entityType: EntityType,
  input: { name: string; type: FieldType },
): Promise<CustomField> {
  const name = toFieldName(input.name)
  const { type } = input
  const id = CustomFieldId.create()
  const nameKey = normalizeText(name)
  const created =
    !isReserved(entityType, nameKey) &&
    (await insertField(tx, caller.tenantId, { id, entityType, name, nameKey, type, createdBy: caller.id }))
  if (!created) fail(CustomFieldNameTaken, `"${name}" is taken`)
  await emitChanged(tx, caller.tenantId, { kind: 'custom_field', id })
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
  const name = toFieldName(input.name)
  const field = await lockEditableField(tx, tenantId, entityType, id)
  if (input.type !== field.type)
    invalid(violation('type', 'unchangeable', `cannot be changed: the field is of type ${field.type}`))
  if (name === field.name) return field
  if (isReserved(entityType, normalizeText(name))) fail(CustomFieldNameTaken, `"${name}" is taken`)
  try {
    await renameField(tx, tenantId, id, name, normalizeText(name))
  } catch (error) {
    if (isUniqueViolation(error, 'custom_fields_name')) fail(CustomFieldNameTaken, `"${name}" is taken`)
    throw error
  }
  await emitChanged(tx, tenantId, { kind: 'custom_field', id })
  return { ...field, name }
}

/** Fails with 404, or 409 for a predefined field. */
export async function lockEditableField(
  tx: Tx,
  tenantId: string,
  entityType: EntityType,
  id: string,
): Promise<CustomField> {
  if (entityType === 'contact' && isPredefined(id)) fail(CustomFieldPredefined)
  return (await lockField(tx, tenantId, entityType, id)) ?? fail(CustomFieldNotFound)
}

/** Returns the types of the existing fields among these ids and locks the fields against deletion. */
export async function lockFieldTypes(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, FieldType>> {
  const types = await lockFieldTypesForShare(tx, tenantId, ids)
  for (const id of predefinedIds) types.set(id, 'text')
  return types
}

/** Returns the existing ones among these tags and custom fields of contacts. Queries only the kinds that were given. */
export async function findExistingTagsAndFields(
  on: Queryable,
  tenantId: string,
  tagIds: readonly string[],
  fieldIds: readonly string[],
): Promise<{ tags: Set<string>; fields: Map<string, FieldType> }> {
  const [tags, definitions] = await Promise.all([
    tagIds.length > 0 ? listExistingTags(on, tenantId, tagIds) : new Set<string>(),
    fieldIds.length > 0 ? getFieldDefinitions(on, tenantId) : undefined,
  ])
  const fields = fieldIds.flatMap(id => definitions?.byId.get(id) ?? [])
  return { tags, fields: new Map(fields.map(field => [field.id, field.type])) }
}
