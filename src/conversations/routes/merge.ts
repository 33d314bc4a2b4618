/** Merging changes contacts and conversations, so it lives with the higher of the two. */

import { ContactNotFound } from '../../contacts/errors.ts'
import { Contact } from '../../contacts/schemas.ts'
import { route } from '../../platform/http/route.ts'
import { AnyId, IdPath, object } from '../../platform/http/schemas.ts'
import { mergeWithConversations } from '../merging.ts'

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
      write(tx => mergeWithConversations(tx, caller, params.id, body.intoContactId)),
  }),
]
