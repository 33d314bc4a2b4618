/** Shows how far long work has come, to somebody who is looking. */
import { progress as progressBar } from '@clack/prompts'
import type { Progress } from '../server/backup/writer.ts'

export interface ProgressView extends Progress {
  end(line: string): void
}

const silent: ProgressView = { expect: () => {}, advance: () => {}, end: () => {} }
const steps = 1000

/** `amount` says how much a number is. */
export function showProgress(title: string, wanted: boolean, amount = megabytes): ProgressView {
  if (!wanted || !process.stderr.isTTY || !process.stdout.isTTY) return silent
  const bar = progressBar({ max: steps, output: process.stderr, onCancel: () => process.exit(130) })
  let [expected, done, shown] = [0, 0, 0]
  bar.start(title)
  return {
    expect: more => {
      expected += more
    },
    advance: more => {
      done += more
      const reached = Math.min(steps, Math.floor((done / Math.max(expected, done)) * steps))
      if (reached > shown) bar.advance(reached - shown, `${title}: ${amount(done)} of ${amount(expected)}`)
      shown = Math.max(shown, reached)
    },
    end: line => bar.stop(line),
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
