/**
 * Injects faults set by the control API. An account's own faults replace the common ones. The seed and the name of the
 * request or callback decide whether a probability applies, not timing. Remaining counts survive a crash.
 */

import { type Behaviour, type FailureMode, responseModes } from './failure-modes.ts'
import { type AccountRef, hashFraction, toAccountKey } from './identifiers.ts'
import type { Chance, Faults, RequestFault } from './schemas.ts'
import type { Registry } from './store/registry.ts'

type Kind = 'drop' | 'lose' | 'duplicate' | 'reorder' | 'delay'

function toBehaviour(fault: RequestFault): Behaviour {
  const responseMode = responseModes.find(mode => mode === fault.answer)
  if (responseMode) return { responseMode, delayMs: fault.delayMs ?? 5000 }
  if (fault.answer === 'error')
    return { customError: { code: fault.code ?? 1, status: fault.status, message: fault.message } }
  return { failureMode: fault.answer as FailureMode }
}

export class FaultInjector {
  readonly #registry: Registry
  #hasFaults: boolean
  #requests = 0

  constructor(registry: Registry) {
    this.#registry = registry
    this.#hasFaults = !registry.entries('faults').next().done
  }

  async set(faults: Faults, accounts?: AccountRef[]): Promise<void> {
    this.#hasFaults = true
    const keys = accounts ? accounts.map(account => `faults/${toAccountKey(account)}`) : ['faults']
    await Promise.all(keys.map(key => this.#registry.put(key, structuredClone(faults))))
  }

  async clear(accounts?: AccountRef[]): Promise<void> {
    const keys = accounts
      ? accounts.map(account => `faults/${toAccountKey(account)}`)
      : [...this.#registry.entries('faults')].map(([key]) => key)
    await Promise.all(keys.map(key => this.#registry.put(key, undefined)))
    this.#hasFaults = !this.#registry.entries('faults').next().done
  }

  /** Returns the fault for a request of this account; `to` is undefined if the request does not send a message. */
  matchRequest(account: AccountRef, to?: string): Behaviour | undefined {
    const active = this.#find(account)
    if (!active?.faults.requests) return undefined
    const name = `request/${++this.#requests}`
    for (const [i, fault] of active.faults.requests.entries()) {
      if (to === undefined && fault.answer !== 'tokenExpired') continue
      if (fault.to !== undefined && fault.to.replace(/^\+/, '') !== to?.replace(/^\+/, '')) continue
      if (this.#applies(active, fault, `${i}/${name}`)) return toBehaviour(fault)
    }
    return undefined
  }

  affectsCallback(account: AccountRef, kind: Kind, name: string): boolean {
    const active = this.#find(account)
    const chance = active?.faults.callbacks?.[kind]
    return active !== undefined && chance !== undefined && this.#applies(active, chance, `${kind}/${name}`)
  }

  callbackFaults(account: AccountRef): NonNullable<Faults['callbacks']> {
    return this.#find(account)?.faults.callbacks ?? {}
  }

  /** Returns a number from 0 to 1, derived from the seed and the name. */
  fraction(account: AccountRef, name: string): number {
    return hashFraction(`${this.#find(account)?.faults.seed ?? 0}/${name}`)
  }

  #find(account: AccountRef): { key: string; faults: Faults } | undefined {
    if (!this.#hasFaults) return undefined
    const accountKey = `faults/${toAccountKey(account)}`
    const key = this.#registry.get(accountKey) ? accountKey : 'faults'
    const faults = this.#registry.get<Faults>(key)
    return faults && { key, faults }
  }

  #applies({ key, faults }: { key: string; faults: Faults }, chance: Chance, name: string): boolean {
    if (chance.count === 0) return false
    const { probability } = chance
    if (probability !== undefined && hashFraction(`${faults.seed ?? 0}/${name}`) >= probability) return false
    if (chance.count !== undefined) {
      chance.count -= 1
      this.#registry.put(key, faults).catch(() => {})
    }
    return true
  }
}
