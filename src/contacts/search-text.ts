/**
 * How text is compared: `fold` takes case and the two ways of writing an accent away, `spell` writes the folded text
 * in letters that trigrams see whatever the database's locale is, and that have no meaning to LIKE. Both keep
 * substrings: b is in a exactly if spell(b) is in spell(a).
 */

/** Through upper case: it unfolds ß and the like; the final sigma is one letter with the other. */
export function normalizeText(text: string): string {
  const unfolded = text.normalize('NFD').toLowerCase().toUpperCase()
  return unfolded.toLowerCase().normalize('NFD').replaceAll('ς', 'σ')
}

// Everything but plain ASCII is a lead letter from A–M and a fixed number of following letters from N–Z (base 13).
const leads = 'ABCDEFGHIJKLM'
const digits = 'NOPQRSTUVWXYZ'
const special = /[^ !"#$&'()*+,\-./0-9:;<=>?@A-Z[\]^`a-z{|}~]/gu

const short = 9 * 13 ** 2 // leads A–I, two digits: the alphabets up to Arabic
const middle = 3 * 13 ** 4 // leads J–L, four digits: the rest of the basic plane

/** Control characters, %, _ and \, DEL, and all that is not ASCII, counted from 0. */
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
  const beyond = rank - short
  if (beyond < middle) return leads[9 + Math.floor(beyond / 28_561)] + toBase13(beyond % 28_561, 4)
  return `M${toBase13(beyond - middle, 6)}`
}

export function toSearchText(text: string): string {
  return normalizeText(text).replace(special, encodeCharacter)
}

/** Whether the trigram index can help to find it: fewer than three letters in a row have no trigram. */
export function hasTrigrams(spelled: string): boolean {
  return /[a-zA-Z0-9]{3}/.test(spelled)
}

/** What lists by name are sorted by, compared byte by byte. */
export function toSortName(name: string | null): string {
  return name === null ? '' : normalizeText(name.trim())
}
