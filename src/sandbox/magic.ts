/**
 * Recipients with a fate: +1 500 555 NNNN (as a social account's user: 1500555NNNN). The first ones are those that
 * the sms provider itself documents for tests. docs/sandbox.md lists them for readers.
 */
import type { Behaviour } from './symptoms.ts'

interface Fate extends Behaviour {
  /** only the first, third, fifth … request is treated so: what is tried again gets through */
  everyOther?: boolean
}

export const fates: Record<string, Fate> = {
  '0001': { symptom: 'invalidRecipient' },
  '0002': { symptom: 'unroutable' },
  '0003': { symptom: 'notPermitted' },
  '0004': { symptom: 'optedOut' },
  '0009': { symptom: 'notMobile' },
  '0010': { symptom: 'undeliverable' },
  '0011': { symptom: 'undeliverable', beforeFailure: ['sent'] },
  '0012': { symptom: 'windowClosed' },
  '0013': { symptom: 'filtered', beforeFailure: ['sent'] },
  '0020': { symptom: 'rateLimited', everyOther: true },
  '0021': { symptom: 'rateLimited' },
  '0022': { symptom: 'pairLimited', everyOther: true },
  '0023': { symptom: 'serverError', everyOther: true },
  '0024': { symptom: 'serverError' },
  '0025': { symptom: 'maintenance', everyOther: true },
  '0026': { symptom: 'appLimited', everyOther: true },
  '0027': { symptom: 'spamLimited' },
  '0028': { symptom: 'queueFull' },
  '0030': { symptom: 'tokenExpired' },
  '0031': { symptom: 'accountLocked' },
  '0032': { symptom: 'paymentIssue' },
  '0040': { answering: 'slow', slowMs: 5000 },
  '0041': { answering: 'hang', everyOther: true },
  '0042': { answering: 'reset', everyOther: true },
  '0043': { answering: 'acceptThenHang' },
  '0044': { answering: 'acceptThenReset' },
  '0045': { answering: 'acceptThenError' },
  '0046': { answering: 'acceptThenHang', callbacks: 'lost', everyOther: true },
  '0050': { tells: ['sent', 'delivered', 'read'] },
  '0051': { tells: ['sent', 'read'] },
  '0052': { tells: ['sent'] },
  '0053': { callbacks: 'twice', tells: ['sent', 'delivered', 'read'] },
  '0054': { callbacks: 'reversed', tells: ['sent', 'delivered', 'read'] },
  '0055': { callbacks: 'late' },
  '0056': { callbacks: 'lost' },
  '0060': { customer: 'echoes' },
  '0061': { customer: 'stops' },
  '0062': { customer: 'hides' },
}

const ordinary: Behaviour = {}

/** Remembers, for the recipients that need it, how often they were tried. */
export class Magic {
  readonly #tries = new Map<string, number>()

  of(account: string, peer: string): Behaviour {
    if (!peer.startsWith('1500555')) return ordinary
    const fate = fates[peer.slice(7)]
    if (!fate?.everyOther) return fate ?? ordinary
    const key = `${account}/${peer}`
    const tries = (this.#tries.get(key) ?? 0) + 1
    this.#tries.set(key, tries)
    return tries % 2 === 1 ? fate : ordinary
  }
}
