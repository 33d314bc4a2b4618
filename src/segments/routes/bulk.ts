import Type from 'typebox'
import { selectGivenContacts, startContactBulk } from '../../contacts/bulk/bulk-actions.ts'
import { actionScopes, ContactAction, ContactBulkAction } from '../../contacts/bulk/schemas.ts'
import { everyone } from '../../identity/rights/roles.ts'
import { maxBulkIds, maxBulkItems } from '../../platform/bulk/schemas.ts'
import { inlineLimit, sql } from '../../platform/db/sql.ts'
import { invalid, violation } from '../../platform/errors.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { ContactFilter } from '../filter/filter.ts'
import { checkFilter } from '../references.ts'
import { compileFilters } from '../search.ts'
import { selectMatches } from '../store/search.ts'

const route = section('Contacts', { extension: true })

export const startContactBulkRoutes = [
  route('POST /contacts/bulk', {
    operationId: 'startContactBulkAction',
    summary: 'Change many contacts',
    description:
      'Takes up to 1,000 ids, or all contacts that match a filter now (at most 100,000). A job changes them in batches, with the same events as single changes.',
    access: {
      scopes: ['contact:list'],
      roles: everyone,
      bodyScopes: ({ action }) => [actionScopes[action.type]],
      conditionalScopes: Object.entries(actionScopes).map(([type, scope]) => ({
        when: `action.type is ${type}`,
        scope,
      })),
    },
    body: object({
      ids: Type.Optional(Type.Array(AnyId, { minItems: 1, maxItems: maxBulkIds })),
      filter: Type.Optional(ContactFilter),
      action: ContactAction,
    }),
    example: {
      filter: { match: 'all', conditions: [{ type: 'searchText', text: 'ada' }] },
      action: { type: 'archive' },
    },
    success: { status: 202, body: ContactBulkAction },
    handle: async ({ db, write, caller, body: { ids, filter, action }, clock }) => {
      if ((ids === undefined) === (filter === undefined))
        invalid(violation('ids', 'required', 'give either ids or a filter'))
      if (filter) await checkFilter(db, caller, filter)
      return write(async tx => {
        if (ids) return startContactBulk(tx, caller, action, selectGivenContacts(caller.tenantId, ids))
        const conjuncts = await compileFilters(tx, caller, [{ filter: filter! }], clock.now())
        const matches = selectMatches({ tenantId: caller.tenantId, conjuncts })
        const select = sql`
          select m.contact_id as id from (${matches}) m limit ${inlineLimit(maxBulkItems + 1)}`
        return startContactBulk(tx, caller, action, select)
      })
    },
  }),
]
