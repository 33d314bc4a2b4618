/**
 * Encodes the values of placeholders for the place where they are inserted, so that a value cannot change the structure
 * of what surrounds it: components of URLs and forms, strings and values of JSON, values of headers.
 */
import type { EncodeValue } from './interpolation.ts'

export type Place = 'url' | 'form' | 'json' | 'header'

export function createEncoder(place: Place): EncodeValue {
  if (place === 'json') return createJsonEncoder()
  if (place === 'header') return ({ text }) => (text ?? '').replace(/[^\t\x20-\x7e\x80-\xff]+/g, ' ')
  return ({ text }) => encodeComponent(text ?? '')
}

/** Encodes everything but letters, digits and `-_.~`. */
function encodeComponent(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  return encoded.replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Follows the literal text to know whether a placeholder is within a string. */
function createJsonEncoder(): EncodeValue {
  let inString = false
  return ({ text, value }, literal) => {
    inString = endsInString(literal, inString)
    if (inString) return JSON.stringify(text ?? '').slice(1, -1)
    if (value !== undefined) return JSON.stringify(value)
    return text === undefined ? 'null' : toJsonValue(text)
  }
}

function endsInString(json: string, startsInString: boolean): boolean {
  let inString = startsInString
  for (let i = 0; i < json.length; i++) {
    if (json[i] === '\\' && inString) i++
    else if (json[i] === '"') inString = !inString
  }
  return inString
}

/** A default such as `0` is written unchanged, any other as a string. */
function toJsonValue(text: string): string {
  return /^(-?\d+(\.\d+)?|true|false|null)$/.test(text) ? text : JSON.stringify(text)
}
