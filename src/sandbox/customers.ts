/**
 * Simulated customers. A customer has several addresses: phone numbers with and without the extra digits of mobile
 * numbers in Brazil, Mexico and Argentina, and a business-scoped user id that hides the phone number.
 */
import { hashDigits, memoize } from './identifiers.ts'

const digitsIn = (text: string): string => text.replace(/\D/g, '')

/** Returns the same digits for all variants of a phone number. */
export function normalizePhone(text: string): string {
  const digits = digitsIn(text)
  if (/^55\d{2}9[6-9]\d{7}$/.test(digits)) return digits.slice(0, 4) + digits.slice(5)
  if (/^521\d{10}$/.test(digits)) return `52${digits.slice(3)}`
  if (/^549\d{10}$/.test(digits)) return `54${digits.slice(3)}`
  return digits
}

/** Returns the chat provider's form of a number, which differs in Brazil (area codes from 31), Mexico and Argentina. */
export function toWhatsappId(text: string): string {
  const digits = digitsIn(text)
  const key = normalizePhone(text)
  if (/^55\d{10}$/.test(key) && Number(key.slice(2, 4)) >= 31) return key
  if (/^52\d{10}$/.test(key)) return `521${key.slice(2)}`
  if (/^54\d{10}$/.test(key)) return `549${key.slice(2)}`
  return digits
}

const countries: [prefix: string, country: string][] = [
  ['1', 'US'],
  ['44', 'GB'],
  ['49', 'DE'],
  ['52', 'MX'],
  ['54', 'AR'],
  ['55', 'BR'],
  ['91', 'IN'],
]

const multiplier = 1_000_003n
const checkModulus = 999_983n

const toCountry = (phone: string): string =>
  countries.find(([prefix]) => phone.startsWith(prefix))?.[1] ?? 'ES'

const getUserIdMask = memoize(business => BigInt(hashDigits(`user-ids/${business}`, 15, '4')))

/** Returns the business-scoped user id. It can be decoded, so nothing is stored. */
export function toUserId(business: string, phone: string): string {
  const value = BigInt(`1${normalizePhone(phone)}`) ^ getUserIdMask(business)
  return `${toCountry(phone)}.${value * multiplier + (value % checkModulus)}`
}

/** Returns the phone number encoded in a user id; undefined for other ids. */
export function parseUserId(business: string, userId: string): string | undefined {
  const match = /^[A-Z]{2}\.(\d{1,40})$/.exec(userId)
  if (!match) return undefined
  const value = BigInt(match[1]!) / multiplier
  if (BigInt(match[1]!) % multiplier !== value % checkModulus) return undefined
  const phone = (value ^ getUserIdMask(business)).toString()
  return phone.startsWith('1') ? phone.slice(1) : undefined
}

export const isUserId = (text: string): boolean => /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(text)
export const isPhone = (text: string): boolean =>
  /^\d{7,15}$/.test(digitsIn(text)) && /^[+\d\s().-]+$/.test(text)

const firstNames = [
  'Ana',
  'Ben',
  'Chloé',
  'Dilan',
  'Eva',
  'Farid',
  'Grace',
  'Hugo',
  'Inés',
  'Jonas',
  'Kofi',
  'Léa',
]
const lastNames = [
  'Almeida',
  'Brandt',
  'Castro',
  'Diallo',
  'Evans',
  'Fischer',
  'García',
  'Huang',
  'Ivanova',
  'Jung',
]

export function generateName(person: string): string {
  const digits = Number(hashDigits(`name/${person}`, 6))
  return `${firstNames[digits % firstNames.length]} ${lastNames[Math.floor(digits / 100) % lastNames.length]}`
}
