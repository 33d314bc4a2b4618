/** Chooses the texts and the direction of writing. English is part of the program; other languages are loaded. */
import { en, type Texts } from './en.ts'

export interface Language {
  /** For dates and numbers, such as `de-AT`. */
  locale: string
  texts: Texts
  direction: 'ltr' | 'rtl'
}

export const english: Language = { locale: 'en', texts: en, direction: 'ltr' }

const catalogues: Record<string, () => Promise<Texts>> = {
  de: async () => (await import('./de.ts')).de,
  ar: async () => (await import('./ar.ts')).ar,
}

/** Returns English for a language without a catalogue. */
export async function loadLanguage(locale: string): Promise<Language> {
  const code = locale.toLowerCase().split(/[-_]/)[0]!
  const load = catalogues[code]
  if (!load) return { ...english, locale: code === 'en' ? toTag(locale) : 'en' }
  return { locale: toTag(locale), texts: await load(), direction: code === 'ar' ? 'rtl' : 'ltr' }
}

function toTag(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0]!
  } catch {
    return locale.slice(0, 2)
  }
}

/** Formats dates and sizes in a language. */
export function createFormats({ locale, texts }: Language) {
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' })
  const moment = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit' })
  const toDay = (at: Date) => at.toDateString()
  return {
    time: (at: string) => time.format(new Date(at)),
    moment: (at: string) => moment.format(new Date(at)),
    day: (at: string) => {
      const day = new Date(at)
      const now = new Date()
      if (toDay(day) === toDay(now)) return texts.today
      now.setDate(now.getDate() - 1)
      return toDay(day) === toDay(now) ? texts.yesterday : date.format(day)
    },
    size: (bytes: number) => {
      const isLarge = bytes >= 1_000_000
      const unit = isLarge ? 'megabyte' : 'kilobyte'
      const value = Math.max(1, Math.round(bytes / (isLarge ? 1_000_000 : 1_000)))
      return new Intl.NumberFormat(locale, { style: 'unit', unit }).format(value)
    },
  }
}

export type Formats = ReturnType<typeof createFormats>
