/** Reads CPU times of processes from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

const tickMs = 10

interface Stat {
  pid: number
  parent: number
  own: number
  ended: number
}

function readStats(): Stat[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const sum = (at: number) => Number(fields[at]) + Number(fields[at + 1])
        return [{ pid: Number(name), parent: Number(fields[1]), own: sum(11), ended: sum(13) }]
      } catch {
        return []
      }
    })
}

/** CPU time of a process and its children, those that have ended included. */
export function treeCpuMs(pid: number): number {
  const stats = readStats()
  const add = (id: number): number =>
    stats
      .filter(one => one.pid === id || one.parent === id)
      .reduce((total, one) => total + (one.pid === id ? one.own + one.ended : add(one.pid)), 0)
  return add(pid) * tickMs
}
