/** Allowances that refill with time, for the providers' real rates. One that is full again is forgotten. */
interface Level {
  left: number
  at: number
}

export class TokenBuckets {
  readonly #levels = new Map<string, Level>()
  readonly #size: number
  readonly #perSecond: number
  #sweepAbove = 10_000

  constructor(size: number, perSecond: number) {
    this.#size = size
    this.#perSecond = perSecond
  }

  take(name: string, now: number): boolean {
    if (this.#levels.size > this.#sweepAbove) this.#sweep(now)
    const level = this.#levels.get(name)
    const left = level ? this.#leftAt(level, now) : this.#size
    if (left < 1) return false
    this.#levels.set(name, { left: left - 1, at: now })
    return true
  }

  #leftAt({ left, at }: Level, now: number): number {
    return Math.min(this.#size, left + (Math.max(now - at, 0) / 1000) * this.#perSecond)
  }

  #sweep(now: number): void {
    for (const [name, level] of this.#levels)
      if (this.#leftAt(level, now) >= this.#size) this.#levels.delete(name)
    this.#sweepAbove = Math.max(10_000, this.#levels.size * 2)
  }
}
