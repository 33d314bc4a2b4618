// Preloaded into a process: shifts its wall clock by the milliseconds in a file. The monotonic clock is unchanged, as
// when a machine's clock is set.
import { readFileSync } from 'node:fs'

const file = process.env.MOVED_DATE
const RealDate = Date
let offset = 0
let readAt = Number.NEGATIVE_INFINITY

function now() {
  const at = performance.now()
  if (at - readAt > 50) {
    readAt = at
    offset = Number(readFileSync(file, 'utf8'))
  }
  return RealDate.now() + offset
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) => Reflect.construct(target, given.length > 0 ? given : [now()]),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : target[name]),
})
