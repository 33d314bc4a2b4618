/** CPU time of processes that the benchmark starts, from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

interface Stat {
  parent: number
  /** Of its threads. */
  own: number
  /** Of children that have ended. */
  ended: number
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const sum = (first: number) => Number(fields[first]) + Number(fields[first + 1])
    return { parent: Number(fields[1]), own: sum(11), ended: sum(13) }
  } catch {
    return undefined
  }
}

/** Returns the CPU time of a process and its descendants in milliseconds. */
export function getTreeCpuMs(root: number): number {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined
    if (stat) stats.set(Number(name), stat)
  }
  const isBelow = (pid: number): boolean =>
    pid === root || (stats.has(pid) && isBelow(stats.get(pid)!.parent))
  let ticks = 0
  for (const [pid, stat] of stats) if (isBelow(pid)) ticks += stat.own + stat.ended
  return (ticks / ticksPerSecond) * 1_000
}
