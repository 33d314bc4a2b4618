/**
 * Runs all benchmarks one after the other and prints one table: `npm run bench [name …]`, with comparisons such as
 * `peers/flows` only by name. Each file prints its measurements as lines of JSON; a ratio compares with a limit
 * measured in the same run. Results accepted with `--accept` are committed; a later run that is worse by more than a
 * fifth exits with code 1. `--from=file` reads measurements that a benchmark printed earlier.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Measurement } from './support/environment.ts'
import { plot } from './support/plot.ts'
import { findRegressions } from './support/regression.ts'

const here = import.meta.dirname
const names = process.argv.slice(2).filter(arg => !arg.startsWith('--'))
const accept = process.argv.includes('--accept')
const outputFiles = process.argv.flatMap(arg =>
  arg.startsWith('--from=') ? [arg.slice('--from='.length)] : [],
)
const benchmarks = readdirSync(here).filter(file => file.endsWith('.ts') && file !== 'all.ts')
const files = names.length > 0 || outputFiles.length > 0 ? names.map(name => `${name}.ts`) : benchmarks

async function run(file: string): Promise<Measurement[]> {
  process.stderr.write(`${file} …\n`)
  const child = spawn(process.execPath, ['--import', 'tsx', path.join(here, file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  const code = child.exitCode ?? (await new Promise<number>(resolve => child.on('close', resolve)))
  if (code !== 0) process.stderr.write(`${file} exited with code ${code}\n`)
  return parseMeasurements(output)
}

function parseMeasurements(output: string): Measurement[] {
  return output.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as Measurement] : []))
}

const measurements = outputFiles.flatMap(file => parseMeasurements(readFileSync(file, 'utf8')))
for (const file of files) measurements.push(...(await run(file)))

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here, encoding: 'utf8' }).trim()
const machine = {
  node: process.version,
  cpu: os.cpus()[0]?.model ?? 'unknown',
  cores: os.cpus().length,
  memoryGiB: Math.round(os.totalmem() / 2 ** 30),
  kernel: os.release(),
}
const toRow = (m: Measurement) =>
  `| ${m.name} | ${m.value} ${m.unit} | ${m.limit} | ${m.ratio} | ${m.wanted} |`
const toTable = (list: readonly Measurement[]) =>
  ['| measurement | value | limit | ratio | wanted |', '|---|---|---|---|---|', ...list.map(toRow)].join('\n')
const table = toTable(measurements)

interface Results {
  commit: string
  machine: typeof machine
  measurements: Measurement[]
}

const results = path.join(here, 'accepted')
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
const measured = new Set(measurements.map(({ name }) => name))
/** A partial run keeps the accepted results of the other benchmarks. */
const merged = [...(accepted?.measurements ?? []).filter(({ name }) => !measured.has(name)), ...measurements]
const regressions = findRegressions(measurements, accepted?.measurements ?? [])
const title = `Parley at ${commit}: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}`
write('latest.json', `${JSON.stringify({ commit, machine, measurements }, null, 2)}\n`)
write('latest.md', `# ${title}\n\n${table}\n`)
write('latest.svg', plot(title, measurements))
if (accept) {
  write('accepted.json', `${JSON.stringify({ commit, machine, measurements: merged }, null, 2)}\n`)
  write('accepted.md', `# ${title}\n\n${toTable(merged)}\n\n![ratios](accepted.svg)\n`)
  write('accepted.svg', plot(title, merged))
}
console.log(table)
for (const regression of regressions) console.error(`worse than accepted by more than a fifth: ${regression}`)
if (regressions.length > 0 && !accept) process.exitCode = 1
