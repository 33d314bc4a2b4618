/**
 * Detects the encoding of a file: UTF-8, or Windows-1252 (a superset of Latin-1) if the invalid UTF-8 sequences
 * outnumber the valid ones. In a file that is mostly UTF-8 only the rows with invalid bytes are rejected.
 */
import { isAscii, isUtf8 } from 'node:buffer'

export type Encoding = 'utf-8' | 'windows-1252'

export interface TextEncoding {
  encoding: Encoding
  /** Whether rows must be checked for invalid bytes. */
  mayBeInvalid: boolean
}

/** Counts valid and invalid UTF-8 sequences of the chunks it receives. */
export function encodingDetector() {
  let valid = 0
  let invalid = 0
  let expected = 0 // remaining bytes of the current character

  function count(byte: number): void {
    if (expected > 0 && (byte & 0xc0) === 0x80) {
      if (--expected === 0) valid++
      return
    }
    if (expected > 0) invalid++
    expected = continuationBytes(byte)
    if (expected < 0) {
      invalid++
      expected = 0
    }
  }

  return {
    push(chunk: Buffer): void {
      if (expected === 0 && isAscii(chunk)) return
      for (const byte of chunk) count(byte)
    },
    result(): TextEncoding {
      const errors = invalid + (expected > 0 ? 1 : 0)
      if (errors > valid) return { encoding: 'windows-1252', mayBeInvalid: false }
      // Also without errors: surrogates and overlong forms only look like UTF-8.
      return { encoding: 'utf-8', mayBeInvalid: valid + errors > 0 }
    },
  }
}

/** Returns the number of continuation bytes after a first byte; -1 for an invalid first byte. */
function continuationBytes(byte: number): number {
  if (byte < 0x80) return 0
  if (byte >= 0xc2 && byte < 0xe0) return 1
  if (byte >= 0xe0 && byte < 0xf0) return 2
  if (byte >= 0xf0 && byte < 0xf5) return 3
  return -1
}

export function isValidText(bytes: Buffer, letters: TextEncoding): boolean {
  return !letters.mayBeInvalid || isUtf8(bytes)
}

// Replaces the control characters 0x80 to 0x9f of Latin-1; five code points are undefined and stay.
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

export function decode(bytes: Buffer, start: number, end: number, encoding: Encoding): string {
  if (encoding === 'utf-8') return bytes.toString('utf8', start, end)
  return bytes
    .toString('latin1', start, end)
    .replace(/[\u0080-\u009f]/g, letter => windows1252[letter.charCodeAt(0) - 0x80]!)
}

export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Returns the reason why the first bytes cannot be a CSV file; undefined when they can. */
export function detectBinary(head: Buffer): string | undefined {
  const begins = (...bytes: number[]) => head.subarray(0, bytes.length).equals(Buffer.from(bytes))
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) return 'the file is UTF-16: save it as CSV in UTF-8'
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'the file is an Excel workbook or an archive: save it as CSV'
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) return 'the file is an old Excel workbook: save it as CSV'
  if (begins(0x1f, 0x8b)) return 'the file is compressed: send it uncompressed'
  if (head.includes(0)) return 'the file is not text: send a CSV file'
  return undefined
}
