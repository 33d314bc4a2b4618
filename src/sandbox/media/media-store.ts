/**
 * Stores media files, uploaded or sent by customers; metadata is in the registry. Download URLs are signed and expire
 * after five minutes of the account's time.
 */
import { createHash, createHmac } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { isSameSecret } from '../../platform/encryption/keys.ts'
import type { SandboxClock } from '../clock.ts'
import type { AccountRef } from '../identifiers.ts'
import { hashDigits } from '../identifiers.ts'
import type { InboundMedia } from '../schemas.ts'
import type { Registry } from '../store/registry.ts'
import { buildFile } from './samples.ts'

export interface Media {
  id: string
  account: AccountRef
  mimeType: string
  filename: string | undefined
  bytes: number
  sha256: string
  addedAt: number
  /** 7 days for ids in callbacks, 30 days for uploads */
  ttlMs: number
}

const day = 86_400_000
const urlTtlMs = 5 * 60_000

export class MediaStore {
  readonly #dir: string
  readonly #registry: Registry
  readonly #clock: SandboxClock
  readonly #secret: string

  constructor(dir: string, registry: Registry, clock: SandboxClock, secret: string) {
    this.#dir = dir
    this.#registry = registry
    this.#clock = clock
    this.#secret = secret
  }

  async add(
    data: AsyncIterable<Buffer> | Iterable<Buffer>,
    details: { account: AccountRef; mimeType: string; filename?: string; uploaded: boolean },
  ): Promise<Media> {
    const count = (this.#registry.get<number>('mediaCount') ?? 0) + 1
    const countSaved = this.#registry.put('mediaCount', count)
    const id = hashDigits(`media/${this.#registry.get('epoch')}/${count}`, 16, '9')
    const { bytes, sha256 } = await this.#write(id, data)
    const media: Media = {
      id,
      account: details.account,
      mimeType: details.mimeType,
      filename: details.filename,
      bytes,
      sha256,
      addedAt: this.#clock.now(details.account),
      ttlMs: (details.uploaded ? 30 : 7) * day,
    }
    await Promise.all([countSaved, this.#registry.put(`media/${id}`, media)])
    return media
  }

  /** Stores the file that a simulated customer sends. */
  async addInbound(account: AccountRef, inbound: InboundMedia) {
    const file = buildFile(inbound)
    const { mimeType, filename } = file
    return { file, media: await this.add([file.bytes], { account, mimeType, filename, uploaded: false }) }
  }

  find(id: string): Media | undefined {
    const media = this.#registry.get<Media>(`media/${id}`)
    return media && this.#clock.now(media.account) < media.addedAt + media.ttlMs ? media : undefined
  }

  async remove(id: string): Promise<void> {
    await this.#registry.put(`media/${id}`, undefined)
    await rm(this.file(id), { force: true })
  }

  file(id: string): string {
    return path.join(this.#dir, id)
  }

  signedPath(media: Media, ttlMs = urlTtlMs): string {
    const until = this.#clock.now(media.account) + ttlMs
    return `/downloads/${media.id}?ext=${until}&hash=${this.#sign(media.id, until)}`
  }

  isSignatureValid(media: Media, query: URLSearchParams): boolean {
    const until = Number(query.get('ext'))
    const isMatch = isSameSecret(query.get('hash') ?? '', this.#sign(media.id, until))
    return isMatch && this.#clock.now(media.account) < until
  }

  #sign(id: string, until: number): string {
    return createHmac('sha256', this.#secret).update(`download/${id}/${until}`).digest('base64url')
  }

  async #write(id: string, data: AsyncIterable<Buffer> | Iterable<Buffer>) {
    await mkdir(this.#dir, { recursive: true })
    const part = `${this.file(id)}.part`
    const handle = await open(part, 'w', 0o600)
    const hash = createHash('sha256')
    let bytes = 0
    try {
      for await (const chunk of data) {
        hash.update(chunk)
        bytes += chunk.length
        await handle.write(chunk)
      }
      await handle.close()
      await rename(part, this.file(id))
    } catch (error) {
      await handle.close().catch(() => {})
      await rm(part, { force: true })
      throw error
    }
    return { bytes, sha256: hash.digest('base64') }
  }
}
