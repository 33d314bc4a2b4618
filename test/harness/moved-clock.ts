/** Moves the wall clock of a process that is started with `env`. */
import { writeFileSync } from 'node:fs'

const program = new URL('./moved-date.js', import.meta.url)

export function movedClock(file: string, seconds = 0) {
  const set = (by: number) => writeFileSync(file, String(by * 1_000))
  set(seconds)
  return { set, env: { NODE_OPTIONS: `--import=${program.href}`, MOVED_DATE: file } }
}
