import Type from 'typebox'
import { everyone } from '../../../identity/rights/roles.ts'
import { section } from '../../../platform/http/route.ts'
import { object } from '../../../platform/http/schemas.ts'
import { MessageNotFound, ReactionNotFound, ReactionsUnsupported, RecipientNotFound } from '../../errors.ts'
import { getMessage } from '../../messages/messages.ts'
import { reactToMessage } from '../../messages/reactions.ts'
import { sendMessage, toSendContext } from '../../outbound/send-message.ts'
import { Accepted, Reaction, SendRequest } from '../../schemas.ts'

const route = section('Messaging')

export const messageRoutes = [
  route('POST /messages', {
    operationId: 'sendMessage',
    summary: 'Send a message to a recipient',
    description:
      'Starts or continues a conversation. `inboxId` is required for the first message; `clientMessageId` is an extension.',
    access: {
      scopes: ['message:create'],
      roles: everyone,
      bodyScopes: body => (body.recipient.type === 'contact' ? ['contact:read'] : []),
      conditionalScopes: [{ when: 'recipient.type is contact', scope: 'contact:read' }],
    },
    body: SendRequest,
    example: {
      recipient: { type: 'phone', phoneNumber: '+14155550132' },
      inboxId: 'ibx_01k4xq7d9hfk3b0m6a7yz2c5rf',
      content: { type: 'text', text: { body: 'Hello from Parley' } },
    },
    success: { status: 202, body: Accepted },
    errors: [RecipientNotFound],
    handle: context => sendMessage(toSendContext(context), context.body.recipient, context.body),
  }),
  route('GET /messages/{id}', {
    operationId: 'getMessage',
    summary: 'Get a message with its timeline',
    description: 'Poll `deliveryStatus`, or receive `message.updated` by webhook.',
    access: { scopes: ['conversation:read'], roles: everyone },
    success: { status: 200, body: Accepted },
    errors: [MessageNotFound],
    handle: ({ db, caller, params }) => getMessage(db, caller, params.id),
  }),
  route('POST /messages/{id}/reactions', {
    operationId: 'reactToMessage',
    summary: 'React to a message with one emoji, or remove the reaction',
    description:
      'Each caller has one reaction on a message. The customer sees the latest one. `removed` removes the reaction with this emoji.',
    access: { scopes: ['message:create'], roles: everyone },
    body: object({
      emoji: Type.String({ minLength: 1, maxLength: 64 }),
      removed: Type.Optional(Type.Boolean()),
    }),
    example: { emoji: '👍' },
    success: { status: 200, body: object({ reaction: Reaction }) },
    errors: [MessageNotFound, ReactionNotFound, ReactionsUnsupported],
    handle: ({ write, caller, params, body }) => write(tx => reactToMessage(tx, caller, params.id, body)),
  }),
]
