import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { literals, object } from '../../platform/http/schemas.ts'
import { SharingForbidden, ViewLimitReached, ViewNotFound } from '../errors.ts'
import { listViews } from '../store/views.ts'
import { AnyView, NewView, ViewOrder, ViewPatch, viewKinds } from '../views/schemas.ts'
import { arrangeViews, createView, deleteView, updateView } from '../views/views.ts'

const route = section('Views', { extension: true })

export const viewRoutes = [
  route('GET /views', {
    operationId: 'listViews',
    summary: 'List your own and the shared views',
    description:
      'In the order that you arranged, then by `position`. Apply a view with `POST /conversations/search` or `POST /contacts/search`: `me` in its filter is the user who reads it.',
    access: { scopes: ['view:list'], roles: everyone },
    query: object({ kind: Type.Optional(literals(viewKinds, { description: 'default: conversations' })) }),
    success: { status: 200, body: object({ views: Type.Array(AnyView) }) },
    handle: async ({ db, caller, query }) => ({
      views: await listViews(db, caller, query.kind ?? 'conversations'),
    }),
  }),
  route('POST /views', {
    operationId: 'createView',
    summary: 'Save a filter of conversations or contacts as a view',
    description:
      'Private unless `scope` says otherwise. Owners and admins share views with teams or the workspace.',
    access: { scopes: ['view:create'], roles: everyone },
    body: NewView,
    example: {
      name: 'Waiting for me',
      filter: { ownerId: 'me', waiting: true, status: ['open'] },
      sort: { field: 'waitingSince', direction: 'asc' },
    },
    success: { status: 201, body: AnyView },
    errors: [ViewLimitReached, SharingForbidden],
    handle: ({ write, caller, body }) => write(tx => createView(tx, caller, body)),
  }),
  route('PATCH /views/{id}', {
    operationId: 'updateView',
    summary: 'Change a view',
    description:
      'Properties that are left out stay as they are; `filter` is replaced as a whole. Shared views are changed by owners and admins.',
    access: { scopes: ['view:update'], roles: everyone },
    body: ViewPatch,
    example: { name: 'Waiting' },
    success: { status: 200, body: AnyView },
    errors: [ViewNotFound, ViewLimitReached, SharingForbidden],
    handle: ({ write, caller, params, body }) => write(tx => updateView(tx, caller, params.id, body)),
  }),
  route('DELETE /views/{id}', {
    operationId: 'deleteView',
    summary: 'Delete a view',
    description: 'Deletes only the view; its conversations or contacts stay.',
    access: { scopes: ['view:delete'], roles: everyone },
    success: { status: 204 },
    errors: [ViewNotFound, SharingForbidden],
    handle: ({ write, caller, params }) => write(tx => deleteView(tx, caller, params.id)),
  }),
  route('PUT /users/me/view-order', {
    operationId: 'arrangeViews',
    summary: 'Arrange the views for yourself',
    description:
      'Views that are left out follow by `position`; those of the other kind stay as they were arranged. Ids of views that you do not see have no effect.',
    access: { scopes: ['view:list', 'user:update_self'], roles: everyone, userOnly: true },
    body: ViewOrder,
    example: { viewIds: [] },
    success: { status: 204 },
    handle: ({ write, caller, body }) => write(tx => arrangeViews(tx, caller, body.viewIds)),
  }),
]
