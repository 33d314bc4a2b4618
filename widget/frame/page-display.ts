/** Shows the chat in the theme and the language of the page. */
import type { PageState } from '../protocol.ts'
import { loadLanguage } from './i18n/i18n.ts'
import type { Store } from './store.ts'

export class PageDisplay {
  readonly #store: Store
  /** The theme that the page has set; otherwise that of the inbox is shown. */
  #theme: PageState['theme']
  /** The language that is shown or on its way. */
  #locale = ''
  #loadingLanguage: Promise<void> = Promise.resolve()

  constructor(store: Store) {
    this.#store = store
  }

  setTheme(theme: PageState['theme']): void {
    this.#theme = theme
    this.showTheme()
  }

  showTheme(): void {
    const { config } = this.#store.state
    this.#store.set({ theme: this.#theme ?? config?.appearance.theme ?? 'auto' })
  }

  setLanguage(locale: string): Promise<void> {
    if (locale !== this.#locale) {
      this.#locale = locale
      this.#loadingLanguage = this.#loadLanguage(locale)
    }
    return this.#loadingLanguage
  }

  /** The texts may be a file that cannot be loaded: the chat then keeps its language, until the page says it again. */
  async #loadLanguage(locale: string): Promise<void> {
    try {
      const language = await loadLanguage(locale)
      // The page may have chosen another one meanwhile.
      if (locale === this.#locale) this.#store.set({ language })
    } catch {
      if (locale === this.#locale) this.#locale = ''
    }
  }
}
