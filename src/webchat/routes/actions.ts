import Type from 'typebox'
import { BodyTooLarge, StorageFull, UnsupportedMediaType } from '../../platform/errors.ts'
import { IdempotencyKeyBusy, IdempotencyKeyReused } from '../../platform/http/idempotency/idempotency.ts'
import { Reply, section } from '../../platform/http/route.ts'
import { AnyId, literals, object } from '../../platform/http/schemas.ts'
import { IdentityRequired, NothingToRate, VisitorBlocked } from '../errors.ts'
import { limitVisitor } from '../limits.ts'
import { checkIdentity } from '../messages/messages.ts'
import { rateConversation } from '../messages/rating.ts'
import { reportRead } from '../messages/read-state.ts'
import { buildTranscript } from '../messages/transcript.ts'
import { reportTyping } from '../messages/typing.ts'
import { uploadFile } from '../messages/uploads.ts'
import { WidgetFile } from '../schemas.ts'
import { checkNotBlocked } from '../visitors/blocks.ts'

const route = section('Web chat', { extension: true })

export const actionRoutes = [
  route('POST /widget/uploads', {
    operationId: 'uploadWidgetFile',
    summary: 'Upload a file that the visitor sends',
    description: 'One file in the part `file`; its type is detected from its bytes. Send its `mediaId` then.',
    access: 'visitor',
    multipart: true,
    success: { status: 201, body: WidgetFile },
    errors: [
      BodyTooLarge,
      UnsupportedMediaType,
      IdempotencyKeyBusy,
      IdempotencyKeyReused,
      StorageFull,
      IdentityRequired,
      VisitorBlocked,
    ],
    handle: async context => {
      const { visitor, request } = context
      limitVisitor(context, 'uploads', visitor, request.ip)
      checkNotBlocked(visitor)
      await checkIdentity(context, visitor)
      return uploadFile(context, request, visitor)
    },
  }),
  route('POST /widget/read', {
    operationId: 'reportWidgetRead',
    summary: 'Report that a message arrived or was read',
    description: 'Holds for all messages before it too.',
    access: 'visitor',
    body: object({ messageId: AnyId, state: literals(['delivered', 'read']) }),
    example: { messageId: 'msg_01k4xq7d9hfk3b0m6a7yz2c5rh', state: 'read' },
    success: { status: 204 },
    handle: async context => {
      const { visitor, body, request } = context
      limitVisitor(context, 'requests', visitor, request.ip)
      await reportRead(context, visitor, body)
    },
  }),
  route('POST /widget/typing', {
    operationId: 'reportWidgetTyping',
    summary: 'Report that the visitor types',
    description: 'Agents who see the conversation receive it as a frame `visitor_typing`. Not stored.',
    access: 'visitor',
    body: object({ isTyping: Type.Boolean() }),
    example: { isTyping: true },
    success: { status: 204 },
    errors: [VisitorBlocked],
    handle: async context => {
      const { visitor, body, request } = context
      limitVisitor(context, 'requests', visitor, request.ip)
      checkNotBlocked(visitor)
      await reportTyping(context, visitor, body.isTyping)
    },
  }),
  route('POST /widget/rating', {
    operationId: 'rateWidgetConversation',
    summary: 'Rate the conversation',
    description: 'Answers the satisfaction survey of the inbox. The latest rating counts.',
    access: 'visitor',
    body: object({
      rating: Type.Integer({ minimum: 1, maximum: 5 }),
      comment: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    }),
    example: { rating: 5 },
    success: { status: 204 },
    errors: [NothingToRate, VisitorBlocked],
    handle: async context => {
      const { visitor, body, request } = context
      limitVisitor(context, 'requests', visitor, request.ip)
      checkNotBlocked(visitor)
      await rateConversation(context, visitor, body)
    },
  }),
  route('POST /widget/transcript', {
    operationId: 'downloadWidgetTranscript',
    summary: 'Download the conversation as text',
    description: 'The latest 2,000 messages as the visitor saw them.',
    access: 'visitor',
    success: { status: 200, contentType: 'text/plain', description: 'The conversation as plain text' },
    handle: async context => {
      const { visitor, request } = context
      limitVisitor(context, 'uploads', visitor, request.ip)
      const headers = {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': 'attachment; filename="conversation.txt"',
      }
      return new Reply({ headers, body: await buildTranscript(context, visitor) })
    },
  }),
]
