/**
 * Counts the values of a JSON text before it is parsed: parsing and checking tens of thousands of members takes long
 * enough to delay the requests of others. No operation has an object or a body with as many.
 */
import { fail, MalformedBody } from '../../errors.ts'

const maxMembers = 2_000
const maxValues = 50_000
const maxDepth = 64
const [quote, backslash, colon, comma] = ['"', '\\', ':', ','].map(sign => sign.charCodeAt(0))
const opening = new Set(['{', '['].map(sign => sign.charCodeAt(0)))
const closing = new Set(['}', ']'].map(sign => sign.charCodeAt(0)))

/** Fails with 400 for more values, members of one object, or levels than any request needs. */
export function assertModestJson(bytes: Buffer): void {
  let values = 1
  /** Members of each open object or array. */
  const open: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = findEndOfText(bytes, at)
    else if (byte === comma && ++values > maxValues)
      fail(MalformedBody, `the body has more than ${maxValues} values`)
    else if (byte === colon && ++open[open.length - 1]! > maxMembers)
      fail(MalformedBody, `an object has more than ${maxMembers} members`)
    else if (closing.has(byte)) open.pop()
    else if (opening.has(byte) && open.push(0) > maxDepth)
      fail(MalformedBody, `the body is nested deeper than ${maxDepth} levels`)
  }
}

/** Returns the position of the closing quote, or the end of a text that has none. */
function findEndOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) return at
  }
  return bytes.length
}
