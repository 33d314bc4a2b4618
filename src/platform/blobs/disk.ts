// Blobs as files in `objects/<owner>/<two hex digits>/<name>`, which keeps an owner's files together and directories
// small. Longer keys are joined by a character that keys do not contain. Bytes are written to `tmp` on the same file
// system, synced and renamed, so that every file in `objects` is complete.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import {
  BlobNotFound,
  BlobStoreFull,
  type Blobs,
  BlobTooLarge,
  clampRange,
  type StoredBlob,
  splitKey,
} from './blobs.ts'

const draftRetentionMs = 60 * 60 * 1000

/** Bytes after which the free space is checked again. */
const checkIntervalBytes = 8 * 1024 * 1024

/** Refuses blobs when fewer than `minFreeBytes` are left: a database on the same disk needs them to keep running. */
export function diskBlobs(directory: string, minFreeBytes = 0): Blobs {
  const temporary = resolve(directory, 'tmp')
  const objects = resolve(directory, 'objects')
  const toPath = (key: string) => {
    const [owner, ...rest] = splitKey(key)
    const shard = createHash('sha256').update(key).digest('hex').slice(0, 2)
    return join(objects, owner, shard, rest.join('+'))
  }
  const draftsDeleted = deleteAbandonedDrafts(temporary).catch(() => {}) // the next start tries again

  return {
    async put(key, source, options = {}) {
      // Until the stream is read below, its errors have no other listener.
      source.on('error', () => {})
      const draft = join(temporary, randomUUID())
      try {
        const path = toPath(key)
        await draftsDeleted
        const limits = { maxBytes: options.maxBytes ?? Number.POSITIVE_INFINITY, minFreeBytes }
        const stored = await write(draft, source, limits)
        await publish(draft, path)
        return stored
      } catch (error) {
        source.destroy()
        await rm(draft, { force: true })
        throw isFull(error) ? new BlobStoreFull(error) : error
      }
    },

    async get(key, range) {
      const file = await open(toPath(key)).catch(error => {
        throw isMissing(error) ? new BlobNotFound(key) : error
      })
      try {
        const part = range && clampRange(range, (await file.stat()).size)
        return file.createReadStream(part)
      } catch (error) {
        await file.close()
        throw error
      }
    },

    async stat(key) {
      const found = await stat(toPath(key)).catch(error => {
        if (isMissing(error)) return null
        throw error
      })
      return found && { size: found.size }
    },

    async delete(key) {
      await unlink(toPath(key)).catch(error => {
        if (!isMissing(error)) throw error
      })
    },
  }
}

interface WriteLimits {
  maxBytes: number
  minFreeBytes: number
}

async function write(draft: string, source: Readable, limits: WriteLimits): Promise<StoredBlob> {
  await makeDirectory(dirname(draft))
  const file = await open(draft, 'wx', 0o600)
  try {
    const stored = await copy(source, file, limits, () => checkFreeSpace(dirname(draft), limits.minFreeBytes))
    await file.sync()
    return stored
  } finally {
    await file.close()
  }
}

async function checkFreeSpace(directory: string, minFreeBytes: number): Promise<void> {
  if (minFreeBytes === 0) return
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < minFreeBytes)
    throw new BlobStoreFull(new Error(`less than ${minFreeBytes} bytes are free`))
}

async function copy(
  source: Readable,
  file: FileHandle,
  { maxBytes }: WriteLimits,
  checkSpace: () => Promise<void>,
): Promise<StoredBlob> {
  const hash = createHash('sha256')
  let size = 0
  let nextCheck = 0
  for await (const chunk of source) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes) throw new BlobTooLarge(maxBytes)
    if (size > nextCheck) {
      await checkSpace()
      nextCheck = size + checkIntervalBytes
    }
    hash.update(bytes)
    await file.writeFile(bytes)
  }
  return { size, sha256: hash.digest('hex') }
}

async function publish(draft: string, path: string): Promise<void> {
  await makeDirectory(dirname(path))
  await rename(draft, path)
  await syncDirectory(dirname(path))
}

// A new directory is durable once its parent is.
async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (!first) return
  for (let at = path; at !== dirname(first); ) {
    at = dirname(at)
    await syncDirectory(at)
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

/** Deletes drafts of killed processes; younger drafts may still be written to. */
async function deleteAbandonedDrafts(temporary: string): Promise<void> {
  const names = await readdir(temporary).catch(() => [])
  for (const name of names) {
    const path = join(temporary, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < Date.now() - draftRetentionMs) await rm(path, { force: true })
  }
}

const getErrorCode = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code ?? ''
const isMissing = (error: unknown) => getErrorCode(error) === 'ENOENT'
const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(getErrorCode(error))
