import Type from 'typebox'
import { ContactNotFound } from '../../contacts/errors.ts'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { BodyTooLarge, StorageFull, UnsupportedMediaType } from '../../platform/errors.ts'
import { locateToken } from '../../platform/http/locate.ts'
import { section } from '../../platform/http/route.ts'
import { named, object } from '../../platform/http/schemas.ts'
import {
  deleteContactAvatar,
  deleteUserAvatar,
  deleteWorkspaceLogo,
  findPictureTenant,
  putContactAvatar,
  putUserAvatar,
  putWorkspaceLogo,
  servePicture,
} from '../avatars/pictures.ts'
import { PictureNotFound } from '../errors.ts'

const form = object({
  file: Type.String({
    format: 'binary',
    description:
      'a PNG or JPEG of at most 5 MiB and 16 million pixels; its middle becomes a square of at most 256 pixels',
  }),
})
const Picture = named(
  'Picture',
  object({
    url: Type.String({ description: 'a path of this service that works until the picture is replaced' }),
  }),
)
const upload = {
  multipart: true,
  body: form,
  success: { status: 200, body: Picture },
  errors: [BodyTooLarge, UnsupportedMediaType, StorageFull],
} as const
const user = section('Users', { extension: true })
const contact = section('Contacts', { extension: true })
const media = section('Messaging', { extension: true })
const encoded =
  'The picture is encoded again, so its metadata is removed. It counts towards the storage of the workspace.'

export const pictureRoutes = [
  user('PUT /users/me/avatar', {
    operationId: 'putUserAvatar',
    summary: 'Upload your picture',
    description: `Replaces \`avatarUrl\` of the user. ${encoded}`,
    access: { scopes: ['user:update_self'], roles: everyone, userOnly: true },
    ...upload,
    handle: context => putUserAvatar(context),
  }),
  user('DELETE /users/me/avatar', {
    operationId: 'deleteUserAvatar',
    summary: 'Remove your picture',
    description: 'Sets `avatarUrl` of the user to null.',
    access: { scopes: ['user:update_self'], roles: everyone, userOnly: true },
    success: { status: 204 },
    handle: ({ write, caller }) => write(tx => deleteUserAvatar(tx, caller)),
  }),
  contact('PUT /contacts/{id}/avatar', {
    operationId: 'putContactAvatar',
    summary: 'Upload the picture of a contact',
    description: `Replaces \`avatarUrl\` of the contact. ${encoded}`,
    access: { scopes: ['contact:update'], roles: everyone },
    ...upload,
    errors: [...upload.errors, ContactNotFound],
    handle: context => putContactAvatar(context, context.params.id),
  }),
  contact('DELETE /contacts/{id}/avatar', {
    operationId: 'deleteContactAvatar',
    summary: 'Remove the picture of a contact',
    description: 'Sets `avatarUrl` of the contact to null.',
    access: { scopes: ['contact:update'], roles: everyone },
    success: { status: 204 },
    errors: [ContactNotFound],
    handle: ({ write, caller, params }) => write(tx => deleteContactAvatar(tx, caller, params.id)),
  }),
  user('PUT /workspace/logo', {
    operationId: 'putWorkspaceLogo',
    summary: 'Upload the logo of the workspace',
    description: `Replaces \`logoUrl\` of the workspace. ${encoded}`,
    access: { scopes: ['workspace:update'], roles: managers },
    ...upload,
    handle: context => putWorkspaceLogo(context),
  }),
  user('DELETE /workspace/logo', {
    operationId: 'deleteWorkspaceLogo',
    summary: 'Remove the logo of the workspace',
    description: 'Sets `logoUrl` of the workspace to null.',
    access: { scopes: ['workspace:update'], roles: managers },
    success: { status: 204 },
    handle: ({ write, caller }) => write(tx => deleteWorkspaceLogo(tx, caller)),
  }),
  media('GET /pictures/{key}', {
    operationId: 'getPicture',
    summary: 'Download a picture from its URL',
    description: 'The URL of a picture is secret, and is the permission to download it.',
    access: 'public',
    locate: ({ params: { key } }, cells) => locateToken(cells, key, ({ db }) => findPictureTenant(db, key)),
    success: {
      status: 200,
      contentType: 'image/jpeg',
      others: [{ status: 304, description: 'The ETag in If-None-Match is current.' }],
    },
    errors: [PictureNotFound],
    handle: context => servePicture(context, context.params.key),
  }),
]
