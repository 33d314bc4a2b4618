/**
 * Pictures of users and contacts and the logo of a workspace. The service decodes an uploaded PNG or JPEG in a process of
 * its own, cuts it to a square of at most 256 pixels and encodes it again, so that no byte of the upload is served and its
 * metadata is removed. The URL contains a secret and works until the picture is replaced or removed, or its contact deleted.
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setContactAvatar } from '../../contacts/avatar.ts'
import { findContact, lockVisibleContact } from '../../contacts/contacts.ts'
import { updateProfile } from '../../identity/users/users.ts'
import { setWorkspaceLogo } from '../../identity/workspace/tenants.ts'
import { BlobTooLarge } from '../../platform/blobs/blobs.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, StorageFull, UnsupportedMediaType, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { receiveUpload, type UploadContext } from '../../platform/http/input/uploads.ts'
import { toTokenScope } from '../../platform/http/locate.ts'
import { Reply } from '../../platform/http/route.ts'
import { PictureNotFound } from '../errors.ts'
import { describeQuota, exceedsQuota } from '../media/quota.ts'
import { resizePicture, thumbnailType } from '../media/thumbnails.ts'
import { MediaId } from '../schemas.ts'
import { deleteMedia, insertPending, markReady, mediaBlobKey } from '../store/media/media.ts'
import {
  findPicture,
  markPicture,
  type PictureHolder,
  picturePath,
  releasePictures,
} from '../store/media/pictures.ts'

const maxBytes = 5 * 1024 * 1024

/** The holder of a picture, and how its URL is stored there. Throws if the caller may not change the holder. */
interface Target {
  holder: (tx: Tx) => Promise<PictureHolder>
  save: (tx: Tx, url: string | null) => Promise<void>
}

const ofUser = (caller: Caller): Target => ({
  holder: async () => `user:${caller.id}`,
  save: async (tx, avatarUrl) => void (await updateProfile(tx, caller, { avatarUrl })),
})

const ofContact = (caller: Caller, id: string): Target => ({
  holder: async tx => `contact:${(await lockVisibleContact(tx, caller, id)).id}`,
  save: (tx, url) => setContactAvatar(tx, caller, id, url),
})

const ofWorkspace = (caller: Caller): Target => ({
  holder: async () => `workspace:${caller.tenantId}`,
  save: (tx, url) => setWorkspaceLogo(tx, caller, url),
})

type PictureContext = UploadContext & Pick<Deps, 'blobs' | 'config'>

export const putUserAvatar = (context: PictureContext) => putPicture(context, ofUser(context.caller))
export const putWorkspaceLogo = (context: PictureContext) => putPicture(context, ofWorkspace(context.caller))
export async function putContactAvatar(context: PictureContext, id: string): Promise<{ url: string }> {
  // A contact that does not exist is a 404 whatever the form contains.
  await findContact(context.db, context.caller, id)
  return putPicture(context, ofContact(context.caller, id))
}

export const deleteUserAvatar = (tx: Tx, caller: Caller) => deletePicture(tx, caller, ofUser(caller))
export const deleteWorkspaceLogo = (tx: Tx, caller: Caller) => deletePicture(tx, caller, ofWorkspace(caller))
export const deleteContactAvatar = (tx: Tx, caller: Caller, id: string) =>
  deletePicture(tx, caller, ofContact(caller, id))

async function deletePicture(tx: Tx, { tenantId }: Caller, target: Target): Promise<void> {
  const holder = await target.holder(tx)
  await target.save(tx, null)
  await releasePictures(tx, tenantId, [holder])
}

async function putPicture(context: PictureContext, target: Target): Promise<{ url: string }> {
  const { db, blobs, config, caller } = context
  const { tenantId } = caller
  const checkQuota = async (on: Parameters<typeof exceedsQuota>[1]) => {
    if (await exceedsQuota(config, on, tenantId)) fail(StorageFull, describeQuota(config))
  }
  await checkQuota(db)
  const picture = await receivePicture(context)
  const mediaId = MediaId.create()
  await insertPending(db, tenantId, { id: mediaId, uploadedBy: caller.id })
  try {
    const { size, sha256 } = await blobs.put(mediaBlobKey(tenantId, mediaId), Readable.from([picture]))
    return await transact(db, async tx => {
      const holder = await target.holder(tx)
      const file = {
        mediaType: 'image' as const,
        mimeType: thumbnailType,
        filename: 'picture.jpg',
        size,
        sha256,
      }
      if (!(await markReady(tx, tenantId, mediaId, file))) throw new Error('the picture was purged')
      const key = `${toTokenScope(tenantId)}_${randomBytes(32).toString('base64url')}`
      await markPicture(tx, tenantId, mediaId, { holder, key })
      const url = picturePath + key
      // Locks the holder, so that of two concurrent uploads the later one releases the other.
      await target.save(tx, url)
      await releasePictures(tx, tenantId, [holder], mediaId)
      await checkQuota(tx)
      return { url }
    })
  } catch (error) {
    await blobs.delete(mediaBlobKey(tenantId, mediaId))
    await deleteMedia(db, tenantId, mediaId)
    throw error
  }
}

/** Returns the encoded square. The upload is at most 5 MiB and stays in memory. */
async function receivePicture({ request }: PictureContext): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  await receiveUpload(request, {
    fields: [],
    maxBytes,
    store: async source => {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of source as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > maxBytes) throw new BlobTooLarge(maxBytes)
        chunks.push(chunk)
      }
      bytes = Buffer.concat(chunks)
      return { size, sha256: '' }
    },
    discard: async () => {},
  })
  const mimeType =
    detectPictureType(bytes) ?? fail(UnsupportedMediaType, 'the picture must be a PNG or a JPEG')
  const picture = await resizePicture(bytes, mimeType)
  return (
    picture ??
    invalid(
      violation(
        'file',
        'invalid_image',
        'must be a complete image of at most 16 million pixels, and not an interlaced PNG',
      ),
    )
  )
}

const signatures = [
  ['image/png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['image/jpeg', Buffer.from('ffd8ff', 'hex')],
] as const

function detectPictureType(bytes: Buffer): string | undefined {
  return signatures.find(([, signature]) => bytes.subarray(0, signature.length).equals(signature))?.[0]
}

/** Browsers keep a picture: another one has another URL. */
export async function findPictureTenant(on: Queryable, key: string): Promise<string | undefined> {
  return (await findPicture(on, key))?.tenantId
}

export async function servePicture({ db, blobs }: Pick<Deps, 'db' | 'blobs'>, key: string): Promise<Reply> {
  const row = (await findPicture(db, key)) ?? fail(PictureNotFound)
  const body = await blobs.get(mediaBlobKey(row.tenantId, row.id))
  return new Reply({
    status: 200,
    headers: {
      'content-type': thumbnailType,
      'content-length': String(row.size),
      'content-disposition': 'inline; filename="picture.jpg"',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'private, max-age=31536000, immutable, no-transform',
      'x-robots-tag': 'noindex, nofollow, noimageindex, noarchive',
      etag: `"${row.sha256}"`,
    },
    body,
  })
}
