import Type from 'typebox'
import { everyone } from '../../../identity/rights/roles.ts'
import { BodyTooLarge, StorageFull, UnsupportedMediaType } from '../../../platform/errors.ts'
import { IdempotencyKeyBusy, IdempotencyKeyReused } from '../../../platform/http/idempotency/idempotency.ts'
import { anyCell } from '../../../platform/http/locate.ts'
import { section } from '../../../platform/http/route.ts'
import { AnyId, object } from '../../../platform/http/schemas.ts'
import { MediaNotFound, MediaUrlInvalid, RangeNotSatisfiable } from '../../errors.ts'
import { getMedia, uploadMedia } from '../../media/media.ts'
import { MediaState, MediaUpload, UploadForm } from '../../media/schemas.ts'
import { serveMedia } from '../../media/serve.ts'

const route = section('Messaging')

export const mediaRoutes = [
  route('POST /media/uploads', {
    operationId: 'uploadMedia',
    summary: 'Upload a file to send',
    description:
      'The type is detected from the bytes. Text needs a file name and a type of text; HTML, SVG and files that are not of their declared type are refused.',
    access: { scopes: ['message:create'], roles: everyone },
    multipart: true,
    idempotent: false, // the key is checked after the file was received
    body: UploadForm,
    success: { status: 201, body: MediaUpload },
    errors: [BodyTooLarge, UnsupportedMediaType, IdempotencyKeyBusy, IdempotencyKeyReused, StorageFull],
    handle: context => uploadMedia(context),
  }),
  route('GET /media/{mediaId}', {
    operationId: 'getMedia',
    summary: 'Get the URL of a file, valid for five minutes',
    description: 'A file that a customer sent is fetched in the background: `ready` is false until then.',
    access: { scopes: ['conversation:read'], roles: everyone },
    success: { status: 200, body: MediaState },
    errors: [MediaNotFound],
    handle: context => getMedia(context, context.caller, context.params.mediaId),
  }),
  route('GET /media/{mediaId}/content', {
    operationId: 'downloadMedia',
    summary: 'Download a file from its signed URL',
    description: 'Supports one byte range.',
    access: 'public',
    locate: ({ query }, cells) =>
      query.tenant === undefined ? anyCell(undefined, cells) : cells.of(query.tenant),
    extension: true,
    query: object({
      tenant: Type.Optional(AnyId),
      variant: Type.Optional(Type.String({ maxLength: 50 })),
      expires: Type.Optional(Type.String({ maxLength: 50 })),
      signature: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    success: {
      status: 200,
      contentType: 'application/octet-stream',
      others: [
        { status: 206, description: 'The requested range.' },
        { status: 304, description: 'The ETag in If-None-Match is current.' },
      ],
    },
    errors: [MediaUrlInvalid, RangeNotSatisfiable],
    handle: context => {
      const { tenant = '', variant, expires = '', signature = '' } = context.query
      const { range, 'if-range': ifRange } = context.request.headers
      const signed = {
        tenantId: tenant,
        mediaId: context.params.mediaId,
        thumbnail: variant === 'thumbnail',
        expires: Number(expires),
      }
      return serveMedia(context, signed, { range, ifRange: ifRange as string | undefined, signature })
    },
  }),
]
