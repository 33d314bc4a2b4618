/** The files in deploy/ speak of what exists: settings, metrics, commands. Tools that know them better judge them where they are installed. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { fresh, scratch, start } from './program.ts'

const root = path.resolve(import.meta.dirname, '..')
const file = (name: string) => readFileSync(path.join(root, 'deploy', name), 'utf8')
const installed = (tool: string, ...args: string[]) => spawnSync(tool, args).status === 0

/** Those the service asks for, whatever they are set to. */
function knownSettings(): Set<string> {
  const asked = new Set<string>()
  readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }))
  return asked
}

test('every setting that the files give is one that the service reads', () => {
  const known = knownSettings()
  const lines = [
    ...file('compose.yaml')
      .split('services:')[0]!
      .matchAll(/^ {4}([A-Z0-9_]+):/gm),
    ...file('Dockerfile').matchAll(/^ENV (.*)$/gm),
    ...file('parley.service').matchAll(/^Environment=(.*)$/gm),
  ].map(match => match[1]!)
  const given = lines.flatMap(line => line.split(' ').map(one => one.split('=')[0]!))
  expect(given.length).toBeGreaterThan(10)
  expect(given.filter(name => name !== 'NODE_ENV' && !known.has(name))).toEqual([])
})

test('what the image is built from is there, and what it runs works', () => {
  const copied = [...file('Dockerfile').matchAll(/^COPY (?!--)(.*) \S+$/gm)].flatMap(match =>
    match[1]!.split(' '),
  )
  expect(copied).toContain('src')
  for (const name of copied) expect(spawnSync('test', ['-e', path.join(root, name)]).status, name).toBe(0)
  for (const role of file('compose.yaml').matchAll(/'--roles', '(\w+)'/g))
    expect(['http', 'worker']).toContain(role[1])
})

test('every metric that alerts and the dashboard look at is measured', async () => {
  const service = await start({ dataDir: fresh(scratch(), 'data') })
  await service.ready()
  await service.call('GET', '/users')
  const page = await (await fetch(`${service.url}/metrics`)).text()
  const named = `${file('alerts.yml')}${file('dashboard.json')}`.match(/\b(parley|process)_[a-z_]+/g)!
  expect(new Set(named).size).toBeGreaterThan(8)
  for (const name of new Set(named))
    expect(page, name).toMatch(new RegExp(`^${name}(_bucket)?[ {]|^# TYPE ${name} `, 'm'))
  const dead = /^parley_jobs_dead (\S+)$/m.exec(page)
  expect(dead?.[1]).toBe('0')
})

test.skipIf(!installed('docker', 'compose', 'version'))('docker compose understands its file', () => {
  const env = {
    ...process.env,
    ...Object.fromEntries(
      ['SECRET_KEY', 'POSTGRES_PASSWORD', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].map(name => [
        name,
        'x',
      ]),
    ),
  }
  const { status, stderr } = spawnSync('docker', ['compose', '-f', 'deploy/compose.yaml', 'config', '-q'], {
    cwd: root,
    env,
  })
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
})

test.skipIf(!installed('systemd-analyze', '--version'))('systemd understands the unit', () => {
  const { stderr } = spawnSync('systemd-analyze', [
    'verify',
    '--man=no',
    path.join(root, 'deploy/parley.service'),
  ])
  const faults = String(stderr)
    .split('\n')
    .filter(line => line.includes('parley.service') && !/is not executable|does not exist/.test(line))
  expect(faults).toEqual([])
})

test.skipIf(!installed('promtool', '--version'))('Prometheus understands the rules', () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', path.join(root, 'deploy/alerts.yml')])
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
})
