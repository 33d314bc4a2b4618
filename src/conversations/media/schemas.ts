import Type, { type Static } from 'typebox'
import { AnyId, literals, named, object, Timestamp } from '../../platform/http/schemas.ts'

const mediaTypes = ['image', 'document', 'video', 'audio'] as const
const Url = Type.String({ description: 'a path of this service, valid for five minutes without a token' })

export const MediaUpload = named(
  'MediaUpload',
  object({
    mediaId: AnyId,
    mediaType: literals(mediaTypes),
    mimeType: Type.String(),
    filename: Type.String(),
    fileSize: Type.Integer(),
    url: Url,
  }),
)
export type MediaUpload = Static<typeof MediaUpload>

export const MediaState = named(
  'Media',
  object({
    ready: Type.Boolean(),
    url: Type.Optional(Url),
    thumbnailUrl: Type.Optional(
      Type.String({
        description: 'extension: a small JPEG of an image, once it is created; valid for as long',
      }),
    ),
    mediaType: Type.Optional(literals(mediaTypes)),
    mimeType: Type.Optional(Type.String({ description: 'extension' })),
    filename: Type.Optional(Type.String({ description: 'extension' })),
    fileSize: Type.Optional(Type.Integer({ description: 'extension' })),
    error: Type.Optional(
      object(
        { code: Type.String(), message: Type.String() },
        { description: 'extension: why the file could not be fetched' },
      ),
    ),
  }),
)
export type MediaState = Static<typeof MediaState>

export const ContactFile = named(
  'ContactFile',
  object({
    mediaId: AnyId,
    conversationId: AnyId,
    createdAt: Timestamp,
    mediaType: literals(mediaTypes),
    mimeType: Type.String(),
    filename: Type.String(),
    fileSize: Type.Integer(),
    url: Url,
    thumbnailUrl: Type.Optional(Url),
  }),
)
export type ContactFile = Static<typeof ContactFile>

export const UploadForm = object({
  file: Type.String({
    format: 'binary',
    description: 'an image (at most 5 MiB), audio or video (16 MiB), or a document (100 MiB)',
  }),
})
