import Type from 'typebox'
import { type Comment, commentReceived as received } from '../../../conversations/events.ts'
import { AnyId } from '../../../platform/http/schemas.ts'
import type { Json } from '../../nodes/node-type.ts'
import { hasKeyword } from '../event-data.ts'
import { defineTrigger } from '../trigger-type.ts'

interface CommentReceivedData {
  contactId: string
  conversationId: string | null
  comment: Comment
}

export const commentReceived = defineTrigger({
  type: 'comment_received',
  summary: 'A comment on a post was received',
  docs: `Starts for a comment on a post, reel or story of the inbox's account; with \`mediaIds\` only on these, with \`keywords\`
only if the comment contains one of them. The first message that the run sends is a private reply to the comment.`,
  config: {
    inboxId: AnyId,
    mediaIds: Type.Optional(Type.Array(AnyId, { minItems: 1, maxItems: 100 })),
    keywords: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 50 }),
    ),
  },
  references: ({ inboxId }) => [{ kind: 'inbox', id: inboxId, path: 'inboxId' }],
  events: [received.type],
  index: {
    config: ({ inboxId }) => [inboxId],
    event: event => [(event.data as CommentReceivedData).comment.inboxId],
  },
  match: ({ inboxId, mediaIds, keywords }, event) => {
    const { comment, contactId, conversationId } = event.data as CommentReceivedData
    if (comment.inboxId !== inboxId) return undefined
    if (mediaIds && (comment.mediaId === null || !mediaIds.includes(comment.mediaId))) return undefined
    if (keywords && !hasKeyword(comment.text, keywords)) return undefined
    return {
      contactId,
      conversationId,
      event: { name: event.type, key: null, data: comment as unknown as Record<string, Json> },
    }
  },
})
