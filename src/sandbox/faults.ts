/**
 * Faults that the control surface asked for: for everyone, or for single accounts, whose own set then replaces the
 * common one. Whether a chance strikes follows from the seed and the name of what it is about, not from timing.
 * Kept in the registry with what is left of their counts, so a crash does not heal the provider.
 */
import { type AccountRef, toAccountKey } from './channels.ts'
import type { Behaviour, FailureMode, ResponseMode } from './failure-modes.ts'
import { hashFraction } from './identifiers.ts'
import type { Chance, Faults, RequestFault } from './schemas.ts'
import type { Registry } from './store/registry.ts'

type Kind = 'drop' | 'lose' | 'duplicate' | 'reorder' | 'delay'

const responseModes = new Set<string>([
  'hang',
  'reset',
  'slow',
  'acceptThenHang',
  'acceptThenReset',
  'acceptThenError',
])

function toBehaviour(fault: RequestFault): Behaviour {
  if (responseModes.has(fault.answer))
    return { responseMode: fault.answer as ResponseMode, delayMs: fault.delayMs ?? 5000 }
  if (fault.answer === 'error')
    return { customError: { code: fault.code ?? 1, status: fault.status, message: fault.message } }
  return { failureMode: fault.answer as FailureMode }
}

export class FaultInjector {
  readonly #registry: Registry
  #any: boolean
  #requests = 0

  constructor(registry: Registry) {
    this.#registry = registry
    this.#any = !registry.entries('faults').next().done
  }

  async set(faults: Faults, accounts?: AccountRef[]): Promise<void> {
    this.#any = true
    const keys = accounts ? accounts.map(account => `faults/${toAccountKey(account)}`) : ['faults']
    await Promise.all(keys.map(key => this.#registry.put(key, structuredClone(faults))))
  }

  async clear(accounts?: AccountRef[]): Promise<void> {
    const keys = accounts
      ? accounts.map(account => `faults/${toAccountKey(account)}`)
      : [...this.#registry.entries('faults')].map(([key]) => key)
    await Promise.all(keys.map(key => this.#registry.put(key, undefined)))
    this.#any = !this.#registry.entries('faults').next().done
  }

  /** What is to happen to a call of this account; `to` is undefined for calls that are no sends. */
  matchRequest(account: AccountRef, to?: string): Behaviour | undefined {
    const found = this.#of(account)
    if (!found?.faults.requests) return undefined
    const name = `request/${++this.#requests}`
    for (const [i, fault] of found.faults.requests.entries()) {
      if (to === undefined && fault.answer !== 'tokenExpired') continue
      if (fault.to !== undefined && fault.to.replace(/^\+/, '') !== to?.replace(/^\+/, '')) continue
      if (this.#strikes(found, fault, `${i}/${name}`)) return toBehaviour(fault)
    }
    return undefined
  }

  affectsCallback(account: AccountRef, kind: Kind, name: string): boolean {
    const found = this.#of(account)
    const chance = found?.faults.callbacks?.[kind]
    return found !== undefined && chance !== undefined && this.#strikes(found, chance, `${kind}/${name}`)
  }

  callbackFaults(account: AccountRef): NonNullable<Faults['callbacks']> {
    return this.#of(account)?.faults.callbacks ?? {}
  }

  /** A number from 0 to 1 that is the same each time the same thing is asked about. */
  fraction(account: AccountRef, name: string): number {
    return hashFraction(`${this.#of(account)?.faults.seed ?? 0}/${name}`)
  }

  #of(account: AccountRef): { key: string; faults: Faults } | undefined {
    if (!this.#any) return undefined
    const own = `faults/${toAccountKey(account)}`
    const key = this.#registry.get(own) ? own : 'faults'
    const faults = this.#registry.get<Faults>(key)
    return faults && { key, faults }
  }

  #strikes({ key, faults }: { key: string; faults: Faults }, chance: Chance, name: string): boolean {
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
