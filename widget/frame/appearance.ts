/** Theme and language of the chat: those that the page sets, otherwise those of the inbox. */
import type { PageState } from '../protocol.ts'
import { loadLanguage } from './i18n/i18n.ts'
import type { Store } from './store.ts'

export class Appearance {
  readonly #store: Store
  /** The theme that the page has set. */
  #theme: PageState['theme']
  /** The language that is shown or being loaded. */
  #locale = ''
  #loading: Promise<void> = Promise.resolve()

  constructor(store: Store) {
    this.#store = store
  }

  setTheme(theme: PageState['theme']): void {
    this.#theme = theme
    this.showTheme()
  }

  /** Shows the theme of the inbox once the configuration is known, unless the page has set one. */
  showTheme(): void {
    const { config } = this.#store.state
    this.#store.set({ theme: this.#theme ?? config?.appearance.theme ?? 'auto' })
  }

  setLanguage(locale: string): Promise<void> {
    if (locale !== this.#locale) {
      this.#locale = locale
      this.#loading = this.#load(locale)
    }
    return this.#loading
  }

  /** If the file of the texts cannot be loaded, the chat keeps its language until the page sets one again. */
  async #load(locale: string): Promise<void> {
    try {
      const language = await loadLanguage(locale)
      // The page may have set another one meanwhile.
      if (locale === this.#locale) this.#store.set({ language })
    } catch {
      if (locale === this.#locale) this.#locale = ''
    }
  }
}
