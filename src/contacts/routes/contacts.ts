import { route } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
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

const tag = 'Contacts'
const everyone = ['owner', 'admin', 'agent'] as const
const update = { scopes: ['contact:update'], roles: everyone }
const OptOutPath = object({ id: AnyId, channel: ChannelName })

export const contactRoutes = [
  route({
    method: 'POST',
    path: '/contacts',
    tag,
    summary: 'Create a contact',
    access: { scopes: ['contact:create'], roles: everyone },
    body: NewContact,
    bodyOptional: true,
    success: { status: 201, body: Contact },
    errors: [ContactPhoneTaken],
    handle: ({ write, caller, body }) => write(tx => createContact(tx, caller, body)),
  }),
  route({
    method: 'GET',
    path: '/contacts/{id}',
    tag,
    summary: 'Get a contact',
    access: { scopes: ['contact:read'], roles: everyone },
    success: { status: 200, body: Contact },
    errors: [ContactNotFound],
    handle: ({ db, caller, params }) => getContact(db, caller, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/contacts/{id}',
    tag,
    summary: 'Update a contact',
    access: update,
    body: ContactPatch,
    success: { status: 200, body: Contact },
    errors: [ContactNotFound, ContactPhoneTaken],
    handle: ({ write, caller, params, body }) => write(tx => editContact(tx, caller, params.id, body)),
  }),
  route({
    method: 'DELETE',
    path: '/contacts/{id}',
    tag,
    summary: 'Delete a contact and release its phone number',
    access: { scopes: ['contact:delete'], roles: everyone },
    success: { status: 204 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) => write(tx => deleteContact(tx, caller, params.id)),
  }),
  route({
    method: 'POST',
    path: '/contacts/{id}/archive',
    tag,
    summary: 'Archive a contact',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, ContactArchived],
    handle: ({ write, caller, params }) => write(tx => archiveContact(tx, caller, params.id)),
  }),
  route({
    method: 'POST',
    path: '/contacts/{id}/unarchive',
    tag,
    summary: 'Unarchive a contact',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, ContactNotArchived],
    handle: ({ write, caller, params }) => write(tx => unarchiveContact(tx, caller, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/contacts/{contactId}/custom-fields/{customFieldId}',
    tag,
    summary: 'Set the value of a custom field; an empty value clears it',
    access: update,
    body: object({ value: FieldValue }),
    success: { status: 204 },
    errors: [ContactNotFound, CustomFieldNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => setFieldValue(tx, caller, params.contactId, params.customFieldId, body.value)),
  }),
  route({
    method: 'POST',
    path: '/contacts/{contactId}/tags/{tagId}',
    tag,
    summary: 'Add a tag to a contact',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, TagNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => tagContact(tx, caller, params.contactId, params.tagId)),
  }),
  route({
    method: 'DELETE',
    path: '/contacts/{contactId}/tags/{tagId}',
    tag,
    summary: 'Remove a tag from a contact',
    access: update,
    success: { status: 204 },
    errors: [ContactNotFound, TagNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => untagContact(tx, caller, params.contactId, params.tagId)),
  }),
  route({
    method: 'PUT',
    path: '/contacts/{id}/opt-outs/{channel}',
    tag,
    summary: 'Opt a contact out of a channel',
    access: update,
    extension: true,
    params: OptOutPath,
    success: { status: 204 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) =>
      write(tx => changeOptOut(tx, caller, params.id, params.channel, true)),
  }),
  route({
    method: 'DELETE',
    path: '/contacts/{id}/opt-outs/{channel}',
    tag,
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
