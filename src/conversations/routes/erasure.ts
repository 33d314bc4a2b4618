import { ContactNotFound } from '../../contacts/errors.ts'
import { route } from '../../platform/http/route.ts'
import { IdPath } from '../../platform/http/schemas.ts'
import { requestErasure } from '../erasure.ts'

export const erasureRoutes = [
  route({
    method: 'POST',
    path: '/contacts/{id}/erase',
    tag: 'Contacts',
    summary: 'Forget a person for good',
    description:
      'Deletes the contact, deleted ones included, with everything that is known of the person: identities, values, conversations, messages and files, in our own logs of events and stored answers too. The contact is gone at once; the rest follows within minutes and cannot be undone. Numbers that counted the person stay.',
    access: { scopes: ['contact:delete'], roles: ['owner', 'admin'] },
    extension: true,
    params: IdPath,
    success: { status: 202 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) => write(tx => requestErasure(tx, caller, params.id)),
  }),
]
