import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { nextPageToken, tokenPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { ContactNoteNotFound, ContactNoteNotYours, ContactNotFound } from '../errors.ts'
import {
  createContactNote,
  deleteContactNote,
  getContactNote,
  listContactNotes,
  updateContactNote,
} from '../notes/notes.ts'
import { ContactNote, ContactNoteText } from '../notes/schemas.ts'

const route = section('Contacts', { extension: true })
const listAccess = { scopes: ['contact:read', 'conversation:read'], roles: everyone } as const

export const contactNoteRoutes = [
  route('GET /contacts/{id}/notes', {
    operationId: 'listContactNotes',
    summary: 'List the notes about a contact, newest first',
    description: 'Notes of a contact that was merged into this one are among them.',
    access: listAccess,
    page: tokenPage,
    success: { status: 200, body: object({ notes: Type.Array(ContactNote), nextPageToken }) },
    errors: [ContactNotFound],
    handle: ({ db, caller, params, page }) => listContactNotes(db, caller, params.id, page),
  }),
  route('POST /contacts/{id}/notes', {
    operationId: 'createContactNote',
    summary: 'Write an internal note about a contact',
    description: 'Notes are for users who can see the contact: they are never sent to the customer.',
    access: { scopes: ['contact:read', 'note:create'], roles: everyone },
    body: ContactNoteText,
    example: { text: 'Prefers to be called in the afternoon' },
    success: { status: 201, body: ContactNote },
    errors: [ContactNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => createContactNote(tx, caller, params.id, body.text)),
  }),
  route('PATCH /contacts/{id}/notes/{noteId}', {
    operationId: 'updateContactNote',
    summary: 'Change a note about a contact that you wrote',
    description: 'Only the author changes a note.',
    access: { scopes: ['contact:read', 'note:update'], roles: everyone },
    body: ContactNoteText,
    example: { text: 'Prefers to be called in the morning' },
    success: { status: 200, body: ContactNote },
    errors: [ContactNotFound, ContactNoteNotFound, ContactNoteNotYours],
    read: {
      access: listAccess,
      handle: ({ db, caller, params }) => getContactNote(db, caller, params),
    },
    handle: ({ write, caller, params, body }) =>
      write(tx => updateContactNote(tx, caller, params, body.text)),
  }),
  route('DELETE /contacts/{id}/notes/{noteId}', {
    operationId: 'deleteContactNote',
    summary: 'Delete a note about a contact',
    description: 'Authors delete their own notes, owners and admins any.',
    access: { scopes: ['contact:read', 'note:delete'], roles: everyone },
    success: { status: 204 },
    errors: [ContactNotFound, ContactNoteNotFound, ContactNoteNotYours],
    handle: ({ write, caller, params }) => write(tx => deleteContactNote(tx, caller, params)),
  }),
]
