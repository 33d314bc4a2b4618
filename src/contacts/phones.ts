/**
 * Phone numbers: E.164, in one canonical form per person. Countries that changed how their mobile numbers are written
 * are rewritten first; what is then a possible number is accepted.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

const plausible = /^\+[\d\s().\-/]{4,40}$/

/** The canonical form, or nothing when it cannot be a phone number. */
export function canonicalPhone(text: string): string | undefined {
  const plain = text.normalize('NFKC').trim()
  if (!plausible.test(plain)) return undefined
  const number = rewriteLegacyFormat(`+${plain.replace(/\D/g, '')}`)
  const parsed = parsePhoneNumberFromString(number)
  if (!parsed?.isPossible()) return undefined
  return rewriteLegacyFormat(parsed.number)
}

function rewriteLegacyFormat(number: string): string {
  for (const [written, canonical] of legacyFormats) {
    if (written.test(number)) return number.replace(written, canonical)
  }
  return number
}

const legacyFormats: [RegExp, string][] = [
  // Brazil: mobile numbers got a 9 before their eight digits
  [/^\+55([1-9]\d)([6-9]\d{7})$/, '+55$19$2'],
  // Argentina: from abroad a mobile number has a 9 before its area
  [/^\+54([1-8]\d{9})$/, '+549$1'],
  // Mexico: the 1 before mobile numbers is gone since 2019
  [/^\+521(\d{10})$/, '+52$1'],
]
