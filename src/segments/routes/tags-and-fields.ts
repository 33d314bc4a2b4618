import { CustomFieldNotFound, CustomFieldPredefined, TagNotFound } from '../../contacts/errors.ts'
import type { EntityType } from '../../contacts/schemas.ts'
import { managers } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import type { Dependents } from '../dependents.ts'
import { deleteFieldEverywhere, deleteTagEverywhere } from '../tags-and-fields.ts'

const route = section('Tags and custom field definitions')

function deleteFieldRoute(dependents: Dependents, entityType: EntityType, base: `/${string}`) {
  const isContact = entityType === 'contact'
  return route(`DELETE ${base}/{id}`, {
    operationId: `delete${isContact ? 'Contact' : 'Property'}CustomField`,
    summary: `Delete a custom field of ${entityType} records`,
    description: isContact ? 'Deletes its values, and removes it from segments.' : 'Deletes the definition.',
    access: { scopes: ['custom_field:delete', 'segment:update'], roles: managers },
    success: { status: 204 },
    errors: [CustomFieldNotFound, CustomFieldPredefined],
    handle: ({ write, caller, params }) =>
      write(tx => deleteFieldEverywhere(tx, caller, dependents, { entityType, id: params.id })),
  })
}

export const tagAndFieldDeletionRoutes = (dependents: Dependents) => [
  route('DELETE /tags/{id}', {
    operationId: 'deleteTag',
    summary: 'Delete a tag and remove it from segments',
    description: 'Also removes it from contacts. Journeys and chatbots that use it list it in `missing`.',
    access: { scopes: ['tag:delete', 'segment:update'], roles: managers },
    success: { status: 204 },
    errors: [TagNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => deleteTagEverywhere(tx, caller, dependents, params.id)),
  }),
  deleteFieldRoute(dependents, 'contact', '/contacts/custom-fields'),
  deleteFieldRoute(dependents, 'property', '/properties/custom-fields'),
]
