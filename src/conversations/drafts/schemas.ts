import Type, { type Static } from 'typebox'
import { AnyId, literals, named, object, Timestamp } from '../../platform/http/schemas.ts'

export const draftKinds = ['reply', 'note'] as const
export const DraftKind = literals(draftKinds)
export type DraftKind = (typeof draftKinds)[number]

export const maxDraftBytes = 64 * 1024

const DraftContent = object({
  text: Type.String({ maxLength: 10_000 }),
  mediaIds: Type.Optional(Type.Array(AnyId, { maxItems: 10, description: 'uploaded files' })),
  mentions: Type.Optional(Type.Array(AnyId, { maxItems: 20, description: 'users, for a note' })),
  messageId: Type.Optional(Type.String({ ...AnyId, description: 'the message that the reply quotes' })),
})

export const StoredDraft = named(
  'Draft',
  object({
    conversationId: AnyId,
    kind: DraftKind,
    content: DraftContent,
    revision: Type.Integer({ description: 'rises with every change' }),
    updatedAt: Timestamp,
  }),
)
export type StoredDraft = Static<typeof StoredDraft>

/** Member of requests that send what a draft contains. */
export const DraftRevision = Type.Integer({
  minimum: 0,
  description:
    'extension: the revision of your draft that this completes; a newer draft stays. Without it, any draft of yours is deleted',
})

export const DraftChange = object({
  kind: DraftKind,
  content: DraftContent,
  revision: Type.Integer({ minimum: 0, description: 'the revision that you read; 0 if there was no draft' }),
})
export type DraftChange = Static<typeof DraftChange>

/** That a draft of a user has changed. */
export interface DraftNotice {
  tenantId: string
  userId: string
  conversationId: string
  kind: DraftKind
  /** Null when the draft was deleted. */
  revision: number | null
}
