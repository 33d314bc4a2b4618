/**
 * Files that the providers hold: uploads, and what customers sent. Bytes lie in files, facts in the registry.
 * Addresses for downloading are signed and live five minutes by the account's clock.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { AccountRef } from '../channels.ts'
import type { SandboxClock } from '../clock.ts'
import { hashDigits } from '../identifiers.ts'
import type { Registry } from '../store/registry.ts'

export interface Media {
  id: string
  account: AccountRef
  mimeType: string
  filename: string | undefined
  bytes: number
  sha256: string
  addedAt: number
  /** ids in callbacks live 7 days, those of uploads 30 */
  ttlMs: number
}

const day = 86_400_000
const urlTtlMs = 5 * 60_000

export class MediaStore {
  readonly #dir: string
  readonly #registry: Registry
  readonly #time: SandboxClock
  readonly #secret: string

  constructor(dir: string, registry: Registry, time: SandboxClock, secret: string) {
    this.#dir = dir
    this.#registry = registry
    this.#time = time
    this.#secret = secret
  }

  async add(
    data: AsyncIterable<Buffer> | Iterable<Buffer>,
    about: { account: AccountRef; mimeType: string; filename?: string; uploaded: boolean },
  ): Promise<Media> {
    const count = (this.#registry.get<number>('mediaCount') ?? 0) + 1
    const counted = this.#registry.put('mediaCount', count)
    const id = hashDigits(`media/${this.#registry.get('epoch')}/${count}`, 16, '9')
    const { bytes, sha256 } = await this.#write(id, data)
    const media: Media = {
      id,
      account: about.account,
      mimeType: about.mimeType,
      filename: about.filename,
      bytes,
      sha256,
      addedAt: this.#time.now(about.account),
      ttlMs: (about.uploaded ? 30 : 7) * day,
    }
    await Promise.all([counted, this.#registry.put(`media/${id}`, media)])
    return media
  }

  /** What is known of an upload only after its bytes. */
  async updateMetadata(id: string, facts: { mimeType: string; filename: string | undefined }): Promise<void> {
    const media = this.#registry.get<Media>(`media/${id}`)
    if (media) await this.#registry.put(`media/${id}`, { ...media, ...facts })
  }

  find(id: string): Media | undefined {
    const media = this.#registry.get<Media>(`media/${id}`)
    return media && this.#time.now(media.account) < media.addedAt + media.ttlMs ? media : undefined
  }

  async remove(id: string): Promise<void> {
    await this.#registry.put(`media/${id}`, undefined)
    await rm(this.file(id), { force: true })
  }

  file(id: string): string {
    return path.join(this.#dir, id)
  }

  /** Path and query of a download that works for a while. */
  signedPath(media: Media, forMs = urlTtlMs): string {
    const until = this.#time.now(media.account) + forMs
    return `/downloads/${media.id}?ext=${until}&hash=${this.#sign(media.id, until)}`
  }

  isSignatureValid(media: Media, query: URLSearchParams): boolean {
    const until = Number(query.get('ext'))
    const given = Buffer.from(query.get('hash') ?? '')
    const expected = Buffer.from(this.#sign(media.id, until))
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
    return this.#time.now(media.account) < until
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
