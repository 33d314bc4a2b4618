import { everyone } from '../../identity/roles.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { section } from '../../platform/section.ts'
import {
  archiveContact,
  createContact,
  deleteContact,
  editContact,
  getContact,
  setFieldValue,
  unarchiveContact,
} from '../contacts.ts'
import {
  ContactArchived,
  ContactNotArchived,
  ContactNotFound,
  ContactPhoneTaken,
  CustomFieldNotFound,
  TagNotFound,
} from '../errors.ts'
import { changeOptOut } from '../opt-outs.ts'
import { ChannelName, Contact, ContactPatch, FieldValue, NewContact } from '../schemas.ts'
import { tagContact, untagContact } from '../tags-and-fields/tags.ts'

const route = section('Contacts')
const update = { scopes: ['contact:update'], roles: everyone }
const OptOutPath = object({ id: AnyId, channel: ChannelName })

export const contactRoutes = [
  route('POST /contacts', {
    summary: 'Create a contact',
    access: { scopes: ['contact:create'], roles: everyone },
    body: NewContact,
    bodyOptional: true,
    success: { status: 201, body: Contact },
    errors: [ContactPhoneTaken],
    handle: ({ write, caller, body }) => write(tx => createContact(tx, caller, body)),
  }),
  route('GET /contacts/{id}', {
    summary: 'Get a contact',
    access: { scopes: ['contact:read'], roles: everyone },
    success: { status: 200, body: Contact },
    errors: [ContactNotFound],
    handle: ({ db, caller, params }) => getContact(db, caller, params.id),
  }),
  route('PATCH /contacts/{id}', {
    summary: 'Update a contact',
    access: update,
    body: ContactPatch,
    success: { status: 200, body: Contact },
    errors: [ContactNotFound, ContactPhoneTaken],
    handle: ({ write, caller, params, body }) => write(tx => editContact(tx, caller, params.id, body)),
  }),
  route('DELETE /contacts/{id}', {
    summary: 'Delete a contact and release its phone number',
    access: { scopes: ['contact:delete'], roles: everyone },
    success: { status: 204 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) => write(tx => deleteContact(tx, caller, params.id)),
  }),
  route('POST /contacts/{id}/archive', {
    summary: 'Archive a contact',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, ContactArchived],
    handle: ({ write, caller, params }) => write(tx => archiveContact(tx, caller, params.id)),
  }),
  route('POST /contacts/{id}/unarchive', {
    summary: 'Unarchive a contact',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, ContactNotArchived],
    handle: ({ write, caller, params }) => write(tx => unarchiveContact(tx, caller, params.id)),
  }),
  route('PUT /contacts/{contactId}/custom-fields/{customFieldId}', {
    summary: 'Set the value of a custom field; an empty value clears it',
    access: update,
    body: object({ value: FieldValue }),
    success: { status: 204 },
    errors: [ContactNotFound, CustomFieldNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => setFieldValue(tx, caller, params.contactId, params.customFieldId, body.value)),
  }),
  route('POST /contacts/{contactId}/tags/{tagId}', {
    summary: 'Add a tag to a contact',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, TagNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => tagContact(tx, caller, params.contactId, params.tagId)),
  }),
  route('DELETE /contacts/{contactId}/tags/{tagId}', {
    summary: 'Remove a tag from a contact',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, TagNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => untagContact(tx, caller, params.contactId, params.tagId)),
  }),
  route('PUT /contacts/{id}/opt-outs/{channel}', {
    summary: 'Opt a contact out of a channel',
    access: update,
    extension: true,
    params: OptOutPath,
    success: { status: 204 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => changeOptOut(tx, caller, params.id, params.channel, true)),
  }),
  route('DELETE /contacts/{id}/opt-outs/{channel}', {
    summary: 'Remove an opt-out',
    access: update,
    extension: true,
    params: OptOutPath,
    success: { status: 204 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => changeOptOut(tx, caller, params.id, params.channel, false)),
  }),
]
