import { everyone } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { ConversationNotFound, NoteNotFound, NoteNotYours } from '../errors.ts'
import { createNote, deleteNote, getNote, updateNote } from '../notes/notes.ts'
import { NewNote, Note, NotePatch } from '../notes/schemas.ts'

const route = section('Messaging', { extension: true })

export const noteRoutes = [
  route('POST /conversations/{id}/notes', {
    operationId: 'createNote',
    summary: 'Write an internal note in a conversation',
    description:
      'Notes are for users: they are never sent to the customer. Mentioned users must be able to see the conversation.',
    access: { scopes: ['note:create'], roles: everyone },
    body: NewNote,
    example: {
      text: 'Waiting for the warehouse, @Sam please follow up',
      mentions: ['usr_01k4xq7d9hfk3b0m6a7yz2c5rg'],
    },
    success: { status: 201, body: Note },
    errors: [ConversationNotFound],
    handle: ({ write, caller, params, body }) => write(tx => createNote(tx, caller, params.id, body)),
  }),
  route('PATCH /notes/{id}', {
    operationId: 'updateNote',
    summary: 'Change a note that you wrote',
    description: 'Properties that are left out stay as they are.',
    access: { scopes: ['note:update'], roles: everyone },
    body: NotePatch,
    example: { text: 'The warehouse has answered' },
    success: { status: 200, body: Note },
    errors: [NoteNotFound, NoteNotYours],
    read: {
      access: { scopes: ['conversation:read'], roles: everyone },
      handle: ({ db, caller, params }) => getNote(db, caller, params.id),
    },
    handle: ({ write, caller, params, body }) => write(tx => updateNote(tx, caller, params.id, body)),
  }),
  route('DELETE /notes/{id}', {
    operationId: 'deleteNote',
    summary: 'Delete a note',
    description:
      'Authors delete their own notes, owners and admins any. Files that nothing else uses are deleted too.',
    access: { scopes: ['note:delete'], roles: everyone },
    success: { status: 204 },
    errors: [NoteNotFound, NoteNotYours],
    handle: ({ write, caller, params }) => write(tx => deleteNote(tx, caller, params.id)),
  }),
]
