import type { Contact } from '../../../contacts/schemas.ts'
import { avatarUrlOf } from '../../../identity/users/users.ts'
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { raw, sql } from '../../../platform/db/sql.ts'

/** The URL of a picture up to its secret. */
export const picturePath = '/v1/pictures/'

/** Whose picture it is: `user:<id>`, `contact:<id>` or `workspace:<id>`. */
export type PictureHolder = `${'user' | 'contact' | 'workspace'}:${string}`

/** Makes a file that is ready the picture of its holder. Pictures are used: they are not purged. */
export async function markPicture(
  tx: Tx,
  tenantId: string,
  mediaId: string,
  { holder, key }: { holder: PictureHolder; key: string },
): Promise<void> {
  await tx.run(sql`
    update media set used = true, picture_of = ${holder}, picture_key = ${key}
    where tenant_id = ${tenantId} and id = ${mediaId}`)
}

/** Marks the pictures of the holders for deletion, except one. Their URLs stop working with the commit. */
export async function releasePictures(
  tx: Tx,
  tenantId: string,
  holders: readonly PictureHolder[],
  keptId = '',
): Promise<void> {
  await tx.run(sql`
    update media m set status = 'deleting', used = false, picture_key = null
    where m.tenant_id = ${tenantId} and m.picture_of = any(${holders}) and m.id <> ${keptId}
      and not exists (select from media_uses u where u.tenant_id = m.tenant_id and u.media_id = m.id)`)
}

/** Makes the picture of a contact that was merged the picture of the survivor, if the survivor took over its URL. */
export async function moveContactPicture(
  tx: Tx,
  tenantId: string,
  from: string,
  survivor: Contact,
): Promise<void> {
  if (!survivor.avatarUrl?.startsWith(picturePath)) return
  const holders: PictureHolder[] = [`contact:${from}`, `contact:${survivor.id}`]
  await tx.run(sql`
    update media set picture_of = ${holders[1]}
    where tenant_id = ${tenantId} and picture_of = ${holders[0]}
      and picture_key = ${survivor.avatarUrl.slice(picturePath.length)}`)
}

/** Marks the pictures of users that their profile does not name for deletion. One statement: it reads the profile as of the file. */
export async function releaseUnnamed(
  tx: Tx,
  tenantId: string,
  holders: readonly PictureHolder[],
): Promise<void> {
  await tx.run(sql`
    update media m set status = 'deleting', used = false, picture_key = null
    where m.tenant_id = ${tenantId} and m.picture_of = any(${holders}) and m.picture_key is not null
      and ${picturePath} || m.picture_key is distinct from
        ${avatarUrlOf(tenantId, raw(`substr(m.picture_of, length('user:') + 1)`))}`)
}

export function listPictures(
  on: Queryable,
  tenantId: string,
  holders: readonly PictureHolder[],
): Promise<string[]> {
  return on.values<string>(sql`
    select id from media where tenant_id = ${tenantId} and picture_of = any(${holders})`)
}

export interface PictureRow {
  tenantId: string
  id: string
  size: number
  sha256: string
}

/** Finds a picture of any workspace by the secret of its URL. */
export function findPicture(on: Queryable, key: string): Promise<PictureRow | undefined> {
  return on.maybe<PictureRow>(sql`
    select tenant_id as "tenantId", id, size, sha256 from media where picture_key = ${key} and status = 'ready'`)
}
