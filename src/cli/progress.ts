import { progress as progressBar } from '@clack/prompts'
import type { Progress } from '../server/backup/writer.ts'

export interface ProgressView extends Progress {
  end(line: string): void
}

const silent: ProgressView = { expect: () => {}, advance: () => {}, end: () => {} }
const steps = 1000

/** Returns a view that shows nothing unless `visible` on a terminal. `format` renders the numbers. */
export function showProgress(title: string, visible: boolean, format = megabytes): ProgressView {
  if (!visible || !process.stderr.isTTY || !process.stdout.isTTY) return silent
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
      if (reached > shown) bar.advance(reached - shown, `${title}: ${format(done)} of ${format(expected)}`)
      shown = Math.max(shown, reached)
    },
    end: line => bar.stop(line),
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
