/** Segments of text messages, and the queues that numbers send them from. */
import { SmsError } from './errors.ts'

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extended = '\f^{}\\[~]|€'

const units = new Map<string, number>([
  ...[...basic].map((char): [string, number] => [char, 1]),
  ...[...extended].map((char): [string, number] => [char, 2]),
])

/** Characters of two units are not split. */
function splitCount(widths: number[], maxUnits: number): number {
  let count = 1
  let used = 0
  for (const width of widths) {
    if (used + width > maxUnits) {
      count += 1
      used = 0
    }
    used += width
  }
  return count
}

export function countSegments(text: string): number {
  const chars = [...text]
  const gsm = chars.every(char => units.has(char))
  const widths = chars.map(char => (gsm ? units.get(char)! : char.length))
  const total = widths.reduce((sum, width) => sum + width, 0)
  const [single, perSegment] = gsm ? [160, 153] : [70, 67]
  return total <= single ? 1 : splitCount(widths, perSegment)
}

const maxQueueMs = 10 * 3_600_000
const segmentsPerSecond = { local: 1, 'toll-free': 3 }

/** Send queues of the numbers: each sends a fixed number of segments per second and queues up to ten hours. */
export class SendQueues {
  readonly #until = new Map<string, number>()

  /** Reserves a slot and returns the waiting time. Throws when the queue is full. */
  reserve(
    { sid, type }: { sid: string; type: 'local' | 'toll-free' },
    segments: number,
    now: number,
  ): number {
    const start = Math.max(this.#until.get(sid) ?? now, now)
    if (start - now > maxQueueMs) throw new SmsError(21611)
    this.#until.set(sid, start + (segments / segmentsPerSecond[type]) * 1000)
    return start - now
  }
}
