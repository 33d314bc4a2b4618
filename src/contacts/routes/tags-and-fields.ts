import Type from 'typebox'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { nullable, object } from '../../platform/http/schemas.ts'
import {
  CustomFieldNameTaken,
  CustomFieldNotFound,
  CustomFieldPredefined,
  TagNameTaken,
  TagNotFound,
} from '../errors.ts'
import { CustomField, CustomFieldRequest, DisplayName, type EntityType, Tag, TagColor } from '../schemas.ts'
import { listTags } from '../store/tags-and-fields/tags.ts'
import { createField, editField, listCustomFields } from '../tags-and-fields/custom-fields.ts'
import { createTag, editTag } from '../tags-and-fields/tags.ts'

const route = section('Tags and custom field definitions')

const tagRoutes = [
  route('GET /tags', {
    operationId: 'listTags',
    summary: 'List the tags',
    description: 'Shows how many contacts have each tag.',
    access: { scopes: ['tag:list'], roles: everyone },
    success: { status: 200, body: object({ tags: Type.Array(Tag) }) },
    handle: async ({ db, caller }) => ({ tags: await listTags(db, caller.tenantId) }),
  }),
  route('POST /tags', {
    operationId: 'createTag',
    summary: 'Create a tag',
    description: 'The name must be unique in the workspace.',
    access: { scopes: ['tag:create'], roles: everyone },
    body: object({ name: DisplayName }),
    example: { name: 'VIP' },
    success: { status: 201, body: Tag },
    errors: [TagNameTaken],
    handle: ({ write, caller, body }) => write(tx => createTag(tx, caller, body.name)),
  }),
  route('PATCH /tags/{id}', {
    operationId: 'updateTag',
    summary: 'Rename or recolor a tag',
    description: 'Contacts, segments and workflows keep the tag. A color of null removes the color.',
    access: { scopes: ['tag:update'], roles: managers },
    extension: true,
    body: object({ name: Type.Optional(DisplayName), color: Type.Optional(nullable(TagColor)) }),
    example: { name: 'VIP customer', color: '#2b59c3' },
    success: { status: 200, body: Tag },
    errors: [TagNotFound, TagNameTaken],
    handle: ({ write, caller, params, body }) => write(tx => editTag(tx, caller.tenantId, params.id, body)),
  }),
]

/** Builds the routes of the custom fields of contacts or of properties. */
function fieldRoutes(entityType: EntityType, name: 'Contact' | 'Property', base: `/${string}`) {
  return [
    route(`GET ${base}`, {
      operationId: `list${name}CustomFields`,
      summary: `List the custom fields of ${entityType} records`,
      description: 'Includes the predefined fields.',
      access: { scopes: ['custom_field:list'], roles: everyone },
      success: { status: 200, body: object({ customFields: Type.Array(CustomField) }) },
      handle: async ({ db, caller }) => ({
        customFields: await listCustomFields(db, caller.tenantId, entityType),
      }),
    }),
    route(`POST ${base}`, {
      operationId: `create${name}CustomField`,
      summary: `Define a custom field of ${entityType} records`,
      description: `The name must be unique among the fields of ${entityType} records.`,
      access: { scopes: ['custom_field:create'], roles: everyone },
      body: CustomFieldRequest,
      example: { name: 'Plan', type: 'text' },
      success: { status: 201, body: CustomField },
      errors: [CustomFieldNameTaken],
      handle: ({ write, caller, body }) => write(tx => createField(tx, caller, entityType, body)),
    }),
    route(`PATCH ${base}/{id}`, {
      operationId: `rename${name}CustomField`,
      summary: `Rename a custom field of ${entityType} records`,
      description: 'Only the name changes: `type` must be the current one.',
      access: { scopes: ['custom_field:update'], roles: everyone },
      body: CustomFieldRequest,
      example: { name: 'Tariff', type: 'text' },
      success: { status: 200, body: CustomField },
      errors: [CustomFieldNotFound, CustomFieldNameTaken, CustomFieldPredefined],
      handle: ({ write, caller, params, body }) =>
        write(tx => editField(tx, caller.tenantId, entityType, params.id, body)),
    }),
  ]
}

export const tagAndFieldRoutes = [
  ...tagRoutes,
  ...fieldRoutes('contact', 'Contact', '/contacts/custom-fields'),
  ...fieldRoutes('property', 'Property', '/properties/custom-fields'),
]
