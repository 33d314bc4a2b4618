import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { nextPageToken, tokenPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, literals, object } from '../../platform/http/schemas.ts'
import {
  archiveContact,
  deleteContact,
  editContact,
  getContact,
  setFieldValue,
  unarchiveContact,
} from '../contacts.ts'
import { createContact, createContactBatched } from '../create-contacts.ts'
import {
  ContactArchived,
  ContactNotArchived,
  ContactNotFound,
  ContactPhoneTaken,
  CustomFieldNotFound,
  TagNotFound,
} from '../errors.ts'
import { findDuplicates } from '../merging/duplicates.ts'
import { changeOptOut, getOptOuts } from '../opt-outs.ts'
import {
  ChannelName,
  Contact,
  ContactPatch,
  DuplicateGroup,
  FieldValue,
  NewContact,
  OptOut,
} from '../schemas.ts'
import { tagContact, untagContact } from '../tags-and-fields/tags.ts'

const route = section('Contacts')
const update = { scopes: ['contact:update'], roles: everyone }
const OptOutPath = object({ id: AnyId, channel: ChannelName })

export const contactRoutes = [
  route('POST /contacts', {
    operationId: 'createContact',
    summary: 'Create a contact',
    description: 'All members are optional. A phone number identifies one contact of the workspace.',
    access: { scopes: ['contact:create'], roles: everyone },
    body: NewContact,
    bodyOptional: true,
    example: { name: 'Ada Lovelace', phone: '+14155550132' },
    success: { status: 201, body: Contact },
    errors: [ContactPhoneTaken],
    handle: ({ db, exclusiveWrite, caller, body = {} }) =>
      exclusiveWrite
        ? exclusiveWrite(tx => createContact(tx, caller, body))
        : createContactBatched(db, caller, body),
  }),
  route('GET /contacts/duplicates', {
    operationId: 'listDuplicateContacts',
    summary: 'List contacts that may be the same person',
    description:
      'Groups of active contacts with the same e-mail address, or with the same name unless each has an address of its own. Merge them with `POST /contacts/{id}/merge`. A page may have few groups although there are more: continue while there is a `nextPageToken`.',
    access: { scopes: ['contact:list'], roles: everyone },
    extension: true,
    query: object({ by: Type.Optional(literals(['email', 'name'], { description: 'default: email' })) }),
    page: tokenPage,
    success: { status: 200, body: object({ groups: Type.Array(DuplicateGroup), nextPageToken }) },
    handle: ({ db, caller, query, page }) => findDuplicates(db, caller, query.by ?? 'email', page),
  }),
  route('GET /contacts/{id}', {
    operationId: 'getContact',
    summary: 'Get a contact',
    description: 'The id of a merged contact returns its survivor.',
    access: { scopes: ['contact:read'], roles: everyone },
    success: { status: 200, body: Contact },
    errors: [ContactNotFound],
    handle: ({ db, caller, params }) => getContact(db, caller, params.id),
  }),
  route('PATCH /contacts/{id}', {
    operationId: 'updateContact',
    summary: 'Update a contact',
    description: 'Omitted members do not change.',
    access: update,
    body: ContactPatch,
    example: { name: 'Ada King' },
    success: { status: 200, body: Contact },
    errors: [ContactNotFound, ContactPhoneTaken],
    handle: ({ write, caller, params, body }) => write(tx => editContact(tx, caller, params.id, body)),
  }),
  route('DELETE /contacts/{id}', {
    operationId: 'deleteContact',
    summary: 'Delete a contact and release its phone number',
    description: 'Its conversations are kept. To remove all data of the contact, erase it.',
    access: { scopes: ['contact:delete'], roles: everyone },
    success: { status: 204 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) => write(tx => deleteContact(tx, caller, params.id)),
  }),
  route('POST /contacts/{id}/archive', {
    operationId: 'archiveContact',
    summary: 'Archive a contact',
    description: 'Hides the contact from lists and campaigns; its history is kept.',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, ContactArchived],
    handle: ({ write, caller, params }) => write(tx => archiveContact(tx, caller, params.id)),
  }),
  route('POST /contacts/{id}/unarchive', {
    operationId: 'unarchiveContact',
    summary: 'Unarchive a contact',
    description: 'Shows the contact in lists again.',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, ContactNotArchived],
    handle: ({ write, caller, params }) => write(tx => unarchiveContact(tx, caller, params.id)),
  }),
  route('PUT /contacts/{contactId}/custom-fields/{customFieldId}', {
    operationId: 'setContactCustomField',
    summary: 'Set the value of a custom field; an empty value clears it',
    description: 'Dates are written as `2026-01-31`.',
    access: update,
    body: object({ value: FieldValue }),
    example: { value: 'gold' },
    success: { status: 204 },
    errors: [ContactNotFound, CustomFieldNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => setFieldValue(tx, caller, params.contactId, params.customFieldId, body.value)),
  }),
  route('POST /contacts/{contactId}/tags/{tagId}', {
    operationId: 'addContactTag',
    summary: 'Add a tag to a contact',
    description: 'Has no effect if the contact has the tag already.',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, TagNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => tagContact(tx, caller, params.contactId, params.tagId)),
  }),
  route('DELETE /contacts/{contactId}/tags/{tagId}', {
    operationId: 'removeContactTag',
    summary: 'Remove a tag from a contact',
    description: 'Has no effect if the contact does not have the tag.',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, TagNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => untagContact(tx, caller, params.contactId, params.tagId)),
  }),
  route('GET /contacts/{id}/opt-outs', {
    operationId: 'listContactOptOuts',
    summary: 'List the opt-outs of a contact',
    description: 'Those in effect, with who set them and when.',
    access: { scopes: ['contact:read'], roles: everyone },
    extension: true,
    success: { status: 200, body: object({ optOuts: Type.Array(OptOut) }) },
    errors: [ContactNotFound],
    handle: async ({ db, caller, params }) => ({ optOuts: await getOptOuts(db, caller, params.id) }),
  }),
  route('PUT /contacts/{id}/opt-outs/{channel}', {
    operationId: 'optOutContact',
    summary: 'Opt a contact out of a channel',
    description: 'The contact receives no messages on the channel until the opt-out is removed.',
    access: update,
    extension: true,
    params: OptOutPath,
    success: { status: 204 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => changeOptOut(tx, caller, params.id, params.channel, true)),
  }),
  route('DELETE /contacts/{id}/opt-outs/{channel}', {
    operationId: 'removeContactOptOut',
    summary: 'Remove an opt-out',
    description: 'Has no effect if the contact has not opted out.',
    access: update,
    extension: true,
    params: OptOutPath,
    success: { status: 204 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => changeOptOut(tx, caller, params.id, params.channel, false)),
  }),
]
