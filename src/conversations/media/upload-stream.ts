/**
 * Inspects a file while it is streamed into the blob store. The first bytes decide its type, and the type decides how
 * many bytes are accepted.
 */
import { Readable } from 'node:stream'
import { BlobTooLarge } from '../../platform/blobs/blobs.ts'
import { fail, UnsupportedMediaType } from '../../platform/errors.ts'
import { type DetectedType, type DetectionResult, headBytes, type MediaType } from './detect-type.ts'

const mebibyte = 1024 * 1024
export const maxBytesByType: Record<MediaType, number> = {
  image: 5 * mebibyte,
  audio: 16 * mebibyte,
  video: 16 * mebibyte,
  document: 100 * mebibyte,
}
export const maxMediaBytes = maxBytesByType.document

export interface InspectedStream {
  bytes: Readable
  /** Known once the first bytes were read. */
  detectedType(): DetectedType
}

export interface InspectionRules {
  detect: (head: Buffer) => Promise<DetectionResult>
  maxBytes: (type: DetectedType) => number
}

export function inspectStream(source: Readable, { detect, maxBytes }: InspectionRules): InspectedStream {
  let detected: DetectedType | undefined

  async function inspectHead(head: Buffer) {
    const result = await detect(head.subarray(0, headBytes))
    if ('refused' in result) fail(UnsupportedMediaType, result.refused)
    detected = result
    return buildCheck(result, maxBytes(result))
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
      check = await inspectHead(head)
      check(head)
      yield head
    }
    if (!check) {
      check = await inspectHead(head)
      check(head)
      yield head
    }
    check(Buffer.alloc(0))
  }

  return {
    bytes: Readable.from(pass(), { objectMode: false }),
    detectedType: () => {
      if (!detected) throw new Error('the stream was not read yet')
      return detected
    },
  }
}

/** Returns a function that is called with each chunk, and with an empty one at the end. */
function buildCheck({ isText }: DetectedType, maxBytes: number): (chunk: Buffer) => void {
  const decoder = isText ? new TextDecoder('utf-8', { fatal: true }) : undefined
  let size = 0
  return chunk => {
    size += chunk.length
    if (size > maxBytes) throw new BlobTooLarge(maxBytes)
    if (!decoder) return
    try {
      decoder.decode(chunk, { stream: chunk.length > 0 })
    } catch {
      fail(UnsupportedMediaType, 'the file is not UTF-8 text')
    }
    if (chunk.includes(0)) fail(UnsupportedMediaType, 'the file is not text')
  }
}
