/**
 * The texts of the console. `t` is the catalogue of the current language; a text that a language lacks is a type error.
 * Components read `t` while they render, and the whole tree renders again when the language changes.
 */
import { createStore } from '../app/store.ts'
import { en, type Texts } from './en.ts'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

const key = 'parley.language'

export let t: Texts = en
export const language = createStore<Language>('en')

function isLanguage(value: string | null | undefined): value is Language {
  return value !== null && value !== undefined && Object.hasOwn(languages, value)
}

/** Loads the texts of the user's choice, otherwise of the browser's language. */
export async function startLanguage(): Promise<void> {
  const stored = localStorage.getItem(key)
  const preferred = navigator.languages.map(tag => tag.split('-')[0]).find(isLanguage)
  await applyLanguage(isLanguage(stored) ? stored : (preferred ?? 'en'))
}

export async function setLanguage(next: Language): Promise<void> {
  localStorage.setItem(key, next)
  await applyLanguage(next)
}

async function applyLanguage(next: Language): Promise<void> {
  t = next === 'de' ? (await import('./de.ts')).de : en
  document.documentElement.lang = next
  language.set(next)
}

/**
 * The texts of a screen that loads later, in all languages; call the result while rendering. They are part of the screen's
 * chunk, not of the first load.
 */
export function screenTexts<T>(english: T, german: T): () => T {
  return () => (language.get() === 'de' ? german : english)
}
