/**
 * Normalizes phone numbers to one canonical E.164 form. Legacy formats of countries that changed their mobile numbers
 * are rewritten first; every number that is then possible is accepted.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { LRUCache } from 'lru-cache'

const plausible = /^\+[\d\s().\-/]{4,40}$/

/** A request normalizes its number in several places; parsing takes longer than everything else about it. */
const recent = new LRUCache<string, { canonical: string | undefined }>({ max: 2_000 })
const maxRememberedLength = 60

/** Returns the canonical form, undefined when the text is not a possible phone number. */
export function canonicalPhone(text: string): string | undefined {
  const known = recent.get(text)
  if (known) return known.canonical
  const canonical = canonicalize(text)
  if (text.length <= maxRememberedLength) recent.set(text, { canonical })
  return canonical
}

function canonicalize(text: string): string | undefined {
  const plain = text.normalize('NFKC').trim()
  if (!plausible.test(plain)) return undefined
  const number = rewriteLegacyFormat(`+${plain.replace(/\D/g, '')}`)
  const parsed = parsePhoneNumberFromString(number)
  if (!parsed?.isPossible()) return undefined
  return rewriteLegacyFormat(parsed.number)
}

/** Returns the most common locale of the phone number's country, such as `de-Latn-DE`; undefined if it is unknown. */
export function findPhoneLocale(phone: string): string | undefined {
  const country = parsePhoneNumberFromString(phone)?.country
  return country && new Intl.Locale(`und-${country}`).maximize().toString()
}

function rewriteLegacyFormat(number: string): string {
  for (const [written, canonical] of legacyFormats) {
    if (written.test(number)) return number.replace(written, canonical)
  }
  return number
}

const legacyFormats: [RegExp, string][] = [
  // Brazil: a 9 was added before the eight digits of mobile numbers
  [/^\+55([1-9]\d)([6-9]\d{7})$/, '+55$19$2'],
  // Argentina: the international form of a mobile number has a 9 before the area code
  [/^\+54([1-8]\d{9})$/, '+549$1'],
  // Mexico: the 1 before mobile numbers was dropped in 2019
  [/^\+521(\d{10})$/, '+52$1'],
]
