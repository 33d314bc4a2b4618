import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { toStatus } from '../../inboxes/health.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { nextPageToken, tokenPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { viewConversations } from '../conversation-views.ts'
import { closeConversation, getConversation, reassignConversation } from '../conversations.ts'
import { ConversationNotFound } from '../errors.ts'
import { relinkConversation } from '../merging/relink-conversation.ts'
import { listConversationMessages } from '../messages/messages.ts'
import { buildWindow } from '../outbound/messaging-window.ts'
import { sendReply, toSendContext } from '../outbound/send-message.ts'
import { markRead } from '../read-state.ts'
import { Accepted, Conversation, ConversationWithWindow, Message, ReplyRequest } from '../schemas.ts'
import { windowQuery } from '../timeline/schemas.ts'

const route = section('Messaging')

async function withWindow(deps: Deps, caller: Caller, id: string) {
  const row = await getConversation(deps.db, caller, id)
  const [inbox, [view]] = await Promise.all([
    findInbox(deps.db, caller.tenantId, row.inboxId),
    viewConversations(deps.db, caller, [row]),
  ])
  const state = {
    channel: row.channel,
    lastCustomerAt: row.lastCustomerAt,
    alwaysOpen: deps.channels[row.channel].isLenient,
    optedOut: view!.contact!.optOuts.includes(row.channel),
    inboxActive: inbox !== undefined && toStatus(inbox.healthIssues).state !== 'disconnected',
    ownedByUser: row.ownerType === 'user',
  }
  return { ...view!, window: buildWindow(state, deps.clock.now()) }
}

export const conversationRoutes = [
  route('GET /conversations/{id}', {
    operationId: 'getConversation',
    summary: 'Get a conversation and its messaging window',
    description: '`window` shows whether a person or a bot can reply now, and with which content.',
    access: { scopes: ['conversation:read'], roles: everyone },
    success: { status: 200, body: ConversationWithWindow },
    errors: [ConversationNotFound],
    handle: context => withWindow(context, context.caller, context.params.id),
  }),
  route('GET /conversations/{id}/messages', {
    operationId: 'listConversationMessages',
    summary: 'List the messages of a conversation, newest first',
    description: 'Includes messages of conversations that were merged into it.',
    access: { scopes: ['conversation:read'], roles: everyone },
    query: object(windowQuery),
    page: tokenPage,
    success: { status: 200, body: object({ messages: Type.Array(Message), nextPageToken }) },
    errors: [ConversationNotFound],
    handle: ({ db, caller, params, page, query }) =>
      listConversationMessages(db, caller, params.id, page, query),
  }),
  route('POST /conversations/{id}/messages', {
    operationId: 'replyToConversation',
    summary: 'Reply in a conversation',
    description: 'Sends through the inbox of the open session, or through `inboxId`.',
    access: { scopes: ['message:create'], roles: everyone },
    body: ReplyRequest,
    example: { content: { type: 'text', text: { body: 'Hello from Parley' } } },
    success: { status: 202, body: Accepted },
    errors: [ConversationNotFound],
    handle: context => sendReply(toSendContext(context), context.params.id, context.body),
  }),
  route('POST /conversations/{id}/reassign', {
    operationId: 'reassignConversation',
    summary: 'Assign a conversation to a user',
    description: 'The user must be able to see the conversation.',
    access: { scopes: ['conversation:assign'], roles: everyone },
    body: object({ userId: AnyId }),
    example: { userId: 'usr_01k4xq7d9hfk3b0m6a7yz2c5rg' },
    success: { status: 204 },
    errors: [ConversationNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => reassignConversation(tx, caller, params.id, body.userId)),
  }),
  route('POST /conversations/{id}/contact', {
    operationId: 'relinkConversation',
    summary: 'Link a conversation to another contact',
    description:
      "Moves the customer's address to the contact, with the messages from now on; earlier messages stay with the contact they were exchanged with. An open session is replaced by one with the same inbox, team and owner.",
    access: { scopes: ['conversation:assign', 'contact:update'], roles: everyone },
    extension: true,
    body: object({ contactId: AnyId }),
    example: { contactId: 'con_01k4xq7d9hfk3b0m6a7yz2c5re' },
    success: { status: 200, body: Conversation },
    errors: [ConversationNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => relinkConversation(tx, caller, params.id, body.contactId)),
  }),
  route('POST /conversations/{id}/read', {
    operationId: 'markConversationRead',
    summary: 'Mark messages as read up to a message',
    description: 'Your unread counters change; those of other users do not.',
    access: { scopes: ['conversation:read'], roles: everyone, userOnly: true },
    body: object({ lastMessageId: AnyId }),
    example: { lastMessageId: 'msg_01k4xq7d9hfk3b0m6a7yz2c5rm' },
    success: { status: 200, body: Conversation },
    errors: [ConversationNotFound],
    handle: ({ write, caller, params, body }) =>
      write(tx => markRead(tx, caller, params.id, body.lastMessageId)),
  }),
  route('POST /conversations/{id}/close', {
    operationId: 'closeConversation',
    summary: 'Close a conversation',
    description: 'Closes the open session. The next message, from either side, opens a new one.',
    access: { scopes: ['conversation:close'], roles: everyone },
    success: { status: 200 },
    errors: [ConversationNotFound],
    handle: ({ write, caller, params }) => write(tx => closeConversation(tx, caller, params.id)),
  }),
]
