import { everyone } from '../../identity/rights/roles.ts'
import { undoMinutes } from '../../platform/bulk/schemas.ts'
import { section } from '../../platform/http/route.ts'
import { contactBulk } from '../bulk/bulk-actions.ts'
import { ContactBulkAction } from '../bulk/schemas.ts'
import { ContactBulkNotFound, ContactBulkUndoExpired } from '../errors.ts'

const route = section('Contacts', { extension: true })
const access = { scopes: ['contact:list'], roles: everyone } as const

export const contactBulkRoutes = [
  route('GET /contacts/bulk/{id}', {
    operationId: 'getContactBulkAction',
    summary: 'Get the progress of a bulk action on contacts',
    description: 'Agents see their own. Kept for 7 days.',
    access,
    success: { status: 200, body: ContactBulkAction },
    errors: [ContactBulkNotFound],
    handle: ({ db, caller, params }) => contactBulk.get(db, { caller, id: params.id }),
  }),
  route('POST /contacts/bulk/{id}/undo', {
    operationId: 'undoContactBulkAction',
    summary: 'Undo a bulk action on contacts',
    description: `Possible until ${undoMinutes} minutes after the action has finished; a running action stops. A contact that no longer has what the action set was changed since and stays as it is. Needs the scope of the action. Deleting cannot be undone.`,
    access,
    success: { status: 202, body: ContactBulkAction },
    errors: [ContactBulkNotFound, ContactBulkUndoExpired],
    handle: ({ write, caller, params }) => write(tx => contactBulk.undo(tx, caller, params.id)),
  }),
]
