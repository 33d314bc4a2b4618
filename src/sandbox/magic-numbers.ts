/**
 * Recipients that trigger a scenario: +1 500 555 NNNN (socialapp: user id 1500555NNNN). The first ones are the sms
 * provider's own test numbers. docs/sandbox.md documents all of them.
 */
import type { Behaviour } from './failure-modes.ts'

interface Scenario extends Behaviour {
  /** applies to the first, third, fifth … request only, so that a retry succeeds */
  alternating?: boolean
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
  '0020': { failureMode: 'rateLimited', alternating: true },
  '0021': { failureMode: 'rateLimited' },
  '0022': { failureMode: 'pairLimited', alternating: true },
  '0023': { failureMode: 'serverError', alternating: true },
  '0024': { failureMode: 'serverError' },
  '0025': { failureMode: 'maintenance', alternating: true },
  '0026': { failureMode: 'appLimited', alternating: true },
  '0027': { failureMode: 'spamLimited' },
  '0028': { failureMode: 'queueFull' },
  '0030': { failureMode: 'tokenExpired' },
  '0031': { failureMode: 'accountLocked' },
  '0032': { failureMode: 'paymentIssue' },
  '0040': { responseMode: 'slow', delayMs: 5000 },
  '0041': { responseMode: 'hang', alternating: true },
  '0042': { responseMode: 'reset', alternating: true },
  '0043': { responseMode: 'acceptThenHang' },
  '0044': { responseMode: 'acceptThenReset' },
  '0045': { responseMode: 'acceptThenError' },
  '0046': { responseMode: 'acceptThenHang', callbacks: 'lost', alternating: true },
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

const noScenario: Behaviour = {}

/** Selects the behaviour of a recipient and counts requests for alternating scenarios. */
export class MagicNumbers {
  readonly #requests = new Map<string, number>()

  getBehaviour(account: string, customer: string): Behaviour {
    if (!customer.startsWith('1500555')) return noScenario
    const scenario = scenarios[customer.slice(7)]
    if (!scenario?.alternating) return scenario ?? noScenario
    const key = `${account}/${customer}`
    const requests = (this.#requests.get(key) ?? 0) + 1
    this.#requests.set(key, requests)
    return requests % 2 === 1 ? scenario : noScenario
  }
}
