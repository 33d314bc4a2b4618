/** The titles of custom fields. */
import { screenTexts } from '../i18n/i18n.ts'

const english = { cf_email: 'E-mail', cf_phone: 'Phone', cf_external_ref: 'External ref' }

/** The predefined fields of contacts: their names are reserved. */
const predefined = screenTexts<Record<string, string>>(english, {
  cf_email: 'E-Mail',
  cf_phone: 'Telefon',
  cf_external_ref: 'Externe Kennung',
} satisfies typeof english)

/**
 * Returns the title of a predefined field in the user's language, and shows names that programs chose, such as
 * `order_total`, as words; names of people are kept.
 */
export function toTitle(name: string): string {
  const titles = predefined()
  if (Object.hasOwn(titles, name)) return titles[name]!
  if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) return name
  const words = name.replace(/^cf_/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
