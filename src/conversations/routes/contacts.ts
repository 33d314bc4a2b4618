/** Operations on contacts that also read or change conversations. */
import Type from 'typebox'
import { getContact } from '../../contacts/contacts.ts'
import { ContactNotFound } from '../../contacts/errors.ts'
import { Contact } from '../../contacts/schemas.ts'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { nextPageToken, tokenPage, withNextPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { listPage } from '../lists/lists.ts'
import { toSort } from '../lists/schemas.ts'
import { listContactFilesPage } from '../media/media.ts'
import { ContactFile } from '../media/schemas.ts'
import { mergeWithConversations } from '../merging/merge-conversations.ts'
import { requestErasure } from '../retention/erasure.ts'
import { Conversation } from '../schemas.ts'

const route = section('Contacts', { extension: true })

export const contactRoutes = [
  route('GET /contacts/{id}/conversations', {
    operationId: 'listContactConversations',
    summary: 'List the conversations of a contact',
    description: 'Those that you can see, on all channels, with the latest messages first.',
    access: { scopes: ['contact:read', 'conversation:list'], roles: everyone },
    page: tokenPage,
    success: { status: 200, body: object({ conversations: Type.Array(Conversation), nextPageToken }) },
    errors: [ContactNotFound],
    handle: async ({ db, caller, params, page }) => {
      const { id: contactId } = await getContact(db, caller, params.id)
      const found = await listPage(db, caller, { filter: { contactId }, sort: toSort({}) }, page)
      return { conversations: found.conversations, ...withNextPage(found.next) }
    },
  }),
  route('GET /contacts/{id}/files', {
    operationId: 'listContactFiles',
    summary: 'List the files of the conversations of a contact, newest first',
    description:
      'Files that were sent or received in conversations that you can see. URLs are valid for five minutes.',
    access: { scopes: ['contact:read', 'conversation:read'], roles: everyone },
    page: tokenPage,
    success: { status: 200, body: object({ files: Type.Array(ContactFile), nextPageToken }) },
    errors: [ContactNotFound],
    handle: async context => {
      const { id } = await getContact(context.db, context.caller, context.params.id)
      return listContactFilesPage(context, context.caller, id, context.page)
    },
  }),
  route('POST /contacts/{id}/merge', {
    operationId: 'mergeContacts',
    summary: 'Merge a contact into another; both ids then refer to the survivor',
    description:
      'The contact in intoContactId survives and keeps its name and field values; missing values are taken from the other contact. The survivor gets the tags, identities, conversations, notes and opt-outs of both.',
    access: { scopes: ['contact:update'], roles: everyone },
    body: object({ intoContactId: AnyId }),
    example: { intoContactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re' },
    success: { status: 200, body: Contact },
    errors: [ContactNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => mergeWithConversations(tx, caller, params.id, body.intoContactId)),
  }),
  route('POST /contacts/{id}/erase', {
    operationId: 'eraseContact',
    summary: 'Erase a contact permanently',
    description:
      'Deletes the contact, also one that was deleted before, with all data about the person: identities, field values, notes, conversations, messages and files, also in the event log, in stored responses and in dead jobs. The contact is deleted immediately, the rest within minutes; this cannot be undone. Aggregated numbers stay.',
    access: { scopes: ['contact:delete'], roles: managers },
    success: { status: 202 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) => write(tx => requestErasure(tx, caller, params.id)),
  }),
]
