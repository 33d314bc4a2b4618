/**
 * Recipients with a fate: +1 500 555 NNNN (as a social account's user: 1500555NNNN). The first ones are those that
 * the sms provider itself documents for tests. docs/sandbox.md lists them for readers.
 */
import type { Behaviour } from './failure-modes.ts'

interface Scenario extends Behaviour {
  /** only the first, third, fifth … request is treated so: what is tried again gets through */
  everyOther?: boolean
}

export const scenarios: Record<string, Scenario> = {
  '0001': { failureMode: 'invalidRecipient' },
  '0002': { failureMode: 'unroutable' },
  '0003': { failureMode: 'notPermitted' },
  '0004': { failureMode: 'optedOut' },
  '0009': { failureMode: 'notMobile' },
  '0010': { failureMode: 'undeliverable' },
  '0011': { failureMode: 'undeliverable', statusesBeforeFailure: ['sent'] },
  '0012': { failureMode: 'windowClosed' },
  '0013': { failureMode: 'filtered', statusesBeforeFailure: ['sent'] },
  '0020': { failureMode: 'rateLimited', everyOther: true },
  '0021': { failureMode: 'rateLimited' },
  '0022': { failureMode: 'pairLimited', everyOther: true },
  '0023': { failureMode: 'serverError', everyOther: true },
  '0024': { failureMode: 'serverError' },
  '0025': { failureMode: 'maintenance', everyOther: true },
  '0026': { failureMode: 'appLimited', everyOther: true },
  '0027': { failureMode: 'spamLimited' },
  '0028': { failureMode: 'queueFull' },
  '0030': { failureMode: 'tokenExpired' },
  '0031': { failureMode: 'accountLocked' },
  '0032': { failureMode: 'paymentIssue' },
  '0040': { responseMode: 'slow', delayMs: 5000 },
  '0041': { responseMode: 'hang', everyOther: true },
  '0042': { responseMode: 'reset', everyOther: true },
  '0043': { responseMode: 'acceptThenHang' },
  '0044': { responseMode: 'acceptThenReset' },
  '0045': { responseMode: 'acceptThenError' },
  '0046': { responseMode: 'acceptThenHang', callbacks: 'lost', everyOther: true },
  '0050': { statuses: ['sent', 'delivered', 'read'] },
  '0051': { statuses: ['sent', 'read'] },
  '0052': { statuses: ['sent'] },
  '0053': { callbacks: 'twice', statuses: ['sent', 'delivered', 'read'] },
  '0054': { callbacks: 'reversed', statuses: ['sent', 'delivered', 'read'] },
  '0055': { callbacks: 'late' },
  '0056': { callbacks: 'lost' },
  '0060': { customerReaction: 'echoes' },
  '0061': { customerReaction: 'stops' },
  '0062': { customerReaction: 'hides' },
}

const ordinary: Behaviour = {}

/** Remembers, for the recipients that need it, how often they were tried. */
export class MagicNumbers {
  readonly #tries = new Map<string, number>()

  getBehaviour(account: string, peer: string): Behaviour {
    if (!peer.startsWith('1500555')) return ordinary
    const fate = scenarios[peer.slice(7)]
    if (!fate?.everyOther) return fate ?? ordinary
    const key = `${account}/${peer}`
    const tries = (this.#tries.get(key) ?? 0) + 1
    this.#tries.set(key, tries)
    return tries % 2 === 1 ? fate : ordinary
  }
}
