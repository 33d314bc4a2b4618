/** A number sends so many parts a second; what comes faster waits in a queue that is ten hours long. */
import { SmsError } from './errors.ts'
import type { SmsNumber } from './numbers.ts'

const maxQueueMs = 10 * 3_600_000
const perSecond = { local: 1, 'toll-free': 3 }

export class SendQueues {
  readonly #until = new Map<string, number>()

  /** How long the message will wait before its turn comes. */
  reserve({ sid, type }: Pick<SmsNumber, 'sid' | 'type'>, parts: number, now: number): number {
    const start = Math.max(this.#until.get(sid) ?? now, now)
    if (start - now > maxQueueMs) throw new SmsError(21611)
    this.#until.set(sid, start + (parts / perSecond[type]) * 1000)
    return start - now
  }
}
