/**
 * Every benchmark, one after the other, in one table with the facts of the machine: `npm run bench [name …]`. Each file
 * prints its measurements as lines of JSON; a ratio compares with a limit measured in the same run. What was accepted
 * (`--accept`) is committed; a later run that is worse by more than a fifth anywhere ends with code 1. What a benchmark
 * printed when it was run by itself is taken with `--from=file`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Measurement } from './environment.ts'
import { plot } from './plot.ts'
import { findRegressions } from './regression.ts'

const here = import.meta.dirname
const notBenchmarks = new Set(['all.ts', 'guard.ts', 'plot.ts', 'setting.ts'])
const wanted = process.argv.slice(2).filter(word => !word.startsWith('--'))
const accept = process.argv.includes('--accept')
const printed = process.argv.flatMap(word =>
  word.startsWith('--from=') ? [word.slice('--from='.length)] : [],
)
const files = readdirSync(here).filter(
  file =>
    file.endsWith('.ts') &&
    !notBenchmarks.has(file) &&
    ((wanted.length === 0 && printed.length === 0) || wanted.includes(file.replace('.ts', ''))),
)

async function run(file: string): Promise<Measurement[]> {
  process.stderr.write(`${file} …\n`)
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(here, file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  const code = child.exitCode ?? (await new Promise<number>(resolve => child.on('close', resolve)))
  if (code !== 0) process.stderr.write(`${file} ended with code ${code}\n`)
  return measurementsIn(output)
}

function measurementsIn(output: string): Measurement[] {
  return output.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as Measurement] : []))
}

const measurements = printed.flatMap(file => measurementsIn(readFileSync(file, 'utf8')))
for (const file of files) measurements.push(...(await run(file)))

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here, encoding: 'utf8' }).trim()
const machine = {
  node: process.version,
  cpu: os.cpus()[0]?.model ?? 'unknown',
  cores: os.cpus().length,
  memoryGiB: Math.round(os.totalmem() / 2 ** 30),
  kernel: os.release(),
}
const rowOf = (m: Measurement) =>
  `| ${m.name} | ${m.value} ${m.unit} | ${m.limit} | ${m.ratio} | ${m.wanted} |`
const tableOf = (list: readonly Measurement[]) =>
  ['| measurement | value | limit | ratio | wanted |', '|---|---|---|---|---|', ...list.map(rowOf)].join('\n')
const table = tableOf(measurements)

interface Results {
  commit: string
  machine: typeof machine
  measurements: Measurement[]
}

const results = path.join(here, 'results')
const write = (name: string, text: string) => writeFileSync(path.join(results, name), text)
mkdirSync(results, { recursive: true })

function readAccepted(): Results | undefined {
  try {
    return JSON.parse(readFileSync(path.join(results, 'accepted.json'), 'utf8')) as Results
  } catch {
    return undefined
  }
}

const accepted = readAccepted()
const measured = new Set(measurements.map(one => one.name))
/** A run of a few leaves the others as they were. */
const kept = [...(accepted?.measurements ?? []).filter(one => !measured.has(one.name)), ...measurements]
const faults = findRegressions(measurements, accepted?.measurements ?? [])
const title = `Parley at ${commit}: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}`
write('latest.json', `${JSON.stringify({ commit, machine, measurements }, null, 2)}\n`)
write('latest.md', `# ${title}\n\n${table}\n`)
write('latest.svg', plot(title, measurements))
if (accept) {
  write('accepted.json', `${JSON.stringify({ commit, machine, measurements: kept }, null, 2)}\n`)
  write('accepted.md', `# ${title}\n\n${tableOf(kept)}\n\n![ratios](accepted.svg)\n`)
  write('accepted.svg', plot(title, kept))
}
console.log(table)
for (const fault of faults) console.error(`worse than accepted by more than a fifth: ${fault}`)
if (faults.length > 0 && !accept) process.exitCode = 1
