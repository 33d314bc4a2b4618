/**
 * Bytes on their way into the store: looked at while they pass, never held. Once the first of them are here it is known
 * what they are, and so how many there may be.
 */
import { Readable } from 'node:stream'
import { BlobTooLarge } from '../../platform/blobs/blobs.ts'
import { fail, UnsupportedMediaType } from '../../platform/errors.ts'
import type { DetectedType, DetectionResult } from './detect-type.ts'
import { headBytes, type MediaType } from './signatures.ts'

const mebibyte = 1024 * 1024
export const maxBytesByType: Record<MediaType, number> = {
  image: 5 * mebibyte,
  audio: 16 * mebibyte,
  video: 16 * mebibyte,
  document: 100 * mebibyte,
}
export const maxMediaBytes = maxBytesByType.document

export interface InspectedStream {
  /** What goes into the store. */
  bytes: Readable
  /** Known once bytes have come out. */
  detectedType(): DetectedType
}

export interface InspectionRules {
  detect: (head: Buffer) => DetectionResult
  maxBytes: (recognised: DetectedType) => number
}

export function inspectStream(
  source: Readable,
  { detect: judge, maxBytes: mostBytes }: InspectionRules,
): InspectedStream {
  let recognised: DetectedType | undefined

  function decide(head: Buffer): DetectedType {
    const verdict = judge(head.subarray(0, headBytes))
    if ('refused' in verdict) fail(UnsupportedMediaType, verdict.refused)
    recognised = verdict
    return verdict
  }

  async function* pass(): AsyncGenerator<Buffer> {
    let head = Buffer.alloc(0)
    let check: ((chunk: Buffer) => void) | undefined
    for await (const chunk of source as AsyncIterable<Buffer>) {
      if (check) {
        check(chunk)
        yield chunk
        continue
      }
      head = Buffer.concat([head, chunk])
      if (head.length < headBytes) continue
      check = buildCheck(decide(head), mostBytes)
      check(head)
      yield head
    }
    if (!check) {
      check = buildCheck(decide(head), mostBytes)
      check(head)
      yield head
    }
    check(Buffer.alloc(0))
  }

  return {
    bytes: Readable.from(pass(), { objectMode: false }),
    detectedType: () => {
      if (!recognised) throw new Error('nothing has been looked at yet')
      return recognised
    },
  }
}

/** Given each chunk in turn, and an empty one at the end. */
function buildCheck(
  recognised: DetectedType,
  mostBytes: InspectionRules['maxBytes'],
): (chunk: Buffer) => void {
  const most = mostBytes(recognised)
  const decoder = recognised.isText ? new TextDecoder('utf-8', { fatal: true }) : undefined
  let size = 0
  return chunk => {
    size += chunk.length
    if (size > most) throw new BlobTooLarge(most)
    if (!decoder) return
    try {
      decoder.decode(chunk, { stream: chunk.length > 0 })
    } catch {
      fail(UnsupportedMediaType, 'it is not UTF-8 text')
    }
    if (chunk.includes(0)) fail(UnsupportedMediaType, 'it is not text')
  }
}
