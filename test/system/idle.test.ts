import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { getSlowdown } from '../harness/wait.ts'
import { fresh, scratch, start } from './program.ts'

const root = scratch()
const ticksPerSecond = 100
/** Excludes the garbage collection that follows the start by up to 30 seconds. */
const settleMs = 35_000
const measuredMs = 20_000

/** Returns the CPU time of a process in milliseconds. */
function getCpuMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return ((Number(user) + Number(system)) / ticksPerSecond) * 1000
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

test('a warm start takes under three seconds, and the idle service uses under 1 % of a core', async () => {
  const dataDir = fresh(root, 'data')
  const first = await start({ dataDir })
  const cold = await first.ready()
  await first.stop()
  const before = getSlowdown()
  const service = await start({ dataDir })
  const warm = await service.ready()
  const startCpu = getCpuMs(service.pid)
  // A host that runs other machines changes the speed of this one within seconds.
  const slow = Math.max(before, getSlowdown())
  await sleep(settleMs)
  const settledCpu = getCpuMs(service.pid)
  await sleep(measuredMs)
  const percent = ((getCpuMs(service.pid) - settledCpu) / measuredMs) * 100
  const memory = residentMegabytes(service.pid)
  console.log(
    `first start ${(cold / 1000).toFixed(2)} s, warm start ${(warm / 1000).toFixed(2)} s (CPU time ${Math.round(startCpu)} ms); ` +
      `idle ${percent.toFixed(2)} % of a core, ${memory.toFixed(0)} MB; machine slowdown ${slow.toFixed(1)}`,
  )
  // The limits hold on the reference machine; a slower machine gets proportionally more.
  expect(warm / slow).toBeLessThan(3_000)
  expect(percent / slow).toBeLessThan(1)
  expect(memory).toBeLessThan(200)
})
