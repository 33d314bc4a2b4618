/**
 * The providers' time: the clock given at start, moved ahead by what the control surface asked for, for everyone or
 * for single accounts. Survives a restart, so a window that was closed by moving the clock stays closed.
 */
import type { Clock } from '../platform/clock.ts'
import { type AccountRef, toAccountKey } from './channels.ts'
import type { Registry } from './store/registry.ts'

export class SandboxClock {
  readonly #clock: Clock
  readonly #registry: Registry
  #all: number

  constructor(clock: Clock, registry: Registry) {
    this.#clock = clock
    this.#registry = registry
    this.#all = registry.get<number>('clock') ?? 0
  }

  /** The machine's time, which decides when callbacks leave. */
  wallNow(): number {
    return this.#clock.now().getTime()
  }

  /** How far this account's clock is ahead of the machine's. */
  offsetMs(account: AccountRef): number {
    return this.#all + (this.#registry.get<number>(`clock/${toAccountKey(account)}`) ?? 0)
  }

  now(account: AccountRef): number {
    return this.wallNow() + this.offsetMs(account)
  }

  /** By the clock that all accounts share. */
  sharedNow(): number {
    return this.wallNow() + this.#all
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
    this.#all += seconds * 1000
    await this.#registry.put('clock', this.#all)
  }

  async reset(): Promise<void> {
    this.#all = 0
    const keys = [...this.#registry.entries('clock')].map(([key]) => key)
    await Promise.all(keys.map(key => this.#registry.put(key, undefined)))
  }
}
