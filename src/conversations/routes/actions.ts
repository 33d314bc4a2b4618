import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, literals, nullable, object } from '../../platform/http/schemas.ts'
import { reopen, runAction, setOwner, setPriority, snooze, wake } from '../conversation-actions.ts'
import { ConversationClosed, ConversationInboxDeleted, ConversationNotFound } from '../errors.ts'
import { markUnread } from '../read-state.ts'
import { Conversation, OwnerRequest, priorities, SnoozeRequest } from '../schemas.ts'

const route = section('Messaging', { extension: true })
const success = { status: 200, body: Conversation } as const
const update = { scopes: ['conversation:update'], roles: everyone }

export const actionRoutes = [
  route('PUT /conversations/{id}/owner', {
    operationId: 'setConversationOwner',
    summary: 'Assign a conversation to a user, a team, a chatbot or to nobody in particular',
    description:
      'A team becomes the team of the conversation, too. A chatbot must be active; it replies to the next message of the customer.',
    access: { scopes: ['conversation:assign'], roles: everyone },
    body: OwnerRequest,
    example: { type: 'user', id: 'usr_01k4xq7d9hfk3b0m6a7yz2c5rg' },
    success,
    errors: [ConversationNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => runAction(tx, caller, params.id, setOwner, body)),
  }),
  route('POST /conversations/{id}/reopen', {
    operationId: 'reopenConversation',
    summary: 'Reopen a closed conversation',
    description:
      'Continues the latest session with its team and owner; a chatbot hands over to the team. Does nothing if the conversation is open.',
    access: { scopes: ['conversation:close'], roles: everyone },
    success,
    errors: [ConversationNotFound, ConversationInboxDeleted],
    handle: ({ write, caller, params }) => write(tx => runAction(tx, caller, params.id, reopen, undefined)),
  }),
  route('PUT /conversations/{id}/snooze', {
    operationId: 'snoozeConversation',
    summary: 'Snooze a conversation until a time or until the customer writes',
    description: 'A message of the customer ends every snooze, as does closing the conversation.',
    access: update,
    body: SnoozeRequest,
    example: { untilReply: true },
    success,
    errors: [ConversationNotFound, ConversationClosed],
    handle: ({ write, caller, params, body }) => write(tx => runAction(tx, caller, params.id, snooze, body)),
  }),
  route('DELETE /conversations/{id}/snooze', {
    operationId: 'wakeConversation',
    summary: 'End the snooze of a conversation',
    description: 'Does nothing if the conversation is not snoozed.',
    access: update,
    success,
    errors: [ConversationNotFound],
    handle: ({ write, caller, params }) => write(tx => runAction(tx, caller, params.id, wake, undefined)),
  }),
  route('PUT /conversations/{id}/priority', {
    operationId: 'setConversationPriority',
    summary: 'Set the priority of a conversation',
    description: 'null removes the priority.',
    access: update,
    body: object({ priority: nullable(literals(priorities)) }),
    example: { priority: 'high' },
    success,
    errors: [ConversationNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => runAction(tx, caller, params.id, setPriority, body.priority)),
  }),
  route('DELETE /conversations/{id}/read', {
    operationId: 'markConversationUnread',
    summary: 'Mark messages as unread from a message on',
    description:
      "Without `from`, the customer's last message becomes unread. Your unread counters change; those of other users do not. Messages that are unread stay unread.",
    access: { scopes: ['conversation:read'], roles: everyone, userOnly: true },
    query: object({ from: Type.Optional({ ...AnyId, description: 'a message of the conversation' }) }),
    success,
    errors: [ConversationNotFound],
    handle: ({ write, caller, params, query }) => write(tx => markUnread(tx, caller, params.id, query.from)),
  }),
]
