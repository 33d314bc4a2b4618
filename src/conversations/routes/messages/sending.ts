import Type from 'typebox'
import { everyone } from '../../../identity/rights/roles.ts'
import { nextPageToken, tokenPage } from '../../../platform/http/page.ts'
import { section } from '../../../platform/http/route.ts'
import { object, Timestamp } from '../../../platform/http/schemas.ts'
import {
  ConversationNotFound,
  MessageNotCancellable,
  MessageNotFound,
  MessageNotRetryable,
  MessageNotScheduled,
} from '../../errors.ts'
import { cancelMessage, changeSendAt, retryMessage } from '../../outbound/retry-and-cancel.ts'
import { listScheduledMessages } from '../../outbound/schedule-message.ts'
import { Accepted, Message } from '../../schemas.ts'

const route = section('Messaging', { extension: true })
const access = { scopes: ['message:create'], roles: everyone } as const

export const sendingRoutes = [
  route('POST /messages/{id}/retry', {
    operationId: 'retryMessage',
    summary: 'Send a failed message again',
    description:
      'Only messages of users and service accounts that failed. The message keeps its place in the conversation and is sent after those that are queued already.',
    access,
    success: { status: 202, body: Accepted },
    errors: [MessageNotFound, MessageNotRetryable],
    handle: ({ write, caller, params }) => write(tx => retryMessage(tx, caller, params.id)),
  }),
  route('DELETE /messages/{id}', {
    operationId: 'cancelMessage',
    summary: 'Cancel a message before it is handed to the provider',
    description:
      'A scheduled message is deleted. One that was accepted stays in the conversation with the content `deleted` and the error `cancelled`.',
    access,
    success: { status: 204 },
    errors: [MessageNotFound, MessageNotCancellable],
    handle: ({ write, caller, params }) => write(tx => cancelMessage(tx, caller, params.id)),
  }),
  route('PATCH /messages/{id}', {
    operationId: 'rescheduleMessage',
    summary: 'Change when a scheduled message is sent',
    description: 'A scheduled message that failed when it was due is tried again at the new time.',
    access,
    body: object({ sendAt: Timestamp }),
    example: { sendAt: '2027-03-01T09:00:00Z' },
    success: { status: 200, body: Accepted },
    errors: [MessageNotFound, MessageNotScheduled],
    handle: context =>
      context.write(tx => changeSendAt(context, tx, context.caller, context.params.id, context.body.sendAt)),
  }),
  route('GET /conversations/{id}/scheduled', {
    operationId: 'listScheduledMessages',
    summary: 'List the scheduled messages of a conversation, earliest first',
    description:
      'Messages with `sendAt` that were not sent yet. One that could not be accepted when it was due is `failed` and stays until it is rescheduled or cancelled.',
    access: { scopes: ['conversation:read'], roles: everyone },
    page: tokenPage,
    success: { status: 200, body: object({ messages: Type.Array(Message), nextPageToken }) },
    errors: [ConversationNotFound],
    handle: ({ db, caller, params, page }) => listScheduledMessages(db, caller, params.id, page),
  }),
]
