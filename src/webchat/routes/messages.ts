import Type from 'typebox'
import { section } from '../../platform/http/route.ts'
import { AnyId, nullable, object } from '../../platform/http/schemas.ts'
import { IdentityRequired, VisitorBlocked } from '../errors.ts'
import { limitVisitor } from '../limits.ts'
import { listMessages, sendMessage } from '../messages/messages.ts'
import { SendWidgetMessage, WidgetConversation, WidgetMessage } from '../schemas.ts'
import { checkNotBlocked } from '../visitors/blocks.ts'

const route = section('Web chat', { extension: true })
const maxPage = 100
const defaultPage = 50

export const messageRoutes = [
  route('GET /widget/messages', {
    operationId: 'listWidgetMessages',
    summary: "List the messages of the visitor's conversation",
    description:
      'Oldest first, the latest page by default. `seq` of the response is valid as `since` of the socket. Messages that were not sent are not listed.',
    access: 'visitor',
    query: object({
      before: Type.Optional({
        ...AnyId,
        description: 'the id or the `seq` of a message: lists those before it',
      }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, description: `default ${defaultPage}, at most ${maxPage}` }),
      ),
    }),
    success: {
      status: 200,
      body: object({
        conversation: nullable(WidgetConversation),
        messages: Type.Array(WidgetMessage),
        hasMore: Type.Boolean(),
        seq: Type.Integer(),
      }),
    },
    handle: async context => {
      const { visitor, query, request } = context
      limitVisitor(context, 'requests', visitor, request.ip)
      const limit = Math.min(query.limit ?? defaultPage, maxPage)
      return listMessages(context, visitor, { before: query.before, limit })
    },
  }),
  route('POST /widget/messages', {
    operationId: 'sendWidgetMessage',
    summary: 'Send a message of the visitor',
    description:
      'Stored before it is acknowledged, and once whatever the number of requests with the same `clientMessageId`. The message arrives on the socket.',
    access: 'visitor',
    body: SendWidgetMessage,
    example: { clientMessageId: 'm1', content: { type: 'text', text: { body: 'Is it in stock?' } } },
    success: { status: 202, body: object({ clientMessageId: Type.String() }) },
    errors: [IdentityRequired, VisitorBlocked],
    handle: async context => {
      const { visitor, body, request } = context
      limitVisitor(context, 'messages', visitor, request.ip)
      checkNotBlocked(visitor)
      await sendMessage(context, visitor, body)
      return { clientMessageId: body.clientMessageId }
    },
  }),
]
