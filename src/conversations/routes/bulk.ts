import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { undoMinutes } from '../../platform/bulk/schemas.ts'
import { cursorList, cursorPage, toCursorList } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { literals, object } from '../../platform/http/schemas.ts'
import { conversationBulk } from '../bulk/run-bulk.ts'
import { actionScopes, BulkAction, BulkItem, BulkRequest, itemResults } from '../bulk/schemas.ts'
import { startBulkAction, undoBulkAction } from '../bulk/start-bulk.ts'
import { BulkActionNotFound, BulkUndoExpired } from '../errors.ts'
import { listItems } from '../store/bulk/bulk-actions.ts'

const route = section('Messaging', { extension: true })
const access = { scopes: ['conversation:list'], roles: everyone } as const

export const bulkRoutes = [
  route('POST /conversations/bulk', {
    operationId: 'startBulkAction',
    summary: 'Change many conversations',
    description:
      'Takes up to 1,000 ids, or all conversations that match a filter now (at most 100,000). A job changes them in batches, with the same events as single changes. Each conversation has a result of its own.',
    access: {
      ...access,
      bodyScopes: ({ action }) => [actionScopes[action.type]],
      conditionalScopes: Object.entries(actionScopes).map(([type, scope]) => ({
        when: `action.type is ${type}`,
        scope,
      })),
    },
    body: BulkRequest,
    example: { filter: { status: ['open'], ownerId: 'none' }, action: { type: 'close' } },
    success: { status: 202, body: BulkAction },
    handle: ({ write, caller, body }) => write(tx => startBulkAction(tx, caller, body)),
  }),
  route('GET /conversations/bulk/{id}', {
    operationId: 'getBulkAction',
    summary: 'Get the progress of a bulk action',
    description: 'Agents see their own. Kept for 7 days.',
    access,
    success: { status: 200, body: BulkAction },
    errors: [BulkActionNotFound],
    handle: ({ db, caller, params }) => conversationBulk.get(db, { caller, id: params.id }),
  }),
  route('GET /conversations/bulk/{id}/items', {
    operationId: 'listBulkItems',
    summary: 'List the results of a bulk action',
    description: 'One item for each conversation, in a fixed order.',
    access,
    query: object({ result: Type.Optional(Type.Array(literals(itemResults))) }),
    page: cursorPage,
    success: { status: 200, body: cursorList(BulkItem) },
    errors: [BulkActionNotFound],
    handle: async ({ db, caller, params, query, page }) => {
      const { tenantId } = caller
      const { id } = await conversationBulk.get(db, { caller, id: params.id })
      const after = Number(page.after?.[0] ?? 0)
      const found = await listItems(db, tenantId, id, { results: query.result, after, limit: page.limit + 1 })
      const { rows, next } = page.toPage(found, row => [row.n])
      return toCursorList(
        rows.map(({ n: _, ...item }) => item),
        next,
      )
    },
  }),
  route('POST /conversations/bulk/{id}/undo', {
    operationId: 'undoBulkAction',
    summary: 'Undo a bulk action',
    description: `Possible until ${undoMinutes} minutes after the action has finished; a running action stops. Restores each conversation as it was, unless it was changed since: then it stays as it is, and its item says so. Needs the scope of the action.`,
    access,
    success: { status: 202, body: BulkAction },
    errors: [BulkActionNotFound, BulkUndoExpired],
    handle: ({ write, caller, params }) => write(tx => undoBulkAction(tx, caller, params.id)),
  }),
]
