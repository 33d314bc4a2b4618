/** Merging changes contacts and conversations, so it lives with the higher of the two. */

import { ContactNotFound } from '../../contacts/errors.ts'
import { mergeContacts } from '../../contacts/merge.ts'
import { Contact } from '../../contacts/schemas.ts'
import { route } from '../../platform/http/route.ts'
import { AnyId, IdPath, object } from '../../platform/http/schemas.ts'
import { lockOfContact } from '../store/conversations.ts'
import { moveConversations } from '../telling.ts'

export const mergeRoutes = [
  route({
    method: 'POST',
    path: '/contacts/{id}/merge',
    tag: 'Contacts',
    summary: 'Merge a contact into another; its id then answers for that one',
    description:
      'The contact in intoContactId survives and keeps its name and values; what it lacks comes from the other. Tags, identities, conversations and opt-outs of both are its own afterwards.',
    access: { scopes: ['contact:update'], roles: ['owner', 'admin', 'agent'] },
    extension: true,
    params: IdPath,
    body: object({ intoContactId: AnyId }),
    success: { status: 200, body: Contact },
    errors: [ContactNotFound],
    handle: ({ write, caller, params, body }) =>
      write(async tx => {
        // Before the contact, as whoever opens a session does: it counts for one of the two, and is told of once.
        await lockOfContact(tx, caller.tenantId, params.id)
        const { contact, conversationIds } = await mergeContacts(tx, caller, params.id, body.intoContactId)
        await moveConversations(tx, caller.tenantId, conversationIds, contact.id)
        return contact
      }),
  }),
]
