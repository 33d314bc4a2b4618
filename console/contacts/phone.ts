import { texts } from './texts.ts'

/** Validates a phone number and returns the error text; a number that is still being typed may be short. */
export function findPhoneError(text: string, isTyping: boolean): string | undefined {
  const { phoneErrors } = texts()
  const phone = text.replace(/[\s\-().]/g, '')
  if (phone === '') return undefined
  if (/[^+\d]/.test(phone) || phone.lastIndexOf('+') > 0) return phoneErrors.letters
  if (!phone.startsWith('+') || phone.startsWith('+0')) return phoneErrors.plus
  if (phone.length > 16) return phoneErrors.long
  return phone.length < 8 && !isTyping ? phoneErrors.short : undefined
}
