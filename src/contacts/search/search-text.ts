/**
 * Normalizes text for comparison and search. `normalizeText` removes case and unifies accents. `toSearchText` encodes
 * the normalized text in letters that form trigrams in every database locale and have no meaning to LIKE. Both preserve
 * substrings: a contains b exactly if toSearchText(a) contains toSearchText(b).
 */

/** Goes through upper case, which expands ß and similar letters; the two forms of sigma become one. */
export function normalizeText(text: string): string {
  const expanded = text.normalize('NFD').toLowerCase().toUpperCase()
  return expanded.toLowerCase().normalize('NFD').replaceAll('ς', 'σ')
}

// Each character that is not plain ASCII becomes a lead letter A–M and a fixed number of digits N–Z (base 13).
const leads = 'ABCDEFGHIJKLM'
const digits = 'NOPQRSTUVWXYZ'
const special = /[^ !"#$&'()*+,\-./0-9:;<=>?@A-Z[\]^`a-z{|}~]/gu

const short = 9 * 13 ** 2 // leads A–I, two digits: the alphabets up to Arabic
const middle = 3 * 13 ** 4 // leads J–L, four digits: the rest of the basic plane

/** Numbers the encoded characters from 0: control characters, %, _ and \, DEL, then everything outside ASCII. */
function toRank(code: number): number {
  if (code < 0x20) return code
  if (code >= 0x7f) return code - 0x7f + 35
  return 32 + [0x25, 0x5f, 0x5c].indexOf(code)
}

function toBase13(value: number, length: number): string {
  let out = ''
  for (let i = 0, rest = value; i < length; i++, rest = Math.floor(rest / 13)) out = digits[rest % 13] + out
  return out
}

function encodeCharacter(character: string): string {
  const rank = toRank(character.codePointAt(0)!)
  if (rank < short) return leads[Math.floor(rank / 169)] + toBase13(rank % 169, 2)
  const offset = rank - short
  if (offset < middle) return leads[9 + Math.floor(offset / 28_561)] + toBase13(offset % 28_561, 4)
  return `M${toBase13(offset - middle, 6)}`
}

export function toSearchText(text: string): string {
  return normalizeText(text).replace(special, encodeCharacter)
}

/** Whether the trigram index can find the text: a trigram needs three letters in a row. */
export function hasTrigrams(searchText: string): boolean {
  return /[a-zA-Z0-9]{3}/.test(searchText)
}

/** Returns the key that lists by name are sorted by, compared byte by byte. */
export function toSortName(name: string | null): string {
  return name === null ? '' : normalizeText(name.trim())
}
