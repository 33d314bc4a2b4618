/**
 * The providers' time: the process clock plus offsets set by the control API, common or per account. Offsets survive a
 * restart.
 */
import type { Clock } from '../platform/clock.ts'
import { type AccountRef, toAccountKey } from './identifiers.ts'
import type { Registry } from './store/registry.ts'

export class SandboxClock {
  readonly #clock: Clock
  readonly #registry: Registry
  #commonOffset: number

  constructor(clock: Clock, registry: Registry) {
    this.#clock = clock
    this.#registry = registry
    this.#commonOffset = registry.get<number>('clock') ?? 0
  }

  /** Returns the process time, which decides when callbacks are sent. */
  wallNow(): number {
    return this.#clock.now().getTime()
  }

  offsetMs(account: AccountRef): number {
    return this.#commonOffset + (this.#registry.get<number>(`clock/${toAccountKey(account)}`) ?? 0)
  }

  now(account: AccountRef): number {
    return this.wallNow() + this.offsetMs(account)
  }

  /** Returns the time with the common offset. */
  sharedNow(): number {
    return this.wallNow() + this.#commonOffset
  }

  async advance(seconds: number, accounts?: AccountRef[]): Promise<void> {
    if (accounts) {
      await Promise.all(
        accounts.map(account => {
          const key = `clock/${toAccountKey(account)}`
          return this.#registry.put(key, (this.#registry.get<number>(key) ?? 0) + seconds * 1000)
        }),
      )
      return
    }
    this.#commonOffset += seconds * 1000
    await this.#registry.put('clock', this.#commonOffset)
  }

  async reset(): Promise<void> {
    this.#commonOffset = 0
    const keys = [...this.#registry.entries('clock')].map(([key]) => key)
    await Promise.all(keys.map(key => this.#registry.put(key, undefined)))
  }
}
