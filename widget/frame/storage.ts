/** Storage of the frame, per inbox. Browsers may forbid it: the chat then lasts as long as the page. */
export class Storage {
  readonly #prefix: string
  readonly #memory = new Map<string, string>()

  constructor(inboxKey: string) {
    this.#prefix = `parley:${inboxKey}`
  }

  /** The name of an item; the token has none of its own. */
  toKey(name: string): string {
    return name ? `${this.#prefix}:${name}` : this.#prefix
  }

  get(name: string): string | null {
    const key = this.toKey(name)
    try {
      return localStorage.getItem(key)
    } catch {
      return this.#memory.get(key) ?? null
    }
  }

  set(name: string, value: string | null): void {
    const key = this.toKey(name)
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      if (value === null) this.#memory.delete(key)
      else this.#memory.set(key, value)
    }
  }

  /** Returns the values of all items that begin with the name. */
  list(name: string): string[] {
    const prefix = this.toKey(name)
    try {
      const keys = Object.keys(localStorage).filter(key => key.startsWith(prefix))
      return keys.map(key => localStorage.getItem(key)!)
    } catch {
      return [...this.#memory].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value)
    }
  }
}
