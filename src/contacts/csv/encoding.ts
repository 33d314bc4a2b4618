/**
 * In which letters a file is written. What is not UTF-8 is taken for Windows-1252, the old Western encoding of
 * spreadsheets (Latin-1 is a part of it), unless most of it is UTF-8: then single rows are broken.
 */
import { isAscii, isUtf8 } from 'node:buffer'

export type Encoding = 'utf-8' | 'windows-1252'

export interface TextEncoding {
  encoding: Encoding
  /** Some rows may not be valid in it. */
  mayBreak: boolean
}

/** Counts what speaks for and against UTF-8 while the bytes pass by. */
export function encodingDetector() {
  let whole = 0
  let broken = 0
  let expected = 0 // bytes still to come of the character at hand

  function count(byte: number): void {
    if (expected > 0 && (byte & 0xc0) === 0x80) {
      if (--expected === 0) whole++
      return
    }
    if (expected > 0) broken++
    expected = continuationBytes(byte)
    if (expected < 0) {
      broken++
      expected = 0
    }
  }

  return {
    push(chunk: Buffer): void {
      if (expected === 0 && isAscii(chunk)) return
      for (const byte of chunk) count(byte)
    },
    result(): TextEncoding {
      const faults = broken + (expected > 0 ? 1 : 0)
      if (faults > whole) return { encoding: 'windows-1252', mayBreak: false }
      // Also without faults: some forms only look like UTF-8 (surrogates, overlong ones).
      return { encoding: 'utf-8', mayBreak: whole + faults > 0 }
    },
  }
}

/** How many bytes follow one that begins a character; -1 for one that cannot. */
function continuationBytes(byte: number): number {
  if (byte < 0x80) return 0
  if (byte >= 0xc2 && byte < 0xe0) return 1
  if (byte >= 0xe0 && byte < 0xf0) return 2
  if (byte >= 0xf0 && byte < 0xf5) return 3
  return -1
}

export function isValidText(bytes: Buffer, letters: TextEncoding): boolean {
  return !letters.mayBreak || isUtf8(bytes)
}

// What Windows has in the place of Latin-1's control characters; five places are free and stay as they are.
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

export function decode(bytes: Buffer, start: number, end: number, encoding: Encoding): string {
  if (encoding === 'utf-8') return bytes.toString('utf8', start, end)
  return bytes
    .toString('latin1', start, end)
    .replace(/[\u0080-\u009f]/g, letter => windows1252[letter.charCodeAt(0) - 0x80]!)
}

export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** What the first bytes say a file is when it cannot be CSV; nothing when it may be. */
export function detectBinary(head: Buffer): string | undefined {
  const begins = (...bytes: number[]) => head.subarray(0, bytes.length).equals(Buffer.from(bytes))
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) return 'the file is UTF-16: save it as CSV in UTF-8'
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'the file is an Excel workbook or an archive: save it as CSV'
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) return 'the file is an old Excel workbook: save it as CSV'
  if (begins(0x1f, 0x8b)) return 'the file is compressed: send it as it was before'
  if (head.includes(0)) return 'the file is not text: send a CSV file'
  return undefined
}
