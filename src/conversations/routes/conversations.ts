import Type from 'typebox'
import { listOptedOut } from '../../contacts/opt-outs.ts'
import { everyone } from '../../identity/roles.ts'
import { toStatus } from '../../inboxes/health.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { nextPageToken, tokenPage, withNextPage } from '../../platform/http/page.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, literals, object, Timestamp } from '../../platform/http/schemas.ts'
import { closeConversation, getConversation, reassignConversation } from '../conversations.ts'
import { ConversationNotFound } from '../errors.ts'
import { listConversationMessages } from '../messages/messages.ts'
import { buildWindow } from '../outbound/messaging-window.ts'
import { sendReply, toSendContext } from '../outbound/send-message.ts'
import { markRead } from '../read-state.ts'
import { relinkConversation } from '../relink-conversation.ts'
import { Accepted, Conversation, ConversationWithWindow, Message, ReplyRequest } from '../schemas.ts'
import { listConversations } from '../store/conversation-pages.ts'
import { conversationToApi } from '../store/conversations.ts'

const route = section('Messaging')

async function withWindow(deps: Deps, caller: Caller, id: string) {
  const row = await getConversation(deps.db, caller, id)
  const [inbox, optedOut] = await Promise.all([
    findInbox(deps.db, caller.tenantId, row.inboxId),
    listOptedOut(deps.db, caller.tenantId, [row.contactId], row.channel),
  ])
  const state = {
    channel: row.channel,
    lastCustomerAt: row.lastCustomerAt,
    alwaysOpen: deps.channels[row.channel].isLenient,
    optedOut: optedOut.size > 0,
    inboxActive: inbox !== undefined && toStatus(inbox.healthIssues).state !== 'disconnected',
    ownedByUser: row.ownerType === 'user',
  }
  return { ...conversationToApi(row), window: buildWindow(state, deps.clock.now()) }
}

export const conversationRoutes = [
  route('GET /conversations', {
    operationId: 'listConversations',
    summary: 'List conversations',
    description:
      'Lists conversations that you can see, by default those with the latest messages first. All filters must match.',
    access: { scopes: ['conversation:list'], roles: everyone },
    query: object({
      interacted: Type.Optional(
        Type.Boolean({ description: 'true: with at least one message of the customer; false: without any' }),
      ),
      search: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'part of the name or external id' }),
      ),
      conversationIds: Type.Optional(Type.Array(AnyId, { maxItems: 200 })),
      status: Type.Optional(Type.Array(literals(['open', 'closed']))),
      ownerType: Type.Optional(Type.Array(literals(['user', 'team', 'bot', 'none']))),
      contactId: Type.Optional(Type.String({ ...AnyId, description: 'extension' })),
      inboxId: Type.Optional(
        Type.String({ ...AnyId, description: 'extension: the inbox of the latest session' }),
      ),
      createdAfter: Type.Optional(Type.String({ ...Timestamp, description: 'extension, inclusive' })),
      createdBefore: Type.Optional(Type.String({ ...Timestamp, description: 'extension, exclusive' })),
      updatedAfter: Type.Optional(
        Type.String({
          ...Timestamp,
          description:
            'extension, inclusive; a message, a new status, owner, team or contact updates a conversation',
        }),
      ),
      updatedBefore: Type.Optional(Type.String({ ...Timestamp, description: 'extension, exclusive' })),
      sort: Type.Optional(literals(['lastMessageAt', 'createdAt', 'updatedAt', 'name'])),
      orderDirection: Type.Optional(literals(['asc', 'desc'])),
    }),
    page: tokenPage,
    success: { status: 200, body: object({ conversations: Type.Array(Conversation), nextPageToken }) },
    handle: async ({ db, caller, query, page }) => {
      const { sort, orderDirection, conversationIds, status, ownerType, ...filters } = query
      const filter = {
        sort: sort ?? 'lastMessageAt',
        direction: orderDirection ?? 'desc',
        ...(conversationIds ? { ids: conversationIds } : {}),
        ...(status ? { statuses: status } : {}),
        ...(ownerType ? { ownerTypes: ownerType } : {}),
        ...filters,
      }
      const found = await listConversations(db, caller, filter, page)
      const { rows, next } = page.toPage(found, row => [row.sortValue, row.id])
      return { conversations: rows.map(conversationToApi), ...withNextPage(next) }
    },
  }),
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
    page: tokenPage,
    success: { status: 200, body: object({ messages: Type.Array(Message), nextPageToken }) },
    errors: [ConversationNotFound],
    handle: ({ db, caller, params, page }) => listConversationMessages(db, caller, params.id, page),
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
