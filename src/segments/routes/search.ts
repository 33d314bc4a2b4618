import Type from 'typebox'
import { type ContactJson, countContacts } from '../../contacts/contact-views.ts'
import { exportContacts } from '../../contacts/csv/export-contacts.ts'
import { ChannelName, Contact } from '../../contacts/schemas.ts'
import { recordAudit } from '../../identity/audit.ts'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { invalid, violation } from '../../platform/errors.ts'
import { explainViolations } from '../../platform/http/input/violations.ts'
import { nextPageToken } from '../../platform/http/page.ts'
import { replyWithCsv } from '../../platform/http/response/export-reply.ts'
import { JsonText } from '../../platform/http/response/json-text.ts'
import { Reply, section } from '../../platform/http/route.ts'
import { AnyId, literals, object, Timestamp } from '../../platform/http/schemas.ts'
import { ContactFilter } from '../filter/filter.ts'
import { buildListConjuncts } from '../list-query.ts'
import { checkFilter } from '../references.ts'
import { SearchPage, SearchRequest, sortFields, TotalSize } from '../schemas.ts'
import { compileFilters, countMatching, loadListPage, searchPage } from '../search.ts'
import { selectMatches } from '../store/search.ts'

const route = section('Contacts')
const access = { scopes: ['contact:list'], roles: everyone } as const

/** Reads the filter of a query, with violations as for a filter in a body. */
function parseFilter(text: string): ContactFilter {
  let filter: unknown
  try {
    filter = JSON.parse(text)
  } catch {
    return invalid(violation('filter', 'invalid_json', 'must be a filter as JSON'))
  }
  const violations = explainViolations(ContactFilter, filter, 'filter')
  if (violations.length > 0) invalid(...violations)
  return filter as ContactFilter
}

function toPageJson(contacts: readonly ContactJson[], next: string | undefined): JsonText {
  const items = contacts.map(({ json }) => json).join(',')
  return new JsonText(`{"contacts":[${items}],"nextPageToken":${JSON.stringify(next ?? null)}}`)
}

export const searchRoutes = [
  route('GET /contacts', {
    operationId: 'listContacts',
    summary: 'List contacts',
    description: 'Lists contacts that you can see, newest first. All filters must match.',
    access,
    query: object({
      search: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'text within name, cf_email, cf_phone, a phone number or a tag name',
        }),
      ),
      customFields: Type.Optional(
        Type.Record(Type.String(), Type.String({ maxLength: 1_000 }), {
          description: 'exact values by field name; all must match: customFields[plan]=gold',
        }),
      ),
      tagIds: Type.Optional(Type.Array(AnyId, { maxItems: 100, description: 'any of them' })),
      channels: Type.Optional(Type.Array(ChannelName, { maxItems: 10, description: 'any of them' })),
      archived: Type.Optional(Type.Boolean({ description: 'archived contacts instead of active ones' })),
      createdAfter: Type.Optional({ ...Timestamp, description: 'inclusive' }),
      createdBefore: Type.Optional({ ...Timestamp, description: 'exclusive' }),
      orderBy: Type.Optional(literals(sortFields)),
      orderDirection: Type.Optional(literals(['asc', 'desc'])),
    }),
    page: { style: 'token' },
    success: { status: 200, body: object({ contacts: Type.Array(Contact), nextPageToken }) },
    handle: async ({ db, caller, query, page, clock }) => {
      const conjuncts = await buildListConjuncts(db, caller, query, clock.now())
      const sort = { field: query.orderBy ?? 'createdAt', direction: query.orderDirection ?? 'desc' } as const
      const { contacts, next } = await loadListPage(db, { tenantId: caller.tenantId, conjuncts, sort }, page)
      return new Reply({ body: toPageJson(contacts, next) })
    },
  }),
  route('GET /contacts/count', {
    operationId: 'countContacts',
    summary: 'Count the contacts',
    description: 'Counts contacts that are not archived, or with `archived=true` the archived ones.',
    access,
    query: object({ archived: Type.Optional(Type.Boolean()) }),
    success: { status: 200, body: TotalSize },
    handle: async ({ db, caller, query }) => {
      const state = query.archived ? 'archived' : 'active'
      return { totalSize: await countContacts(db, caller, state) }
    },
  }),
  route('POST /contacts/search', {
    operationId: 'searchContacts',
    summary: 'Search contacts by a filter',
    description: 'All conditions of the filter must match.',
    access,
    body: SearchRequest,
    page: { style: 'cursor', in: 'body' },
    example: {
      filter: { match: 'all', conditions: [{ type: 'searchText', text: 'ada' }] },
      sort: { field: 'createdAt', direction: 'desc' },
      limit: 20,
    },
    success: { status: 200, body: SearchPage },
    handle: async ({ db, caller, body, page, clock }) => {
      await checkFilter(db, caller, body.filter)
      return searchPage(db, caller, [{ filter: body.filter }], body.sort, page, clock.now(), body.include)
    },
  }),
  route('POST /contacts/search/count', {
    operationId: 'countSearchedContacts',
    summary: 'Count the contacts that match a filter',
    description: 'Counts like `POST /contacts/search` finds.',
    access,
    extension: true,
    body: object({ filter: ContactFilter }),
    example: { filter: { match: 'all', conditions: [{ type: 'searchText', text: 'ada' }] } },
    success: { status: 200, body: TotalSize },
    handle: async ({ db, caller, body, clock }) => {
      await checkFilter(db, caller, body.filter)
      return { totalSize: await countMatching(db, caller, [{ filter: body.filter }], clock.now()) }
    },
  }),
  route('GET /contacts/search/export', {
    operationId: 'exportSearchedContacts',
    summary: 'Export the contacts that match a filter as CSV',
    description:
      'The same columns as `GET /contacts/export`, for the contacts that `POST /contacts/search` finds with the filter.',
    access: { scopes: ['contact:export'], roles: managers },
    extension: true,
    query: object({
      filter: Type.String({ maxLength: 10_000, description: 'a ContactFilter as JSON' }),
    }),
    success: { status: 200, contentType: 'text/csv' },
    handle: async context => {
      const { db, write, caller, query, clock } = context
      const filter = parseFilter(query.filter)
      await checkFilter(db, caller, filter)
      const { tenantId } = caller
      const conjuncts = await compileFilters(db, caller, [{ filter }], clock.now())
      const workspace = { type: 'workspace', id: tenantId }
      return replyWithCsv(context, {
        tenantId,
        fileName: 'contacts.csv',
        lines: exportContacts(db, caller, { matching: selectMatches({ tenantId, conjuncts }) }),
        record: () => write(tx => recordAudit(tx, caller, 'contact.exported', workspace, { filter })),
      })
    },
  }),
]
