/** Uploads files during the test and checks afterwards that every accepted file is stored unchanged. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Client } from './client.ts'
import type { SmallDisk } from './disk.ts'

const fileBytes = 40_000
const maxFiles = 60

const randomText = () => randomBytes(fileBytes / 2).toString('hex')

export function startUploads(url: string, key: string, end: number) {
  const accepted = new Map<string, string>()
  let refused = 0

  async function upload(text: string, id: string): Promise<string | undefined> {
    const form = new FormData()
    form.set('file', new Blob([text], { type: 'text/plain' }), 'notes.txt')
    const response = await fetch(`${url}/v1/media/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': id },
      body: form,
      signal: AbortSignal.timeout(30_000),
    })
    const body = (await response.json()) as { mediaId: string }
    if (response.status === 201) return body.mediaId
    if (response.status === 507) {
      expect(body).toMatchObject({ code: 'storage_full' })
      refused++
    }
    return undefined
  }

  async function run(): Promise<void> {
    while (Date.now() < end && accepted.size < maxFiles) {
      const text = randomText()
      const id = randomUUID()
      for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(100)) {
        const mediaId = await upload(text, id).catch(() => undefined)
        if (mediaId) {
          accepted.set(mediaId, text)
          break
        }
      }
      await sleep(200)
    }
  }

  return {
    done: run(),
    counts: () => ({ accepted: accepted.size, refused }),
    /** Fills the disk until an upload is refused, checks that it leaves no draft, and frees the disk. */
    async fillDisk(disk: SmallDisk): Promise<void> {
      const [before, drafts] = [refused, new Set(disk.files().drafts)]
      disk.fill()
      try {
        for (const stop = Date.now() + 60_000; Date.now() < stop && refused === before; await sleep(50))
          await upload(randomText(), randomUUID()).catch(() => undefined)
        expect(refused, 'an upload to a full disk is refused').toBeGreaterThan(before)
        const newDrafts = () => disk.files().drafts.filter(name => !drafts.has(name))
        for (const stop = Date.now() + 10_000; Date.now() < stop && newDrafts().length > 0; ) await sleep(20)
        expect(newDrafts()).toEqual([])
      } finally {
        disk.free()
      }
    },
    /** Expects every accepted file to be stored unchanged. */
    async check(client: Client): Promise<void> {
      for (const [mediaId, text] of accepted) {
        const { url: address } = await client.call('GET', `/media/${mediaId}`)
        expect(await (await fetch(url + address)).text(), mediaId).toBe(text)
      }
    },
  }
}
