/** Somebody who uploads files for as long as it goes on, and afterwards wants back exactly those that were taken. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Client } from './client.ts'
import type { SmallDisk } from './disk.ts'

const bytesEach = 40_000
const mostKept = 60

const textOf = () => randomBytes(bytesEach / 2).toString('hex')

export function startUploads(url: string, key: string, end: number) {
  const taken = new Map<string, string>()
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
    const answer = (await response.json()) as { mediaId: string; detail: string }
    if (response.status === 201) return answer.mediaId
    if (answer.detail === 'there is no space left') {
      expect(answer).toMatchObject({ status: 503, code: 'service_unavailable' })
      refused++
    }
    return undefined
  }

  async function run(): Promise<void> {
    while (Date.now() < end && taken.size < mostKept) {
      const text = textOf()
      const id = randomUUID()
      for (const giveUp = Date.now() + 120_000; Date.now() < giveUp; await sleep(100)) {
        const mediaId = await upload(text, id).catch(() => undefined)
        if (mediaId) {
          taken.set(mediaId, text)
          break
        }
      }
      await sleep(200)
    }
  }

  return {
    done: run(),
    counts: () => ({ taken: taken.size, refused }),
    /** Fills the disk until an upload was refused for want of space, which leaves nothing behind, and makes room again. */
    async fillDisk(disk: SmallDisk): Promise<void> {
      const [before, drafts] = [refused, new Set(disk.files().drafts)]
      disk.fill()
      try {
        for (const stop = Date.now() + 60_000; Date.now() < stop && refused === before; await sleep(50))
          await upload(textOf(), randomUUID()).catch(() => undefined)
        expect(refused, 'an upload onto a full disk was refused').toBeGreaterThan(before)
        const left = () => disk.files().drafts.filter(name => !drafts.has(name))
        for (const stop = Date.now() + 10_000; Date.now() < stop && left().length > 0; ) await sleep(20)
        expect(left()).toEqual([])
      } finally {
        disk.makeRoom()
      }
    },
    /** Every file that was taken is there as it was sent. */
    async check(client: Client): Promise<void> {
      for (const [mediaId, text] of taken) {
        const { url: address } = await client.call('GET', `/media/${mediaId}`)
        expect(await (await fetch(url + address)).text(), mediaId).toBe(text)
      }
    },
  }
}
