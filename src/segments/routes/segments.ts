import { findContact } from '../../contacts/contacts.ts'
import { ContactNotFound } from '../../contacts/errors.ts'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { fail } from '../../platform/errors.ts'
import { cursorList, cursorPage, toCursorList } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import type { Dependents } from '../dependents.ts'
import { SegmentInUse, SegmentNotFound } from '../errors.ts'
import { explainFilter } from '../filter/filter.ts'
import { checkFilter } from '../references.ts'
import {
  NewSegment,
  SearchPage,
  SearchRequest,
  Segment,
  SegmentExplanation,
  SegmentPatch,
  TotalSize,
} from '../schemas.ts'
import { countMatching, searchPage } from '../search.ts'
import { createSegment, deleteSegment, editSegment, getSegment } from '../segments.ts'
import { listSegments } from '../store/segments.ts'
import { loadSubjects } from '../subjects.ts'

const route = section('Segments')
const readMembers = { scopes: ['contact:list', 'segment:read'], roles: everyone }

const otherRoutes = [
  route('GET /segments', {
    operationId: 'listSegments',
    summary: 'List the segments',
    description: 'Newest first, with their filters.',
    access: { scopes: ['segment:list'], roles: everyone },
    page: cursorPage,
    success: { status: 200, body: cursorList(Segment) },
    handle: async ({ db, caller, page }) => {
      const { rows, next } = page.toPage(await listSegments(db, caller.tenantId, page), ({ id }) => [id])
      return toCursorList(rows, next)
    },
  }),
  route('POST /segments', {
    operationId: 'createSegment',
    summary: 'Create a segment',
    description: 'Contacts enter and leave a segment as their data changes.',
    access: { scopes: ['segment:create'], roles: managers },
    body: NewSegment,
    example: {
      name: 'New customers',
      description: 'Created this year',
      filter: { match: 'all', conditions: [{ type: 'searchText', text: 'ada' }] },
    },
    success: { status: 201, body: Segment, etag: true },
    handle: ({ write, caller, body }) => write(tx => createSegment(tx, caller, body)),
  }),
  route('GET /segments/{segmentId}', {
    operationId: 'getSegment',
    summary: 'Get a segment',
    description: 'The `ETag` is the revision to send as `If-Match`.',
    access: { scopes: ['segment:read'], roles: everyone },
    success: { status: 200, body: Segment, etag: true },
    errors: [SegmentNotFound],
    handle: ({ db, caller, params }) => getSegment(db, caller.tenantId, params.segmentId),
  }),
  route('PATCH /segments/{segmentId}', {
    operationId: 'updateSegment',
    summary: 'Update a segment; a filter replaces the previous one as a whole',
    description: 'Needs `If-Match` with the ETag you last read.',
    access: { scopes: ['segment:update'], roles: managers },
    body: SegmentPatch,
    concurrency: 'required',
    example: { name: 'Customers of this year' },
    success: { status: 200, body: Segment, etag: true },
    errors: [SegmentNotFound],
    handle: ({ write, caller, params, body, ifMatch }) =>
      write(tx => editSegment(tx, caller, params.segmentId, body, ifMatch)),
  }),
  route('POST /segments/{segmentId}/contacts/search', {
    operationId: 'searchSegmentContacts',
    summary: 'Search the contacts of a segment with an additional filter',
    description: 'Contacts must match the segment and the filter.',
    access: readMembers,
    body: SearchRequest,
    page: { style: 'cursor', in: 'body' },
    example: { filter: { match: 'all', conditions: [] } },
    success: { status: 200, body: SearchPage },
    errors: [SegmentNotFound],
    handle: async ({ db, caller, params, body, page, clock }) => {
      await checkFilter(db, caller, body.filter)
      const segment = await getSegment(db, caller.tenantId, params.segmentId)
      const filters = [{ filter: segment.filter }, { filter: body.filter, options: { skipImplied: true } }]
      return searchPage(db, caller, filters, body.sort, page, clock.now(), body.include)
    },
  }),
  route('GET /segments/{segmentId}/count', {
    operationId: 'countSegmentContacts',
    summary: 'Count the contacts of a segment',
    description: 'Counts the contacts that match now and that you can see.',
    access: readMembers,
    extension: true,
    success: { status: 200, body: TotalSize },
    errors: [SegmentNotFound],
    handle: async ({ db, caller, params, clock }) => {
      const { filter } = await getSegment(db, caller.tenantId, params.segmentId)
      return { totalSize: await countMatching(db, caller, [{ filter }], clock.now()) }
    },
  }),
  route('GET /segments/{segmentId}/contacts/{contactId}/explain', {
    operationId: 'explainSegmentContact',
    summary: 'Explain which conditions of a segment match a contact',
    description: 'Shows each condition with its result for the contact.',
    access: readMembers,
    extension: true,
    success: { status: 200, body: SegmentExplanation },
    errors: [SegmentNotFound, ContactNotFound],
    handle: async ({ db, caller, params, clock }) => {
      const { id: segmentId, filter } = await getSegment(db, caller.tenantId, params.segmentId)
      const contactId = await findContact(db, caller, params.contactId)
      const [contact] = await loadSubjects(db, caller.tenantId, [contactId], [filter])
      if (!contact) fail(ContactNotFound)
      return { segmentId, contactId, ...explainFilter(filter, contact, clock.now()) }
    },
  }),
]

const deleteRoute = (dependents: Dependents) =>
  route('DELETE /segments/{segmentId}', {
    operationId: 'deleteSegment',
    summary: 'Delete a segment',
    description:
      'A segment that a scheduled campaign uses cannot be deleted: the 409 lists them in `campaigns`, if the caller holds `campaign:read`.',
    access: { scopes: ['segment:delete'], roles: managers },
    concurrency: 'required',
    success: { status: 204 },
    errors: [SegmentNotFound, SegmentInUse],
    handle: ({ write, caller, params, ifMatch }) =>
      write(tx => deleteSegment(tx, caller, dependents, { id: params.segmentId, ifMatch })),
  })

export const segmentRoutes = (dependents: Dependents) => [...otherRoutes, deleteRoute(dependents)]
