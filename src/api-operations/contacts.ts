/** Contacts, tags, custom fields and segments: the name of each operation, what its route does not say, and an example of its body. */
import type { OperationDocs } from '../platform/http/openapi/openapi.ts'

export const contactsOperations: OperationDocs = {
  'POST /contacts': {
    operationId: 'createContact',
    description: 'All members are optional. A phone number identifies one contact of the workspace.',
    example: { name: 'Ada Lovelace', phone: '+14155550132' },
  },
  'GET /contacts': {
    operationId: 'listContacts',
    description: 'Lists contacts that you can see, newest first. All filters must match.',
  },
  'GET /contacts/count': {
    operationId: 'countContacts',
    description: 'Counts contacts that are not archived, or with `archived=true` the archived ones.',
  },
  'GET /contacts/{id}': {
    operationId: 'getContact',
    description: 'The id of a merged contact returns its survivor.',
  },
  'PATCH /contacts/{id}': {
    operationId: 'updateContact',
    description: 'Omitted members do not change.',
    example: { name: 'Ada King' },
  },
  'DELETE /contacts/{id}': {
    operationId: 'deleteContact',
    description: 'Its conversations are kept. To remove all data of the contact, erase it.',
  },
  'POST /contacts/{id}/archive': {
    operationId: 'archiveContact',
    description: 'Hides the contact from lists and campaigns; its history is kept.',
  },
  'POST /contacts/{id}/unarchive': {
    operationId: 'unarchiveContact',
    description: 'Shows the contact in lists again.',
  },
  'PUT /contacts/{contactId}/custom-fields/{customFieldId}': {
    operationId: 'setContactCustomField',
    description: 'Dates are written as `2026-01-31`.',
    example: { value: 'gold' },
  },
  'POST /contacts/{contactId}/tags/{tagId}': {
    operationId: 'addContactTag',
    description: 'Has no effect if the contact has the tag already.',
  },
  'DELETE /contacts/{contactId}/tags/{tagId}': {
    operationId: 'removeContactTag',
    description: 'Has no effect if the contact does not have the tag.',
  },
  'PUT /contacts/{id}/opt-outs/{channel}': {
    operationId: 'optOutContact',
    description: 'The contact receives no messages on the channel until the opt-out is removed.',
  },
  'DELETE /contacts/{id}/opt-outs/{channel}': {
    operationId: 'removeContactOptOut',
    description: 'Has no effect if the contact has not opted out.',
  },
  'POST /contacts/import': { operationId: 'importContacts' },
  'GET /contacts/imports/{id}': {
    operationId: 'getContactImport',
    description: 'Poll it until `status` is `completed` or `failed`.',
  },
  'GET /contacts/export': { operationId: 'exportContacts' },
  'POST /contacts/{id}/merge': {
    operationId: 'mergeContacts',
    example: { intoContactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re' },
  },
  'POST /contacts/{id}/erase': { operationId: 'eraseContact' },
  'POST /contacts/search': {
    operationId: 'searchContacts',
    description: 'All conditions of the filter must match.',
    example: {
      filter: { match: 'all', conditions: [{ type: 'searchText', text: 'ada' }] },
      sort: { field: 'createdAt', direction: 'desc' },
      limit: 20,
    },
  },
  'POST /contacts/search/count': {
    operationId: 'countSearchedContacts',
    description: 'Counts like `POST /contacts/search` finds.',
    example: { filter: { match: 'all', conditions: [{ type: 'searchText', text: 'ada' }] } },
  },
  'GET /tags': { operationId: 'listTags', description: 'Shows how many contacts have each tag.' },
  'POST /tags': {
    operationId: 'createTag',
    description: 'The name must be unique in the workspace.',
    example: { name: 'VIP' },
  },
  'DELETE /tags/{id}': {
    operationId: 'deleteTag',
    description: 'Also removes it from contacts. Journeys and chatbots that use it list it in `missing`.',
  },
  'GET /contacts/custom-fields': {
    operationId: 'listContactCustomFields',
    description: 'Includes the predefined fields.',
  },
  'POST /contacts/custom-fields': {
    operationId: 'createContactCustomField',
    description: 'The name must be unique among the fields of contacts.',
    example: { name: 'Plan', type: 'text' },
  },
  'PATCH /contacts/custom-fields/{id}': {
    operationId: 'renameContactCustomField',
    description: 'Only the name changes: `type` must be the current one.',
    example: { name: 'Tariff', type: 'text' },
  },
  'DELETE /contacts/custom-fields/{id}': {
    operationId: 'deleteContactCustomField',
    description: 'Deletes its values, and removes it from segments.',
  },
  'GET /properties/custom-fields': {
    operationId: 'listPropertyCustomFields',
    description: 'Includes the predefined fields.',
  },
  'POST /properties/custom-fields': {
    operationId: 'createPropertyCustomField',
    description: 'The name must be unique among the fields of properties.',
    example: { name: 'Floor', type: 'text' },
  },
  'PATCH /properties/custom-fields/{id}': {
    operationId: 'renamePropertyCustomField',
    description: 'Only the name changes: `type` must be the current one.',
    example: { name: 'Storey', type: 'text' },
  },
  'DELETE /properties/custom-fields/{id}': {
    operationId: 'deletePropertyCustomField',
    description: 'Deletes the definition.',
  },
  'GET /segments': { operationId: 'listSegments', description: 'Newest first, with their filters.' },
  'POST /segments': {
    operationId: 'createSegment',
    description: 'Contacts enter and leave a segment as their data changes.',
    example: {
      name: 'New customers',
      description: 'Created this year',
      filter: { match: 'all', conditions: [{ type: 'searchText', text: 'ada' }] },
    },
  },
  'GET /segments/{segmentId}': {
    operationId: 'getSegment',
    description: 'The `ETag` is the revision to send as `If-Match`.',
  },
  'PATCH /segments/{segmentId}': {
    operationId: 'updateSegment',
    description: 'Needs `If-Match` with the ETag you last read.',
    example: { name: 'Customers of this year' },
  },
  'DELETE /segments/{segmentId}': { operationId: 'deleteSegment' },
  'POST /segments/{segmentId}/contacts/search': {
    operationId: 'searchSegmentContacts',
    description: 'Contacts must match the segment and the filter.',
    example: { filter: { match: 'all', conditions: [] } },
  },
  'GET /segments/{segmentId}/count': {
    operationId: 'countSegmentContacts',
    description: 'Counts the contacts that match now and that you can see.',
  },
  'GET /segments/{segmentId}/contacts/{contactId}/explain': {
    operationId: 'explainSegmentContact',
    description: 'Shows each condition with its result for the contact.',
  },
}
